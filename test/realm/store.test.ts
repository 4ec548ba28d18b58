// How a realm starts: with a database of its own, an older one, or the demo organization.

import {writeFile} from 'node:fs/promises';
import test, {type ExecutionContext} from 'ava';
import Database from 'libsql';
import {isMuted, subscriberIds} from '../../src/realm/channels/channels.js';
import {readChannelSetting} from '../../src/realm/channels/settings.js';
import {readGroupSetting} from '../../src/realm/groups/settings.js';
import {type LogLine, StoreError, startRealm} from '../../src/realm/index.js';
import {receiverIds} from '../../src/realm/messages/rows.js';
import {findAccount} from '../../src/realm/people/accounts.js';
import {findGroup} from '../../src/realm/people/groups.js';
import {migrations} from '../../src/realm/store/schema.js';
import {openStore, type Store} from '../../src/realm/store/store.js';
import {type Caller, databaseFile, ECHO, listen, openChat, openRealm, signIn} from './realm-kit.js';

test('accounts, keys, bots and messages outlive the realm, and the demo organization is made once', async t => {
	const file = await databaseFile(t);
	const first = await openChat(t, {file});
	const {site: _, ...bot} = first.realm.ensureBot(ECHO);
	const id = await first.alice.say({channel: 'lunch'}, 'remember me');
	await first.realm.close();

	const {realm, alice} = await openChat(t, {file});

	t.is(alice.key, first.alice.key);
	t.is((await alice.get(`/messages/${id}`)).body.raw_content, 'remember me');
	t.is((await alice.get('/messages', {anchor: 'newest', num_before: 100})).body.messages.length, 4);
	t.like(realm.ensureBot(ECHO), bot);
});

test('a file that is no database is refused by name', async t => {
	const file = await databaseFile(t);
	await writeFile(file, 'A shopping list is no database, however long it may be. '.repeat(100));

	const error = await t.throwsAsync(startRealm({file, port: 0}), {instanceOf: StoreError});

	t.true(error?.message.includes(file));
});

test('a database of a newer version is refused by name, and left as it is', async t => {
	const file = await databaseFile(t);
	const database = new Database(file);
	database.exec('PRAGMA user_version = 999');
	database.close();

	const error = await t.throwsAsync(startRealm({file, port: 0}), {instanceOf: StoreError});

	t.true(error?.message.includes(file));
	t.regex(error?.message ?? '', /newer/);
});

test('an unexpected error is a 500 without code, and is logged', async t => {
	const lines: LogLine[] = [];
	const {realm, alice} = await openChat(t, {log: line => lines.push(line)});
	realm.services.store.run('DROP TABLE submessages');

	const answer = await alice.get('/messages/1');

	t.is(answer.status, 500);
	t.deepEqual(answer.body, {result: 'error', msg: 'Internal server error'});
	t.is(lines.filter(line => line.event === 'error').length, 1);
});

/** Opens a database that an older version made and filled. */
async function openOlder(t: ExecutionContext, version: number, rows: string): Promise<Store> {
	const file = await databaseFile(t);
	const database = new Database(file);
	const made = migrations.slice(0, version).join(';');
	database.exec(`PRAGMA foreign_keys = OFF; ${made}; PRAGMA user_version = ${version}; ${rows}`);
	database.close();
	const store = openStore(file);
	t.teardown(() => store.close());
	return store;
}

test('a webhook in line outlives a change of the tables', async t => {
	const store = await openOlder(
		t,
		1,
		`INSERT INTO accounts (id, email, full_name, role, api_key, date_joined) VALUES (8, 'echo-bot@x', 'Echo', 400, 'k', 1);
		INSERT INTO webhook_calls (position, bot_id, message_id, trigger, message) VALUES (3, 8, 41, 'mention', '{"id":41}')`,
	);

	t.deepEqual(
		store.all('SELECT * FROM webhook_calls').map(row => ({...(row as object)})),
		[{id: 1, position: 3, bot_id: 8, message_id: 41, trigger: 'mention', message: '{"id":41}', failed_tries: 0}],
	);
});

test('who may mention a group outlives a change of the tables', async t => {
	const store = await openOlder(
		t,
		1,
		`INSERT INTO user_groups (name, description, is_system_group, can_mention_group)
			VALUES ('role:everyone', '', 1, 1), ('role:nobody', '', 1, NULL), ('quiet', '', 0, 2)`,
	);

	const rights = [1, 2, 3].map(id => {
		const group = findGroup(store, id);
		return group && [group.name, readGroupSetting(store, group, 'can_mention_group')];
	});
	t.deepEqual(rights, [
		['role:everyone', 1],
		['role:nobody', 2],
		['quiet', 2],
	]);
});

