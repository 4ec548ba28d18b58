// What test/bots/ holds of the example bots in one process they do in the whole product, too: `bothy web`, `bothy worker`,
// Redis and a realm.

import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {titleOf} from '../../src/host/local-realm.js';
import {type Person, signIn, startCommand} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';

const ALICE = 'alice@bothy.example';

type Said = readonly [person: 'alice' | 'adam', text: string, answer: RegExp];

const conversations: Readonly<Record<string, readonly Said[]>> = {
	assistant: [
		['alice', 'minutes', /^The outline will be among your drafts in a moment\./],
		['adam', 'minutes', /^I may not look into your drafts\./],
	],
	dice: [
		['alice', 'roll 2d6', /^:game_die: [1-6] \+ [1-6] = \*\*\d+\*\*$/],
		['alice', 'rol', /^I do not know `rol`\. Did you mean this\?\n\n\* `roll \[dice…\]`/],
	],
	echo: [
		['alice', 'hello  there', /^hello {2}there$/],
		['alice', 'help', /^Says again what you say$/],
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
		['alice', 'me in 15 seconds tea', /^I will remind you at <time:.+>, in 1[0-9] seconds\.$/],
	],
	standup: [['alice', 'work', /^Noted for the next standup/]],
	steward: [
		['alice', 'who kitchen', /^\* Alice Ahn\n\* Carla Cruz$/],
		['alice', 'deactivate @**Bob Birk**', /^`deactivate` is for administrators only\.$/],
		['adam', 'deactivate @**Bob Birk**', /^They will be signed out everywhere\. Really\?$/],
		['adam', 'yes', /^The account of Bob Birk is closed\.$/],
		['adam', 'default enter_sends on', /^Newcomers start with `enter_sends` on\.$/],
	],
};

test('each example bot does its work in the whole product', async t => {
	t.timeout(180_000);
	const realm = await openRealm(t, {rateLimit: false});
	const ensure = (payloadUrl: string) =>
		Object.keys(conversations).map(name =>
			realm.ensureBot({name, fullName: titleOf(name), payloadUrl, isAdministrator: name === 'steward'}),
		);
	const bots = ensure(realm.url);
	const sections = bots.map(({name, email, key, site, token}) => [name, {email, key, site, token}]);
	const {key} = await signIn(t, realm.url, ALICE);
	const env = {
		REDIS_URL: await startRedis(t),
		BOTHY_CONFIG_JSON: JSON.stringify({...Object.fromEntries(sections), alice: {email: ALICE, key, site: realm.url}}),
		PORT: '0',
		WEB_CONCURRENCY: '1',
		LOG_LEVEL: 'warn',
	};
	const [web, worker] = await Promise.all([
		startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)/}),
		startCommand(t, 'worker', {env, ready: /(Worker)/}),
	]);
	ensure(web.found);
	const open = async (email: string) => {
		const person: Person = await signIn(t, realm.url, email);
		return {person, heard: await person.listen()};
	};
	const people = {alice: await open(ALICE), adam: await open('adam@bothy.example')};

	for (const {name, email, userId} of bots) {
		for (const [who, content, expected] of conversations[name] ?? []) {
			const {person, heard} = people[who];
			await person.sendMessage({type: 'direct', to: [userId], content});
			const answer = await heard.next(({sender_email: sender}) => sender === email);
			t.regex(answer.content, expected, `${who} says “${content}” to ${name}`);
		}

		const {person, heard} = people.alice;
		await person.sendMessage({type: 'channel', to: 'general', topic: name, content: `@**${titleOf(name)}** help`});
		await heard.next(({sender_email: sender, type}) => sender === email && type === 'stream');
	}

	const {alice} = people;
	const tea = await alice.heard.next(({content}) => content === `@**Alice Ahn|${alice.person.id}** tea`);
	t.is(tea.type, 'private');
	for (;;) {
		const {drafts} = await alice.person.getDrafts();
		if (drafts.some(({content}) => content.startsWith('**Minutes**'))) {
			break;
		}

		await sleep(50);
	}

	t.notRegex(web.output() + worker.output(), /Error|fail/i);
});
