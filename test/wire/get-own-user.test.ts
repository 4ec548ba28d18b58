import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, callerOf, expectSuccess, type Json, mask, openRealm, signIn} from './raw-request.js';

const ME = `{"result":"success","msg":"","user_id":6,"email":"echo-bot@chat.example.com",\
"delivery_email":"echo-bot@chat.example.com","full_name":"Echo","avatar_url":"https://chat.example.com/6.png",\
"avatar_version":1,"date_joined":"2024-05-01T09:30+00:00","timezone":"","role":400,"is_active":true,"is_admin":false,\
"is_owner":false,"is_guest":false,"is_bot":true,"is_imported_stub":false,"bot_type":3,"bot_owner_id":5,\
"max_message_id":30}\n`;

test('the client asks for its own account', async t => {
	const {client, server} = await clientAnswered(t, ME);

	await client.getOwnUser();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/me HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads its own account at top level', async t => {
	const {client} = await clientAnswered(t, ME);

	const me = await client.getOwnUser();

	t.is(me.user_id, 6);
	t.is(me.email, 'echo-bot@chat.example.com');
	t.is(me.full_name, 'Echo');
	t.is(me.role, 400);
	t.true(me.is_bot);
	t.is(me.bot_type, 3);
	t.is(me.bot_owner_id, 5);
	t.is(me.max_message_id, 30);
});

test('the client reads a human, whose kind of bot may be null', async t => {
	const body = ME.replace('"is_bot":true', '"is_bot":false').replace(
		'"bot_type":3,"bot_owner_id":5',
		'"bot_type":null,"profile_data":{}',
	);
	const {client} = await clientAnswered(t, body);

	t.is((await client.getOwnUser()).bot_type, null);
});

test('the client throws an ApiError for a deactivated account', async t => {
	const {client} = await clientRefused(
		t,
		'401 Unauthorized',
		'{"result":"error","msg":"Account is deactivated","code":"USER_DEACTIVATED"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getOwnUser()), {
		code: 'USER_DEACTIVATED',
		status: 401,
		reason: 'Account is deactivated',
		fields: {},
	});
});

const VARYING = ['user_id', 'date_joined', 'timezone', 'avatar_version', 'bot_owner_id', 'max_message_id'];
const common = {
	result: 'success',
	msg: '',
	user_id: '<integer>',
	date_joined: '<string>',
	timezone: '<string>',
	avatar_version: '<integer>',
	role: 400,
	is_active: true,
	is_admin: false,
	is_owner: false,
	is_guest: false,
	is_imported_stub: false,
	max_message_id: '<integer>',
};

/** Facts leave open whether profile data comes unasked, and which form the avatar has here. */
function withoutOpenFields(json: Json): Json {
	return Object.fromEntries(
		Object.entries(json ?? {}).filter(([key]) => key !== 'profile_data' && key !== 'avatar_url'),
	);
}

test('the realm gives a human its own account at top level', async t => {
	const alice = await signIn(t);

	const answer = await alice.get('/api/v1/users/me');

	expectSuccess(t, answer);
	t.is(at(answer.json, 'user_id'), alice.userId);
	t.deepEqual(mask(withoutOpenFields(answer.json), ...VARYING), {
		...common,
		email: 'alice@bothy.example',
		delivery_email: 'alice@bothy.example',
		full_name: 'Alice Ahn',
		is_bot: false,
	});
});

test('the realm gives a bot its own account with kind and owner', async t => {
	const realm = await openRealm(t);
	const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const answer = await callerOf(realm.url, account).get('/api/v1/users/me');

	expectSuccess(t, answer);
	t.is(at(answer.json, 'user_id'), account.userId);
	t.deepEqual(mask(withoutOpenFields(answer.json), ...VARYING), {
		...common,
		email: 'echo-bot@bothy.example',
		delivery_email: 'echo-bot@bothy.example',
		full_name: 'Echo',
		is_bot: true,
		bot_type: 3,
		bot_owner_id: '<integer>',
	});
});

test('the realm says with the own account which message is the newest', async t => {
	const alice = await signIn(t);
	const sent = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x');

	const {json} = await alice.get('/api/v1/users/me');

	t.is(at(json, 'max_message_id'), at(sent.json, 'id'));
});

test('the realm names the parameters of the own account that it does not know', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users/me?colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});
