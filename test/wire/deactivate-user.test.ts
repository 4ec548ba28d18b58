import test, {type ExecutionContext} from 'ava';
import {makeBot} from './bot-kit.js';
import {queueOf} from './event-kit.js';
import {membersOf} from './group-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the user in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deactivateUser({user_id: 7});

	t.is((await server.request()).line, 'DELETE /api/v1/users/7 HTTP/1.1');
});

test('the realm lets a deactivated person in no more, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice, bob] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	const {json} = await alice.post('/api/v1/register', 'event_types=["realm_user"]');

	expectSuccess(t, await adam.delete(`/api/v1/users/${bob.userId}`, ''));

	t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events', 0, 'person'), {user_id: bob.userId, is_active: false});
	expectRefusal(t, await adam.delete(`/api/v1/users/${bob.userId}`, ''), badRequest('User is deactivated'));
});

test('the realm refuses members, bots as targets, and the only owner', async t => {
	const realm = await openRealm(t);
	const [olivia, adam, alice] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
	];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await alice.delete(`/api/v1/users/${adam.userId}`, ''), badRequest('Insufficient permission'));
	expectRefusal(t, await adam.delete(`/api/v1/users/${bot.userId}`, ''), badRequest('No such user'));
	expectRefusal(t, await adam.delete(`/api/v1/users/${olivia.userId}`, ''), {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL'},
	});
	expectRefusal(
		t,
		await olivia.delete(`/api/v1/users/${olivia.userId}`, ''),
		badRequest('Cannot deactivate the only organization owner'),
	);
});

test("the realm deactivates a person's bots before the person", async t => {
	const realm = await openRealm(t);
	const [olivia, adam, alice] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
	];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	expectSuccess(t, await olivia.patch(`/api/v1/users/${adam.userId}`, 'role=100'));
	const {json} = await alice.post('/api/v1/register', 'event_types=["realm_user"]');

	expectSuccess(t, await adam.delete(`/api/v1/users/${olivia.userId}`, ''));

	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events', 0, 'person'), {user_id: bot.userId, is_active: false});
	t.deepEqual(at(events.json, 'events', 1, 'person'), {user_id: olivia.userId, is_active: false});
});

test('the client writes what to delete as JSON, and a comment as text', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deactivateUser({
		user_id: 7,
		deactivation_notification_comment: 'Farewell!',
		actions: {
			delete_profile: true,
			delete_public_channel_messages: true,
			delete_private_channel_messages: false,
			delete_direct_messages: true,
		},
	});

	t.is(
		(await server.request()).body,
		'deactivation_notification_comment=Farewell%21&actions=%7B%22delete_profile%22%3Atrue%2C' +
			'%22delete_public_channel_messages%22%3Atrue%2C%22delete_private_channel_messages%22%3Afalse%2C' +
			'%22delete_direct_messages%22%3Atrue%7D',
	);
});

test('the realm takes a deactivated person out of their groups', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const groups = await queueOf(alice, 'user_group');

	expectSuccess(t, await adam.delete('/api/v1/users/5', ''));

	t.deepEqual(
		await groups(),
		[3, 4, 10].map(group => ({type: 'user_group', op: 'remove_members', group_id: group, user_ids: [5]})),
	);
	t.deepEqual(await membersOf(alice, 10), [7]);
});

/** Mona says one thing in public, two in private, one to Alice, and her profile is filled in. */
async function monaTalks(t: ExecutionContext, options: {featureLevel?: number} = {}) {
	const realm = await openRealm(t, options);
	const [olivia, adam, alice, mona] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'mona', realm),
	];
	const say = async (form: string) => Number(at((await mona.post('/api/v1/messages', form)).json, 'id'));
	const ids = {
		public: await say('type=channel&to=lunch&topic=soup&content=Public'),
		private: await say('type=channel&to=staff&topic=plan&content=Private'),
		again: await say('type=channel&to=staff&topic=PLAN&content=Again'),
		direct: await say('type=direct&to=%5B4%5D&content=Direct'),
	};
	return {realm, olivia, adam, alice, mona, ids};
}

async function isThere(caller: Caller, id: number): Promise<boolean> {
	return (await caller.get(`/api/v1/messages/${id}`)).statusLine === 'HTTP/1.1 200 OK';
}

for (const [action, gone] of [
	['delete_public_channel_messages', ['public']],
	['delete_private_channel_messages', ['private', 'again']],
	['delete_direct_messages', ['direct']],
	['delete_profile', []],
] as const) {
	test(`the realm deletes no other messages for ${action}`, async t => {
		const {adam, alice, ids} = await monaTalks(t);

		expectSuccess(t, await adam.delete('/api/v1/users/3', `actions=%7B%22${action}%22%3Atrue%7D`));

		const left = {
			public: await isThere(alice, ids.public),
			private: await isThere(adam, ids.private),
			again: await isThere(adam, ids.again),
			direct: await isThere(alice, ids.direct),
		};
		t.deepEqual(left, {
			public: true,
			private: true,
			again: true,
			direct: true,
			...Object.fromEntries(gone.map(name => [name, false])),
		});
	});
}