test('who may write in a channel, and who belongs to it, outlives a change of the tables', async t => {
	const store = await openOlder(
		t,
		7,
		`INSERT INTO user_groups (name, description, is_system_group) VALUES ('role:everyone', '', 1), ('role:nobody', '', 1);
		INSERT INTO accounts (id, email, full_name, role, api_key, date_joined) VALUES (1, 'a@x', 'A', 400, 'k', 1);
		INSERT INTO channels (name, description, date_created, can_send_message_group, can_create_topic_group)
			VALUES ('quiet', '', 1, 2, 1);
		INSERT INTO subscriptions (user_id, channel_id, color, is_muted) VALUES (1, 1, '#123456', 1)`,
	);

	t.is(readChannelSetting(store, 1, 'can_send_message_group'), 2);
	t.is(readChannelSetting(store, 1, 'can_create_topic_group'), 1);
	t.is(readChannelSetting(store, 1, 'can_subscribe_group'), 2);
	t.deepEqual(subscriberIds(store, 1), [1]);
	t.true(isMuted(store, 1, 1));
});

test('owners of an older realm may create users and change addresses, as the demo owner may', async t => {
	const store = await openOlder(
		t,
		migrations.findIndex(sql => sql.includes('can_create_users')),
		`INSERT INTO accounts (id, email, full_name, role, api_key, date_joined)
			VALUES (1, 'olivia@x', 'Olivia', 100, 'k', 1), (2, 'adam@x', 'Adam', 200, 'k', 1)`,
	);

	const rights = [1, 2].map(id => {
		const account = findAccount(store, id);
		return [account?.can_create_users, account?.can_change_user_emails];
	});
	t.deepEqual(rights, [
		[1, 1],
		[0, 0],
	]);
});

test('an older realm drops the rows of messages that it kept for outgoing-webhook bots', async t => {
	const store = await openOlder(
		t,
		migrations.findIndex(sql => sql.includes('DELETE FROM user_messages')),
		`INSERT INTO accounts (id, email, full_name, role, api_key, date_joined, bot_type)
			VALUES (1, 'a@x', 'A', 400, 'k', 1, NULL), (2, 'genny-bot@x', 'Genny', 400, 'k', 1, 1), (3, 'hook-bot@x', 'Hook', 400, 'k', 1, 3);
		INSERT INTO recipients (id, member_ids) VALUES (1, '1,2,3');
		INSERT INTO messages (id, sender_id, recipient_id, topic, topic_key, content, rendered_content, timestamp, client)
			VALUES (1, 1, 1, '', '', 'x', 'x', 1, 'x');
		INSERT INTO user_messages (user_id, message_id, flags) VALUES (1, 1, 0), (2, 1, 0), (3, 1, 0)`,
	);

	t.deepEqual(receiverIds(store, 1), [1, 2]);
});

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

for (const featureLevel of [1, 213, 214, 234, 235, 333, 334, 369, 370, 495]) {
	test(`a copy of a realm of another level differs from a new one of level ${featureLevel} in keys and times alone`, async t => {
		// The first realm in memory of this process was copied, or is copied now.
		await openRealm(t, {featureLevel: featureLevel + 1});
		const realms = [];
		for (const [seconds, file] of [
			[1_700_000_040, await databaseFile(t)],
			[1_800_000_000, ':memory:'],
		] as const) {
			const {services} = await openRealm(t, {now: seconds * 1000, featureLevel, file});
			const keys = services.store.all<{api_key: string}>('SELECT api_key FROM accounts').map(row => row.api_key);
			const rows = JSON.stringify(tablesOf(services.store)).replaceAll(String(seconds), 'start');
			realms.push({keys, rows: keys.reduce((text, key) => text.replace(key, 'key'), rows)});
		}

		const [filled, copied] = realms;
		t.is(copied?.rows, filled?.rows);
		t.regex(String(filled?.rows), /start/);
		t.is(new Set(realms.flatMap(({keys}) => keys)).size, 40);
	});
}

function tablesOf(store: Store): unknown[] {
	const tables = store.all<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'");
	return tables.map(({name}) => store.all(`SELECT * FROM "${name}"`));
}
