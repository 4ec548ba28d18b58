import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
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
import {openStore} from '../../src/realm/store/store.js';
import {openRealm, signIn} from './realm-kit.js';

async function temporaryFile(t: ExecutionContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	return join(folder, 'realm.db');
}

test('accounts, keys and messages outlive the realm', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const bot = first.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});
	const alice = await signIn(first, 'alice');
	const id = await alice.say({channel: 'lunch'}, 'remember me');
	await first.close();

	const second = await openRealm(t, {file});
	const again = await signIn(second, 'alice');
	const {body} = await again.get(`/messages/${id}`);

	t.is(again.key, alice.key);
	t.is(body.raw_content, 'remember me');
	const {site: _site, ...account} = second.ensureBot({
		name: 'echo',
		fullName: 'Echo',
		payloadUrl: 'http://127.0.0.1:1/',
	});
	const {site: _oldSite, ...known} = bot;
	t.deepEqual(account, known);
});

test('the demo organization is made once', async t => {
	const file = await temporaryFile(t);
	await (await startRealm({file, port: 0})).close();

	const alice = await signIn(await openRealm(t, {file}), 'alice');
	const {body} = await alice.get('/messages', {anchor: 'newest', num_before: 100});

	t.is(body.messages.length, 3);
});

test('a file that is no database is refused by name', async t => {
	const file = await temporaryFile(t);
	await writeFile(file, 'A shopping list is no database, however long it may be. '.repeat(100));

	const error = await t.throwsAsync(startRealm({file, port: 0}), {instanceOf: StoreError});

	t.true(error?.message.includes(file));
});

test('a database of a newer version is refused by name, and left as it is', async t => {
	const file = await temporaryFile(t);
	const database = new Database(file);
	database.exec('PRAGMA user_version = 999');
	database.close();

	const error = await t.throwsAsync(startRealm({file, port: 0}), {instanceOf: StoreError});

	t.true(error?.message.includes(file));
	t.regex(error?.message ?? '', /newer/);
});

test('what nobody foresaw is a 500 without code, and is logged', async t => {
	const file = await temporaryFile(t);
	const lines: LogLine[] = [];
	const realm = await openRealm(t, {file, log: line => lines.push(line)});
	const alice = await signIn(realm, 'alice');
	const database = new Database(file);
	database.exec('DROP TABLE submessages');
	database.close();

	const answer = await alice.get('/messages/1');

	t.is(answer.status, 500);
	t.deepEqual(answer.body, {result: 'error', msg: 'Internal server error'});
	t.is(lines.filter(line => line.event === 'error').length, 1);
});

test('a webhook in line outlives a change of the tables', async t => {
	const file = await temporaryFile(t);
	const database = new Database(file);
	database.exec(`PRAGMA foreign_keys = OFF; ${migrations[0]}; PRAGMA user_version = 1`);
	database.exec(
		"INSERT INTO accounts (id, email, full_name, role, api_key, date_joined) VALUES (8, 'echo-bot@x', 'Echo', 400, 'k', 1)",
	);
	const sql = 'INSERT INTO webhook_calls (position, bot_id, message_id, trigger, message) VALUES (?, ?, ?, ?, ?)';
	database.prepare(sql).run(3, 8, 41, 'mention', '{"id":41}');
	database.close();

	const store = openStore(file);
	t.teardown(() => store.close());

	t.deepEqual(
		store.all('SELECT * FROM webhook_calls').map(row => ({...(row as object)})),
		[{id: 1, position: 3, bot_id: 8, message_id: 41, trigger: 'mention', message: '{"id":41}', failed_tries: 0}],
	);
});

