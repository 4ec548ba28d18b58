// What the demo organization offers to try, beyond its first people and channels, and how a realm comes by it.

import test from 'ava';
import type {Store} from '../../src/realm/store/store.js';
import {type Caller, listen, openChat, openRealm, signIn} from './realm-kit.js';

const topicsOf = async (caller: Caller, values: object = {}) => {
	const {body} = await caller.get('/users/me/6/topics', {...values});
	return body.topics.map(({name}: {name: string}) => name);
};

test('in the plaza more than 15 people listen, and not everybody may call them all', async t => {
	const {alice, olivia} = await openChat(t);
	const call = (caller: Caller, content: string) =>
		caller.post('/messages', {type: 'channel', to: 'plaza', topic: 'band', content});

	const {body} = await alice.get('/streams/6/members');

	t.is(body.subscribers.length, 16);
	t.is((await call(alice, '@**all** hello')).body.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
	t.is((await call(alice, '@**topic** hello')).body.result, 'success');
	t.is((await call(olivia, '@**all** hello')).body.result, 'success');
});

test('the plaza has history with an empty topic, and people who follow or mute topics in it', async t => {
	const {alice, mona} = await openChat(t);

	const {state} = await listen(mona, {event_types: ['user_topic']});

	t.deepEqual(await topicsOf(alice, {allow_empty_topic_name: true}), ['band', '']);
	t.deepEqual(await topicsOf(alice), ['band', 'general chat']);
	t.deepEqual(
		state.user_topics
			.map((row: Record<string, unknown>) => [row.stream_id, row.topic_name, row.visibility_policy])
			.filter(([channel]: [number]) => channel === 6),
		[
			[6, 'general chat', 3],
			[6, 'band', 1],
		],
	);
});

for (const {featureLevel, topic, own} of [
	{featureLevel: 496, topic: '', own: [3, 3]},
	{featureLevel: 333, topic: '(no topic)', own: [3, 3]},
	{featureLevel: 213, topic: '(no topic)', own: []},
]) {
	test(`beside realms of other levels one of level ${featureLevel} begins as a service of that level`, async t => {
		const levels = [213, 333, 496];
		const chats = await Promise.all(levels.map(level => openChat(t, {featureLevel: level})));
		const {realm, mona} = chats[levels.indexOf(featureLevel)] as (typeof chats)[number];
		const dora = signIn(realm, 'dora');
		const policies = async (caller: Caller) => {
			const {state} = await listen(caller, {event_types: ['user_topic']});
			return state.user_topics.map((row: Record<string, unknown>) => [row.topic_name, row.visibility_policy]);
		};

		const name = topic || 'general chat';
		t.deepEqual(await topicsOf(dora, {allow_empty_topic_name: true}), ['band', topic]);
		t.deepEqual(
			(await policies(dora)).map(([, policy]: [string, number]) => policy),
			own,
		);
		t.deepEqual((await policies(mona)).slice(-2), [
			[name, 3],
			['band', 1],
		]);
	});
}

test('a realm that starts from a copy differs from the first one in keys and times alone', async t => {
	const starts = [1_700_000_040, 1_800_000_000];
	const realms = [];
	for (const seconds of starts) {
		// The first realm of a level fills its database; no other test has this level.
		const {services} = await openRealm(t, {now: seconds * 1000, featureLevel: 495});
		const keys = services.store.all<{api_key: string}>('SELECT api_key FROM accounts').map(row => row.api_key);
		const rows = JSON.stringify(tablesOf(services.store)).replaceAll(String(seconds), 'start');
		realms.push({keys, rows: keys.reduce((text, key) => text.replace(key, 'key'), rows)});
	}

	const [filled, copied] = realms;
	t.is(copied?.rows, filled?.rows);
	t.regex(String(filled?.rows), /start/);
	t.is(new Set(realms.flatMap(({keys}) => keys)).size, 40);
});

function tablesOf(store: Store): unknown[] {
	const tables = store.all<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'");
	return tables.map(({name}) => store.all(`SELECT * FROM "${name}"`));
}