test('the realm tells whoever could read them of all messages that are deleted, by conversation', async t => {
	const {adam, alice, ids} = await monaTalks(t);
	const bulk =
		'&client_capabilities=%7B%22notification_settings_null%22%3Atrue%2C%22bulk_message_deletion%22%3Atrue%7D';
	const [adams, alices] = [await queueOf(adam, 'delete_message', bulk), await queueOf(alice, 'delete_message')];

	const form =
		'actions=%7B%22delete_private_channel_messages%22%3Atrue%2C%22delete_direct_messages%22%3Atrue%2C' +
		'%22delete_public_channel_messages%22%3Afalse%7D';
	expectSuccess(t, await adam.delete('/api/v1/users/3', form));

	t.deepEqual(await adams(), [
		{
			type: 'delete_message',
			message_type: 'stream',
			message_ids: [ids.private, ids.again],
			stream_id: 4,
			topic: 'plan',
		},
	]);
	t.deepEqual(await alices(), [{type: 'delete_message', message_type: 'private', message_id: ids.direct}]);
});

test('the realm leaves a placeholder of a profile that it deletes, and tells everybody', async t => {
	const {adam, alice, ids} = await monaTalks(t);
	const users = await queueOf(alice, 'realm_user');

	expectSuccess(t, await adam.delete('/api/v1/users/3', 'actions=%7B%22delete_profile%22%3Atrue%7D'));

	const {json} = await alice.get('/api/v1/users/3?include_custom_profile_fields=true');
	const noPicture = 'https://secure.gravatar.com/avatar/?d=mp&f=y';
	t.is(at(json, 'user', 'full_name'), 'Deleted user 3');
	t.is(at(json, 'user', 'avatar_url'), noPicture);
	t.is(at(json, 'user', 'is_deleted'), true);
	t.is(at(json, 'user', 'is_active'), false);
	t.deepEqual(at(json, 'user', 'profile_data'), {});
	const message = at((await alice.get(`/api/v1/messages/${ids.direct}`)).json, 'message');
	t.is(at(message, 'sender_full_name'), 'Deleted user 3');
	t.is(at(message, 'avatar_url'), noPicture);
	t.deepEqual(
		(await users()).map(event => at(event, 'person')),
		[
			{user_id: 3, is_active: false},
			{user_id: 3, full_name: 'Deleted user 3'},
			{
				user_id: 3,
				avatar_url: noPicture,
				avatar_url_medium: noPicture,
				avatar_source: 'G',
				avatar_version: 1,
			},
			{user_id: 3, custom_profile_field: {id: 4, value: null}},
			{user_id: 3, custom_profile_field: {id: 8, value: null}},
		],
	);
});

test('the realm deletes what the bots of a person left before what the person left', async t => {
	const realm = await openRealm(t);
	const [olivia, adam, alice] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
	];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	expectSuccess(t, await olivia.patch('/api/v1/users/2', 'role=100'));
	const form = 'type=direct&to=%5B4%5D&content=Hello';
	const own = Number(at((await olivia.post('/api/v1/messages', form)).json, 'id'));
	const bots = Number(at((await bot.post('/api/v1/messages', form)).json, 'id'));
	const [deletions, users] = [await queueOf(alice, 'delete_message'), await queueOf(alice, 'realm_user')];

	const actions = 'actions=%7B%22delete_direct_messages%22%3Atrue%2C%22delete_profile%22%3Atrue%7D';
	expectSuccess(t, await adam.delete('/api/v1/users/1', actions));

	t.deepEqual(
		(await deletions()).map(event => at(event, 'message_id')),
		[bots, own],
	);
	const names = (await users()).map(event => Object(at(event, 'person')).full_name).filter(Boolean);
	t.deepEqual(names, [`Deleted user ${bot.userId}`, 'Deleted user 1']);
});

test('a realm below feature level 490 does not say that a profile was deleted', async t => {
	const {adam, alice} = await monaTalks(t, {featureLevel: 489});

	expectSuccess(t, await adam.delete('/api/v1/users/3', 'actions=%7B%22delete_profile%22%3Atrue%7D'));

	const {json} = await alice.get('/api/v1/users/3');
	t.is(at(json, 'user', 'full_name'), 'Deleted user 3');
	t.false('is_deleted' in Object(at(json, 'user')));
});

test('a realm below feature level 459 does not know actions, and deletes nothing', async t => {
	const {adam, alice, ids} = await monaTalks(t, {featureLevel: 458});

	const {json} = await adam.delete('/api/v1/users/3', 'actions=%7B%22delete_direct_messages%22%3Atrue%7D');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['actions']);
	t.true(await isThere(alice, ids.direct));
});

