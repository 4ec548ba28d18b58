// What test/bots/ holds of the example bots in one process holds in the whole product, too: real Redis, receiver, workers.

import test from 'ava';
import {type Person, signIn, startBothy} from '../helpers/bothy.js';

type Said = readonly [person: 'alice' | 'adam', text: string, answer: RegExp];

const conversations: Readonly<Record<string, readonly Said[]>> = {
	Assistant: [
		['alice', 'minutes', /^I may not look into your drafts\./],
		['alice', 'drafts', /^I may not look into your drafts\./],
	],
	Dice: [
		['alice', 'roll', /^:game_die: [1-6]$/],
		['alice', 'roll 2d6', /^:game_die: [1-6] \+ [1-6] = \*\*\d+\*\*$/],
		['alice', 'roll nothing', /^`dice` cannot be “nothing”: .* Usage: `roll \[dice…\]`$/],
		['alice', 'rol', /^I do not know `rol`\. Did you mean this\?\n\n\* `roll \[dice…\]`/],
	],
	Echo: [
		['alice', 'hello  there', /^hello {2}there$/],
		['alice', 'help', /^Says again what you say$/],
	],
	Lunch: [
		['alice', 'who', /^Nobody goes out yet\.$/],
		['alice', 'join Golden Spoon', /^\* \*\*Golden Spoon\*\*: Alice Ahn$/],
		['alice', 'join Market', /^\* \*\*Market\*\*: Alice Ahn$/],
		['adam', 'who', /^Nobody goes out yet\.$/],
		['adam', 'favourites', /^\* Golden Spoon \(1\)\n\* Market \(1\)$/],
		['alice', 'leave', /^Nobody goes out yet\.$/],
	],
	Poll: [
		['alice', 'vote 1 pizza', /^There is no such poll or option\.$/],
		['alice', 'ask "Where?" pizza, soup', /^\*\*Where\?\*\* \(`results \d+` counts\)$/],
	],
	Remind: [
		['alice', 'list', /^I have nothing to remind you of\.$/],
		['alice', 'me tomorrow 9:00 tea', /^I will remind you at <time:.*T09:00:00Z>\.$/],
		['alice', 'daily 8:30 stand up', /^I will remind you every day at 8:30 UTC\.$/],
		['alice', 'list', /^1\. .* UTC.*\n2\. .* UTC/],
		['adam', 'list', /^I have nothing to remind you of\.$/],
		['alice', 'cancel 1', /^Cancelled\.$/],
		['alice', 'me yesterday tea', /^“yesterday” is in the past\./],
	],
	Standup: [
		['alice', 'work', /^Noted for the next standup/],
		['alice', 'work more', /^Noted for the next standup/],
	],
	Steward: [
		['alice', 'who kitchen', /^\* Alice Ahn\n\* Carla Cruz$/],
		['alice', 'deactivate @**Bob Birk**', /^`deactivate` is for administrators only\.$/],
		['adam', 'deactivate @**Bob Birk**', /^They will be signed out everywhere\. Really\?$/],
		['adam', 'yes', /^The account of Bob Birk is closed\.$/],
		['adam', 'default enter_sends on', /^Newcomers start with `enter_sends` on\.$/],
	],
};

/** Writes to a bot directly; resolves with its answer. */
async function talk(person: Person) {
	const queue = await person.listen();
	const {members} = await person.getUsers();
	return async (name: string, content: string) => {
		const bot = members.find(({full_name: fullName}) => fullName === name);
		await person.sendMessage({type: 'direct', to: [bot?.user_id ?? 0], content});
		const answer = await queue.next(({sender_email: sender}) => sender === bot?.email);
		return answer.content;
	};
}

test('each example bot does its work in the whole product', async t => {
	t.timeout(180_000);
	const bothy = await startBothy(t);
	const [alice, adam] = [
		await signIn(t, bothy.realmUrl, 'alice@bothy.example'),
		await signIn(t, bothy.realmUrl, 'adam@bothy.example'),
	];
	const say = {alice: await talk(alice), adam: await talk(adam)};
	const {members} = await alice.getUsers();
	const bots = members.filter(({bot_type: type}) => type === 3).map(({full_name: name}) => name);
	t.deepEqual(bots.toSorted(), Object.keys(conversations).toSorted());

	for (const [bot, conversation] of Object.entries(conversations)) {
		for (const [person, text, expected] of conversation) {
			t.regex(await say[person](bot, text), expected, `${person} says “${text}” to ${bot}`);
		}
	}

	t.notRegex(bothy.output(), /Error|fail/i);
});
