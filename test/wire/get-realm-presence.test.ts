import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {callerOf, expectSuccess, mask, openRealm, signIn} from './raw-request.js';

const PRESENCES =
	'{"iago@chat.example.com":{"website":{"client":"website","pushable":false,"status":"active","timestamp":1656958485},' +
	'"aggregated":{"client":"website","status":"active","timestamp":1656958485}}}';

test("the client asks for everybody's presence and reads it", async t => {
	const {client, server} = await clientAnswered(
		t,
		`{"result":"success","msg":"","server_timestamp":1656958539.6287155,"presences":${PRESENCES}}\n`,
	);

	const answer = await client.getRealmPresence();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/realm/presence HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
	t.is(answer.server_timestamp, 1656958539.6287155);
	t.deepEqual<object, object>(answer.presences, JSON.parse(PRESENCES) as object);
});

test('the client throws an ApiError for the presence of all with bad credentials', async t => {
	const {client} = await clientRefused(
		t,
		'401 Unauthorized',
		'{"result":"error","msg":"Invalid API key","code":"UNAUTHORIZED"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getRealmPresence()), {
		code: 'UNAUTHORIZED',
		status: 401,
		reason: 'Invalid API key',
		fields: {},
	});
});

test("the realm gives everybody's presence by email, to a bot too", async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	await alice.post('/api/v1/users/me/presence', 'status=active&ping_only=true');

	const answer = await bot.get('/api/v1/realm/presence');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'timestamp', 'server_timestamp'), {
		result: 'success',
		msg: '',
		presences: {
			'alice@bothy.example': {
				aggregated: {client: 'website', status: 'active', timestamp: '<integer>'},
				website: {client: 'website', status: 'active', timestamp: '<integer>', pushable: false},
			},
		},
		server_timestamp: '<number>',
	});
});
