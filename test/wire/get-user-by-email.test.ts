import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client names the address in the path and asks in the query', async t => {
	const {client, server} = await clientAnswered(
		t,
		`{"result":"success","msg":"","user":{"user_id":7,"email":"ann@chat.example.com","full_name":"Ann",\
"avatar_url":"https://chat.example.com/7.png","date_joined":"2024-05-01T09:30+00:00","timezone":"","role":400,\
"is_active":true,"is_admin":false,"is_owner":false,"is_guest":false,"is_bot":false}}\n`,
	);

	const {user} = await client.getUserByEmail({
		email: 'ann@chat.example.com',
		client_gravatar: false,
		include_custom_profile_fields: true,
	});

	t.is(
		(await server.request()).line,
		'GET /api/v1/users/ann%40chat.example.com?client_gravatar=false&include_custom_profile_fields=true HTTP/1.1',
	);
	t.is(user.user_id, 7);
});

for (const address of ['bob%40bothy.example', 'BOB%40Bothy.example', 'user5%40bothy.example', 'bob@bothy.example']) {
	test(`the realm finds Bob by ${address}`, async t => {
		const alice = await signIn(t);

		const {json} = await alice.get(`/api/v1/users/${address}`);

		t.deepEqual(Object.keys(json ?? {}), ['result', 'msg', 'user']);
		t.is(at(json, 'user', 'user_id'), 5);
		t.is(at(json, 'user', 'email'), 'bob@bothy.example');
		t.is(at(json, 'user', 'avatar_url'), null);
		t.false('profile_data' in Object(at(json, 'user')));
	});
}

test('the realm gives avatar and profile of whoever has an address when asked', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get(
		'/api/v1/users/carla%40bothy.example?client_gravatar=false&include_custom_profile_fields=true',
	);

	t.regex(String(at(json, 'user', 'avatar_url')), /^https:\/\//);
	t.deepEqual(at(json, 'user', 'profile_data'), {3: {value: '0'}});
});

test('the realm still gives the account that asks at /users/me', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get('/api/v1/users/me');

	t.is(at(json, 'user_id'), 4);
});

test('a realm below feature level 39 finds nobody by address', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 38}));

	t.is((await alice.get('/api/v1/users/bob%40bothy.example')).statusLine, 'HTTP/1.1 404 Not Found');
});

const get = (path: string) => (caller: Caller) => caller.get(`/api/v1/users/${path}`);

test('to look up an address that nobody has', refused, {
	ask: get('x%40bothy.example'),
	answer: badRequest('No such user'),
});
test('a placeholder address of nobody', refused, {
	ask: get('user99999%40bothy.example'),
	answer: badRequest('No such user'),
});
test('a placeholder address of elsewhere', refused, {
	ask: get('user5%40elsewhere.example'),
	answer: badRequest('No such user'),
});
