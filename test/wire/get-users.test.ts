import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {getWithoutLogin, NOT_LOGGED_IN} from './without-login.js';

const MEMBERS = `[{"user_id":5,"email":"user5@chat.example.com","delivery_email":null,"full_name":"Iago",\
"avatar_url":null,"avatar_version":1,"date_joined":"2024-05-01T09:30+00:00","timezone":"","role":200,"is_active":true,\
"is_admin":true,"is_owner":false,"is_guest":false,"is_bot":false,"is_imported_stub":false,\
"profile_data":{"1":{"value":"+1-234","rendered_value":"<p>+1-234</p>"},"4":{"value":"vim"}}},\
{"user_id":6,"email":"echo-bot@chat.example.com","delivery_email":"echo-bot@chat.example.com","full_name":"Echo",\
"avatar_url":"https://chat.example.com/6.png","avatar_version":2,"date_joined":"2019-10-20T07:50:53.728864+00:00",\
"timezone":"Europe/Berlin","role":400,"is_active":false,"is_admin":false,"is_owner":false,"is_guest":false,\
"is_bot":true,"is_imported_stub":false,"bot_type":3,"bot_owner_id":5}]`;

test('the client asks for users with lists and booleans as JSON in the query', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","members":[]}\n');

	await client.getUsers({client_gravatar: false, include_custom_profile_fields: true, user_ids: [5, 6]});

	const request = await server.request();
	t.is(
		request.line,
		'GET /api/v1/users?client_gravatar=false&include_custom_profile_fields=true&user_ids=%5B5%2C6%5D HTTP/1.1',
	);
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client asks for all users without a query', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","members":[]}\n');

	await client.getUsers();

	t.is((await server.request()).line, 'GET /api/v1/users HTTP/1.1');
});

test('the client reads users and bots with every field', async t => {
	const {client} = await clientAnswered(t, `{"result":"success","msg":"","members":${MEMBERS}}\n`);

	const {members} = await client.getUsers();

	t.is(members[0]?.delivery_email, null);
	t.is(members[0]?.avatar_url, null);
	t.is(members[0]?.profile_data?.['1']?.rendered_value, '<p>+1-234</p>');
	t.is(members[1]?.bot_owner_id, 5);
	t.deepEqual<object, object>(members, JSON.parse(MEMBERS) as object);
});

test('the client throws an ApiError for bad credentials', async t => {
	const {client} = await clientRefused(
		t,
		'401 Unauthorized',
		'{"result":"error","msg":"Invalid API key","code":"UNAUTHORIZED"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUsers()), {
		code: 'UNAUTHORIZED',
		status: 401,
		reason: 'Invalid API key',
		fields: {},
	});
});

function userOf(json: Json, email: string): Json {
	const members = at(json, 'members');
	return (Array.isArray(members) && members.find(each => at(each, 'email') === email)) || null;
}

const human = {
	user_id: '<integer>',
	delivery_email: '<string>',
	date_joined: '<string>',
	timezone: '<string>',
	avatar_url: null,
	avatar_version: '<integer>',
	is_active: true,
	is_bot: false,
	is_imported_stub: false,
};
const VARYING = ['user_id', 'delivery_email', 'date_joined', 'timezone', 'avatar_version', 'bot_owner_id'];

for (const [name, fullName, role, rights] of [
	['olivia', 'Olivia Owens', 100, {is_owner: true, is_admin: true, is_guest: false}],
	['adam', 'Adam Addo', 200, {is_owner: false, is_admin: true, is_guest: false}],
	['mona', 'Mona Moss', 300, {is_owner: false, is_admin: false, is_guest: false}],
	['alice', 'Alice Ahn', 400, {is_owner: false, is_admin: false, is_guest: false}],
	['gus', 'Gus Gray', 600, {is_owner: false, is_admin: false, is_guest: true}],
] as const) {
	test(`the realm lists ${fullName} with role ${role} and without a bot's fields`, async t => {
		const answer = await (await signIn(t)).get('/api/v1/users');

		expectSuccess(t, answer);
		t.deepEqual(mask(userOf(answer.json, `${name}@bothy.example`), ...VARYING), {
			...human,
			email: `${name}@bothy.example`,
			full_name: fullName,
			role,
			...rights,
		});
	});
}

test('the realm lists a bot with its kind and owner', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const olivia = await signIn(t, 'olivia', realm);

	const {json} = await olivia.get('/api/v1/users');

	const found = userOf(json, bot.email);
	t.is(at(found, 'bot_owner_id'), olivia.userId);
	t.deepEqual(mask(found, ...VARYING), {
		...human,
		email: 'echo-bot@bothy.example',
		full_name: 'Echo',
		role: 400,
		is_owner: false,
		is_admin: false,
		is_guest: false,
		is_bot: true,
		bot_type: 3,
		bot_owner_id: '<integer>',
	});
});