test('who may mention a group outlives a change of the tables', async t => {
	const file = await temporaryFile(t);
	const database = new Database(file);
	database.exec(`PRAGMA foreign_keys = ON; ${migrations[0]}; PRAGMA user_version = 1`);
	const sql = 'INSERT INTO user_groups (name, description, is_system_group, can_mention_group) VALUES (?, ?, ?, ?)';
	database.prepare(sql).run('role:everyone', '', 1, 1);
	database.prepare(sql).run('role:nobody', '', 1, null);
	database.prepare(sql).run('quiet', '', 0, 2);
	database.close();

	const store = openStore(file);
	t.teardown(() => store.close());

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
	const file = await temporaryFile(t);
	const database = new Database(file);
	const older = 7;
	const upTo = migrations.slice(0, older).join(';');
	database.exec(`PRAGMA foreign_keys = ON; ${upTo}; PRAGMA user_version = ${older}`);
	database.exec(`
		INSERT INTO user_groups (name, description, is_system_group) VALUES ('role:everyone', '', 1), ('role:nobody', '', 1);
		INSERT INTO accounts (id, email, full_name, role, api_key, date_joined) VALUES (1, 'a@x', 'A', 400, 'k', 1);
		INSERT INTO channels (name, description, date_created, can_send_message_group, can_create_topic_group)
			VALUES ('quiet', '', 1, 2, 1);
		INSERT INTO subscriptions (user_id, channel_id, color, is_muted) VALUES (1, 1, '#123456', 1);
	`);
	database.close();

	const store = openStore(file);
	t.teardown(() => store.close());

	t.is(readChannelSetting(store, 1, 'can_send_message_group'), 2);
	t.is(readChannelSetting(store, 1, 'can_create_topic_group'), 1);
	t.is(readChannelSetting(store, 1, 'can_subscribe_group'), 2);
	t.deepEqual(subscriberIds(store, 1), [1]);
	t.true(isMuted(store, 1, 1));
});

test('owners of an older realm may create users and change addresses, as the demo owner may', async t => {
	const file = await temporaryFile(t);
	const database = new Database(file);
	const older = migrations.findIndex(sql => sql.includes('can_create_users'));
	database.exec(`PRAGMA foreign_keys = ON; ${migrations.slice(0, older).join(';')}; PRAGMA user_version = ${older}`);
	const sql = 'INSERT INTO accounts (id, email, full_name, role, api_key, date_joined) VALUES (?, ?, ?, ?, ?, 1)';
	database.prepare(sql).run(1, 'olivia@x', 'Olivia', 100, 'k');
	database.prepare(sql).run(2, 'adam@x', 'Adam', 200, 'k');
	database.close();

	const store = openStore(file);
	t.teardown(() => store.close());

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
	const file = await temporaryFile(t);
	const database = new Database(file);
	const older = migrations.findIndex(sql => sql.includes('DELETE FROM user_messages'));
	database.exec(`PRAGMA foreign_keys = ON; ${migrations.slice(0, older).join(';')}; PRAGMA user_version = ${older}`);
	database.exec(`
		INSERT INTO accounts (id, email, full_name, role, api_key, date_joined, bot_type)
			VALUES (1, 'a@x', 'A', 400, 'k', 1, NULL), (2, 'genny-bot@x', 'Genny', 400, 'k', 1, 1), (3, 'hook-bot@x', 'Hook', 400, 'k', 1, 3);
		INSERT INTO recipients (id, member_ids) VALUES (1, '1,2,3');
		INSERT INTO messages (id, sender_id, recipient_id, topic, topic_key, content, rendered_content, timestamp, client)
			VALUES (1, 1, 1, '', '', 'x', 'x', 1, 'x');
		INSERT INTO user_messages (user_id, message_id, flags) VALUES (1, 1, 0), (2, 1, 0), (3, 1, 0);
	`);
	database.close();

	const store = openStore(file);
	t.teardown(() => store.close());

	t.deepEqual(receiverIds(store, 1), [1, 2]);
});

test('a store in memory is made as one in a file', async t => {
	const [memory, file] = [openStore(':memory:'), openStore(await temporaryFile(t))];
	const schemaOf = (store: typeof memory) =>
		store.all('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name');
	const tables = file.all<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'");

	t.deepEqual(schemaOf(memory), schemaOf(file));
	t.deepEqual(memory.get('PRAGMA user_version'), file.get('PRAGMA user_version'));
	for (const {name} of tables.filter(({name}) => name !== 'sqlite_sequence')) {
		t.is(file.get<{count: number}>(`SELECT count(*) AS count FROM ${name}`)?.count, 0, name);
	}
});
