import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import Database from 'libsql';
import {queueOf} from './event-kit.js';
import {groupOf, groups} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	type Json,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const path = (id: number) => `/api/v1/user_groups/${id}/deactivate`;
const inUse = (objections: Json) => ({
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: 'Cannot deactivate user group in use.',
		code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
		objections,
	},
});

test('the client deactivates a group by its ID in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deactivateUserGroup({user_group_id: 34});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/user_groups/34/deactivate HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError with the objections', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Cannot deactivate user group in use.","code":"CANNOT_DEACTIVATE_GROUP_IN_USE",' +
			'"objections":[{"type":"realm","settings":["can_create_groups"]}]}\n',
	);

	t.deepEqual(await refusalOf(t, client.deactivateUserGroup({user_group_id: 34})), {
		code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
		status: 400,
		reason: 'Cannot deactivate user group in use.',
		fields: {objections: [{type: 'realm', settings: ['can_create_groups']}]},
	});
});

test('the realm deactivates a group: it leaves the list, calls nobody, and clients see it go, or change', async t => {
	const realm = await openRealm(t);
	const [mona, alice] = [await signIn(t, 'mona', realm), await signIn(t, 'alice', realm)];
	const plain = await queueOf(alice, 'user_group');
	const aware = await queueOf(
		alice,
		'user_group',
		'&client_capabilities={"notification_settings_null":true,"include_deactivated_groups":true}',
	);

	const answer = await mona.post(path(groups.helpers), '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.is(at(await groupOf(alice, groups.helpers), 'deactivated'), true);
	const {json} = await alice.get('/api/v1/user_groups');
	t.false(JSON.stringify(json).includes('helpers'));
	t.deepEqual(await plain(), [{type: 'user_group', op: 'remove', group_id: groups.helpers}]);
	t.deepEqual(await aware(), [{type: 'user_group', op: 'update', group_id: groups.helpers, data: {deactivated: true}}]);
	await mona.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=%40*helpers*');
	const flags = at(await newestMessage(alice), 'flags');
	t.false(Array.isArray(flags) && flags.includes('mentioned'));
});

test('a group within another is in use until the other one is over', async t => {
	const realm = await openRealm(t);
	const [alice, mona] = [await signIn(t, 'alice', realm), await signIn(t, 'mona', realm)];

	expectRefusal(
		t,
		await alice.post(path(groups.kitchen), ''),
		inUse([{type: 'subgroup', supergroup_ids: [groups.helpers]}]),
	);
	t.is(at(await groupOf(alice, groups.kitchen), 'deactivated'), false);
	await mona.post(path(groups.helpers), '');
	expectSuccess(t, await alice.post(path(groups.kitchen), ''));
});

test('a group that a permission names is in use', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	await alice.patch(
		`/api/v1/user_groups/${groups.kitchen}`,
		`can_join_group={"new":{"direct_members":[4],"direct_subgroups":[${groups.board}]}}&can_mention_group={"new":${groups.board}}`,
	);

	expectRefusal(
		t,
		await olivia.post(path(groups.board), ''),
		inUse([{type: 'user_group', group_id: groups.kitchen, settings: ['can_join_group', 'can_mention_group']}]),
	);
});

test('a group that a channel or the organization names is in use', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const olivia = await signIn(t, 'olivia', await openRealm(t, {file}));
	const database = new Database(file);
	database
		.prepare(
			`INSERT INTO channel_settings SELECT id, 'can_send_message_group', ? FROM channels WHERE name IN ('staff', 'attic')`,
		)
		.run(String(groups.board));
	database.prepare('UPDATE organization SET can_mention_many_users_group = ?').run(groups.board);
	database.close();

	const answer = await olivia.post(path(groups.board), '');

	// What is archived needs no group.
	expectRefusal(
		t,
		answer,
		inUse([
			{type: 'channel', channel_id: await channelId(olivia, 'staff'), settings: ['can_send_message_group']},
			{type: 'realm', settings: ['can_mention_many_users_group']},
		]),
	);
});

test('the state of a new queue has deactivated groups only for clients that know them', async t => {
	const alice = await signIn(t);
	const countFor = async (form: string) => {
		const {json} = await alice.post('/api/v1/register', `event_types=["user_group"]${form}`);
		return Object(at(json, 'realm_user_groups')).length;
	};

	t.is(await countFor(''), 12);
	t.is(
		await countFor('&client_capabilities={"notification_settings_null":true,"include_deactivated_groups":true}'),
		13,
	);
	const {json} = await alice.post('/api/v1/register', 'event_types=["realm_user_groups"]');
	t.deepEqual(at(json, 'realm_user_groups', 10), await groupOf(alice, groups.helpers));
});

test('a new bot joins the system groups of its role', async t => {
	const realm = await openRealm(t);
	const events = await queueOf(await signIn(t, 'alice', realm), 'user_group');

	const {userId} = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const common = {type: 'user_group', op: 'add_members', user_ids: [userId]};
	t.deepEqual(await events(), [
		{...common, group_id: groups.members},
		{...common, group_id: groups.fullmembers},
	]);
});

test('feature level 289 knows no such path, 290 does', async t => {
	const deactivate = async (featureLevel: number) => {
		const mona = await signIn(t, 'mona', await openRealm(t, {featureLevel}));
		return mona.post(path(groups.helpers), '');
	};

	t.is((await deactivate(289)).statusLine, 'HTTP/1.1 404 Not Found');
	expectSuccess(t, await deactivate(290));
});

const post = (id: number) => (caller: Caller) => caller.post(path(id), '');

test('to deactivate a group that is deactivated', refused, {
	ask: post(groups.party),
	answer: badRequest('User group is deactivated.'),
});
test('to deactivate a system group', refused, {
	as: 'olivia',
	ask: post(groups.nobody),
	answer: badRequest('Insufficient permission'),
});
test("to deactivate somebody else's group", refused, {
	ask: post(groups.garden),
	answer: badRequest('Insufficient permission'),
});
test('to deactivate an unknown group', refused, {ask: post(999), answer: badRequest('Invalid user group')});
test('to deactivate a group for a guest', refused, {
	as: 'gus',
	ask: post(groups.garden),
	answer: badRequest('Not allowed for guest users'),
});
