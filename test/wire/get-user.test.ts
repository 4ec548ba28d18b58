import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client names the user in the path and asks in the query', async t => {
	const {client, server} = await clientAnswered(
		t,
		`{"result":"success","msg":"","user":{"user_id":7,"email":"user7@chat.example.com","delivery_email":null,\
"full_name":"Ann","avatar_url":null,"avatar_version":1,"date_joined":"2024-05-01T09:30+00:00","timezone":"","role":400,\
"is_active":true,"is_admin":false,"is_owner":false,"is_guest":false,"is_bot":false,"is_deleted":true,\
"profile_data":{"3":{"value":"vim"}}}}\n`,
	);

	const {user} = await client.getUser({user_id: 7, client_gravatar: false, include_custom_profile_fields: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/7?client_gravatar=false&include_custom_profile_fields=true HTTP/1.1');
	t.is(request.body, '');
	t.is(user.is_deleted, true);
	t.is(user.profile_data?.['3']?.value, 'vim');
});

test('the realm gives one user with every field, and nothing beside', async t => {
	const alice = await signIn(t);

	const answer = await alice.get('/api/v1/users/2');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {
		result: 'success',
		msg: '',
		user: {
			user_id: 2,
			email: 'adam@bothy.example',
			delivery_email: 'adam@bothy.example',
			full_name: 'Adam Addo',
			date_joined: at(answer.json, 'user', 'date_joined'),
			is_active: true,
			is_owner: false,
			is_admin: true,
			is_guest: false,
			is_bot: false,
			role: 200,
			timezone: '',
			avatar_url: null,
			avatar_version: 1,
			is_imported_stub: false,
		},
	});
	t.regex(String(at(answer.json, 'user', 'date_joined')), /^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
});

test('the realm gives avatar and profile of a user when asked', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get('/api/v1/users/4?client_gravatar=false&include_custom_profile_fields=true');

	t.regex(String(at(json, 'user', 'avatar_url')), /^https:\/\//);
	t.deepEqual(at(json, 'user', 'profile_data'), {
		1: {value: 'By the *window*', rendered_value: '<p>By the <em>window</em></p>'},
		2: {value: 'Bakes. Ask about **rye**.', rendered_value: '<p>Bakes. Ask about <strong>rye</strong>.</p>'},
		9: {value: '0004', rendered_value: '<p>0004</p>'},
	});
});

test('the realm gives no profile of a bot', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const alice = await signIn(t, 'alice', realm);

	const {json} = await alice.get(`/api/v1/users/${bot.userId}?include_custom_profile_fields=true`);

	t.is(at(json, 'user', 'bot_type'), 3);
	t.false('profile_data' in Object(at(json, 'user')));
});

const get = (path: string) => (caller: Caller) => caller.get(`/api/v1/users/${path}`);

test('a user who does not exist', refused, {ask: get('99999'), answer: badRequest('No such user')});
test('a client_gravatar that is no boolean for a user', refused, {
	ask: get('4?client_gravatar=1'),
	answer: badRequest('client_gravatar is not a boolean'),
});
test('an include_custom_profile_fields that is no JSON for a user', refused, {
	ask: get('4?include_custom_profile_fields=yes'),
	answer: badRequest('include_custom_profile_fields is not valid JSON'),
});
