// What test/bots/ holds of the example bots in one process they do beside a receiver, workers, Redis and a realm, too.

import test from 'ava';
import {signIn} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {until} from '../helpers/until.js';

const ALICE = 'alice@bothy.example';

type Said = readonly [person: 'alice' | 'adam', text: string, answer: RegExp];

const conversations: Readonly<Record<string, readonly Said[]>> = {
	assistant: [
		['alice', 'minutes', /^The outline will be in your drafts in a moment\./],
		['adam', 'minutes', /^I have no access to your drafts\./],
	],
	dice: [
		['alice', 'roll 2d6', /^:game_die: [1-6] \+ [1-6] = \*\*\d+\*\*$/],
		['alice', 'rol', /^I do not know `rol`\. Did you mean this\?\n\n\* `roll \[dice…\]`/],
	],
	echo: [
		['alice', 'hello  there', /^hello {2}there$/],
		['alice', 'help', /^Repeats what you say$/],
	],
	lunch: [
		['alice', 'join Golden Spoon', /^\* \*\*Golden Spoon\*\*: Alice Ahn$/],
		['alice', 'join Market', /^\* \*\*Market\*\*: Alice Ahn$/],
		['adam', 'favourites', /^\* Golden Spoon \(1\)\n\* Market \(1\)$/],
		['alice', 'leave', /^Nobody goes out yet\.$/],
	],
	poll: [
		['alice', 'vote 1 pizza', /^There is no such poll or option\.$/],
		['alice', 'ask "Where?" pizza, soup', /^\*\*Where\?\*\* \(`results \d+` counts\)$/],
	],
	remind: [
		['alice', 'me tomorrow 9:00 tea', /^I will remind you at <time:.*T09:00:00Z>, in .+\.$/],
		['alice', 'daily 8:30 stand up', /^I will remind you every day at 8:30 UTC\.$/],
		['alice', 'list', /^1\. .* UTC.*\n2\. .* UTC/],
		['adam', 'list', /^I have nothing to remind you of\.$/],
		['alice', 'cancel 1', /^Cancelled\.$/],
	],
	standup: [['alice', 'work', /^Noted for the next standup/]],
	steward: [
		['alice', 'who kitchen', /^\* Alice Ahn\n\* Carla Cruz$/],
		['alice', 'deactivate @**Bob Birk**', /^`deactivate` is for administrators only\.$/],
		['adam', 'deactivate @**Bob Birk**', /^They will be signed out everywhere\. Really\?$/],
		['adam', 'yes', /^The account of Bob Birk is closed\.$/],
		['adam', 'default enter_sends on', /^New people start with `enter_sends` on\.$/],
	],
};

test('each example bot does its work in the whole product', async t => {
	const names = Object.keys(conversations);
	const house = await openHouse(t, {
		bots: Object.fromEntries(names.map(name => [name, undefined])),
		administrators: ['steward'],
		async sections({url}) {
			const {key} = await signIn(t, url, ALICE);
			return {alice: {email: ALICE, key, site: url}};
		},
	});
	const people = {alice: await house.signIn('alice'), adam: await house.signIn('adam')};

	for (const name of names) {
		for (const [who, content, expected] of conversations[name] ?? []) {
			t.regex(await people[who].ask(name, content), expected, `${who} says “${content}” to ${name}`);
		}

		await people.alice.mention(name, 'help');
		await people.alice.next(name);
	}

	await until(async () => {
		const {drafts} = await people.alice.getDrafts();
		return drafts.some(({content}) => content.startsWith('**Minutes**'));
	});

	t.notRegex(house.log(), /"level":[56]0/);
});