test('a realm below feature level 135 sends no comment', async t => {
	const realm = await openRealm(t, {featureLevel: 134});
	const adam = await signIn(t, 'adam', realm);

	expectSuccess(t, await adam.delete('/api/v1/users/5', 'deactivation_notification_comment=Farewell'));
	expectSuccess(t, await adam.post('/api/v1/users/5/reactivate', ''));

	t.deepEqual(await noticesFor(await signIn(t, 'bob', realm)), []);
});

/** What the organization itself wrote to somebody. */
async function noticesFor(caller: Caller): Promise<unknown[]> {
	const narrow = '%5B%5B%22sender%22%2C%22notification-bot%40bothy.example%22%5D%5D';
	const path = `/api/v1/messages?anchor=newest&num_before=9&num_after=0&apply_markdown=false&narrow=${narrow}`;
	const messages = at((await caller.get(path)).json, 'messages');
	return Array.isArray(messages) ? messages.map(message => at(message, 'content')) : [];
}

for (const [form, notices] of [
	['', []],
	['deactivation_notification_comment=', ['Your account in Bothy was deactivated by @_**Adam Addo|2**.']],
	[
		'deactivation_notification_comment=Farewell%0AAdam',
		['Your account in Bothy was deactivated by @_**Adam Addo|2**.\n\n> Farewell\n> Adam'],
	],
	// Members may not mention the board, and nobody mentions it here.
	[
		'deactivation_notification_comment=Ask%0D%40*board*',
		['Your account in Bothy was deactivated by @_**Adam Addo|2**.\n\n> Ask\n> @*board*'],
	],
] as const) {
	test(`the realm lets a person find ${notices.length} notices for ${form || 'no comment'}`, async t => {
		const realm = await openRealm(t);
		const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];

		expectSuccess(t, await adam.delete('/api/v1/users/5', form));

		expectSuccess(t, await adam.post('/api/v1/users/5/reactivate', ''));
		t.deepEqual(await noticesFor(bob), [...notices]);
	});
}

test('a comment may have 2000 characters, whatever they are', async t => {
	const adam = await signIn(t, 'adam');
	const comment = encodeURIComponent('🍲'.repeat(2000));

	expectSuccess(t, await adam.delete('/api/v1/users/5', `deactivation_notification_comment=${comment}`));
});

for (const [form, text] of [
	[
		`deactivation_notification_comment=${'x'.repeat(2001)}`,
		'deactivation_notification_comment is too long (limit: 2000 characters)',
	],
	['actions=true', 'actions is not a dict'],
	['actions=delete', 'actions is not valid JSON'],
	['actions=%7B%22delete_profile%22%3A1%7D', 'actions["delete_profile"] is not a boolean'],
] as const) {
	test(`the realm refuses ${form.slice(0, 50)}, and deactivates nobody`, async t => {
		const realm = await openRealm(t);
		const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];

		expectRefusal(t, await adam.delete('/api/v1/users/5', form), badRequest(text));

		t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 200 OK');
	});
}

test('the realm looks whether there is somebody active to deactivate before it looks who asks', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	expectSuccess(t, await olivia.delete('/api/v1/users/5', ''));

	expectRefusal(t, await alice.delete('/api/v1/users/8', ''), badRequest('No such user'));
	expectRefusal(t, await alice.delete('/api/v1/users/5', ''), badRequest('User is deactivated'));
	expectRefusal(t, await alice.delete('/api/v1/users/1', ''), badRequest('Insufficient permission'));
});

test('the realm lets a bot deactivate people once it administers', async t => {
	const realm = await openRealm(t);
	const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.delete('/api/v1/users/5', ''), badRequest('Insufficient permission'));
	t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 200 OK');
	expectSuccess(t, await olivia.patch(`/api/v1/users/${bot.userId}`, 'role=200'));
	expectSuccess(t, await bot.delete('/api/v1/users/5', ''));
	t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
});

test('whoever knows the key of a bot hears that it goes with its owner, and of its return', async t => {
	const realm = await openRealm(t);
	const [adam, alice, bob] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	const bot = await makeBot(realm, alice);
	const [adams, bobs] = [await queueOf(adam, 'realm_bot'), await queueOf(bob, 'realm_bot')];

	expectSuccess(t, await adam.delete('/api/v1/users/4', 'actions=%7B%22delete_profile%22%3Atrue%7D'));
	expectSuccess(t, await adam.post(`/api/v1/users/${bot.userId}/reactivate`, ''));

	const change = (fields: object) => ({type: 'realm_bot', op: 'update', bot: {user_id: bot.userId, ...fields}});
	t.deepEqual(await adams(), [
		change({
			full_name: `Deleted user ${bot.userId}`,
			avatar_url: 'https://secure.gravatar.com/avatar/?d=mp&f=y',
			is_active: false,
		}),
		change({avatar_url: at((await adams())[1] ?? null, 'bot', 'avatar_url'), is_active: true}),
	]);
	t.deepEqual(await bobs(), []);
});

test('the realm refuses to deactivate nobody', async t => {
	const adam = await signIn(t, 'adam');

	expectRefusal(t, await adam.delete('/api/v1/users/99999', ''), badRequest('No such user'));
});