test('the realm lists nothing beside the members', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users');

	t.deepEqual(Object.keys(json ?? {}), ['result', 'msg', 'members']);
});

test('the realm writes the day of joining in ISO 8601 to the minute', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users');

	t.regex(String(at(json, 'members', 0, 'date_joined')), /^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
});

test('the realm lists avatars as addresses when client_gravatar is false', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users?client_gravatar=false');

	t.regex(String(at(userOf(json, 'alice@bothy.example'), 'avatar_url')), /^https?:\/\//);
});

test('the realm gives the profile data of humans when asked', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users?include_custom_profile_fields=true');

	t.deepEqual(at(userOf(json, 'bob@bothy.example'), 'profile_data'), {
		1: {value: 'Second floor', rendered_value: '<p>Second floor</p>'},
		5: {value: 'https://bob.bothy.example/'},
		6: {value: '[3,4]'},
	});
	t.deepEqual(at(userOf(json, 'olivia@bothy.example'), 'profile_data'), {});
	t.false('profile_data' in Object(userOf(json, 'notification-bot@bothy.example')));
});

test('the realm gives just the users whose IDs were named', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get(`/api/v1/users?user_ids=%5B${alice.userId}%5D`);

	t.deepEqual(mask(json, ...VARYING), {
		result: 'success',
		msg: '',
		members: [
			{
				...human,
				email: 'alice@bothy.example',
				full_name: 'Alice Ahn',
				role: 400,
				is_owner: false,
				is_admin: false,
				is_guest: false,
			},
		],
	});
});

test('the realm names the parameters of a list of users that it does not know', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/users?colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('a realm below feature level 384 does not know user_ids', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 383}));

	const {json} = await alice.get(`/api/v1/users?user_ids=%5B${alice.userId}%5D`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['user_ids']);
	const members = at(json, 'members');
	t.true(Array.isArray(members) && members.length > 1);
});

test('a realm below feature level 167 does not name unknown parameters', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 166}));

	const {json} = await alice.get('/api/v1/users?colour=red');

	t.deepEqual(Object.keys(json ?? {}), ['result', 'msg', 'members']);
});

test('the realm lists everybody to whoever comes without login, and no address', async t => {
	const realm = await openRealm(t);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const answer = await getWithoutLogin(realm, '/api/v1/users?client_gravatar=false');

	expectSuccess(t, answer);
	const members = at(answer.json, 'members');
	t.deepEqual(
		(Array.isArray(members) ? members : []).map(each => [
			at(each, 'user_id'),
			at(each, 'email'),
			at(each, 'delivery_email'),
		]),
		Array.from({length: 21}, (_, index) => index + 1).map(id => [id, `user${id}@bothy.example`, null]),
	);
	t.is(at(members, 3, 'full_name'), 'Alice Ahn');
	t.false(/(olivia|alice|echo-bot)@/.test(answer.body));
});

test('the realm lists users to a browser without login, too', async t => {
	const realm = await openRealm(t);

	expectSuccess(t, await getWithoutLogin(realm, '/api/v1/users', ['Accept: text/html']));
});

test('the realm wants a login for the list of users where the organization has no public access', async t => {
	const realm = await openRealm(t, {publicAccess: false});
	const alice = await signIn(t, 'alice', realm);

	expectRefusal(t, await getWithoutLogin(realm, '/api/v1/users'), NOT_LOGGED_IN);
	expectSuccess(t, await alice.get('/api/v1/users'));
});

test('the realm refuses a wrong key also where it asks for none', async t => {
	const realm = await openRealm(t);
	const key = Buffer.from('alice@bothy.example:abcdefghijklmnopqrstuvwxyz012345').toString('base64');

	expectRefusal(t, await getWithoutLogin(realm, '/api/v1/users', [`Authorization: Basic ${key}`]), {
		status: '401 Unauthorized',
		json: {result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED'},
	});
});

const get = (query: string) => (caller: Caller) => caller.get(`/api/v1/users?${query}`);

test('user IDs that are an object', refused, {
	ask: get('user_ids=%7B%7D'),
	answer: badRequest('user_ids is not a list'),
});
test('user IDs that are no JSON', refused, {
	ask: get('user_ids=alice'),
	answer: badRequest('user_ids is not valid JSON'),
});
test('a word as first user ID', refused, {
	ask: get('user_ids=%5B%22a%22%5D'),
	answer: badRequest('user_ids[0] is not an integer'),
});
test('client_gravatar=True', refused, {
	ask: get('client_gravatar=True'),
	answer: badRequest('client_gravatar is not valid JSON'),
});
test('client_gravatar=1', refused, {
	ask: get('client_gravatar=1'),
	answer: badRequest('client_gravatar is not a boolean'),
});
