import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PRESENCE =
	'{"aggregated":{"timestamp":1532697622,"status":"active"},"website":{"timestamp":1532697622,"status":"active"}}';

test('the client asks for a presence by ID and by email', async t => {
	const byId = await clientAnswered(t, `{"result":"success","msg":"","presence":${PRESENCE}}\n`);
	const byEmail = await clientAnswered(t, `{"result":"success","msg":"","presence":${PRESENCE}}\n`);

	await byId.client.getUserPresence({user_id_or_email: 12});
	await byEmail.client.getUserPresence({user_id_or_email: 'iago@chat.example.com'});

	const request = await byId.server.request();
	t.is(request.line, 'GET /api/v1/users/12/presence HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
	t.is((await byEmail.server.request()).line, 'GET /api/v1/users/iago%40chat.example.com/presence HTTP/1.1');
});

test('the client reads a presence, also one with fields of a newer server', async t => {
	const presence = `${PRESENCE.slice(0, -1)},"active_timestamp":1532697622,"idle_timestamp":1532697622}`;
	const {client} = await clientAnswered(
		t,
		`{"result":"success","msg":"","presence":${presence},"server_timestamp":1532697630.5}\n`,
	);

	const answer = await client.getUserPresence({user_id_or_email: 12});

	t.deepEqual<object, object>(answer.presence, JSON.parse(presence) as object);
	t.is(answer.server_timestamp, 1532697630.5);
});

test('the client throws an ApiError for the presence of a bot', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Presence is not supported for bot users.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUserPresence({user_id_or_email: 5})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Presence is not supported for bot users.',
		fields: {},
	});
});

for (const by of ['ID', 'email'] as const) {
	test(`the realm gives a user's presence by ${by}`, async t => {
		const realm = await openRealm(t);
		const [alice, gus] = await Promise.all([signIn(t, 'alice', realm), signIn(t, 'gus', realm)]);
		await alice.post('/api/v1/users/me/presence', 'status=active&ping_only=true');

		const name = by === 'ID' ? String(alice.userId) : 'ALICE%40bothy.example';
		const answer = await gus.get(`/api/v1/users/${name}/presence`);

		expectSuccess(t, answer);
		t.deepEqual(mask(answer.json, 'timestamp'), {
			result: 'success',
			msg: '',
			presence: {
				aggregated: {status: 'active', timestamp: '<integer>'},
				website: {status: 'active', timestamp: '<integer>'},
			},
		});
	});
}

test('a bot may ask, and who was away for more than 200 seconds is offline in sum', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	await alice.post('/api/v1/users/me/presence', 'status=active&ping_only=true');
	const ask = async () => at((await bot.get(`/api/v1/users/${alice.userId}/presence`)).json, 'presence');

	await advanceClock(realm, 190_000);
	t.is(at(await ask(), 'aggregated', 'status'), 'active');
	await advanceClock(realm, 15_000);
	t.is(at(await ask(), 'aggregated', 'status'), 'offline');
	t.is(at(await ask(), 'website', 'status'), 'active');
});

test('the realm has no presence for a bot', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const alice = await signIn(t, 'alice', realm);

	const answer = await alice.get(`/api/v1/users/${bot.userId}/presence`);

	expectRefusal(t, answer, badRequest('Presence is not supported for bot users.'));
});

const get = (name: string) => (caller: Caller) => caller.get(`/api/v1/users/${name}/presence`);

test('the presence of an unknown ID', refused, {ask: get('99999'), answer: badRequest('No such user')});
test('the presence of an unknown email', refused, {
	ask: get('nobody%40bothy.example'),
	answer: badRequest('No such user'),
});
test('the presence of somebody who was never here', refused, {
	ask: get('gus%40bothy.example'),
	answer: badRequest('No presence data for gus@bothy.example'),
});
