import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectRefusal, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client asks for a status and reads it', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","status":{"status_text":"on vacation","emoji_name":"car","emoji_code":"1f697",' +
			'"reaction_type":"unicode_emoji","away":true}}\n',
	);

	const {status} = await client.getUserStatus({user_id: 10});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/10/status HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.deepEqual(status, {
		status_text: 'on vacation',
		away: true,
		emoji_name: 'car',
		emoji_code: '1f697',
		reaction_type: 'unicode_emoji',
	});
});

test('the client throws an ApiError for nobody', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"No such user","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUserStatus({user_id: 10})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'No such user',
		fields: {},
	});
});

test('the realm gives a status, and an empty one where nothing was said', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];

	t.is((await gus.get('/api/v1/users/4/status')).body, '{"result":"success","msg":"","status":{}}\n');
	await alice.post('/api/v1/users/me/status', 'status_text=here&emoji_name=%2B1');
	t.is(
		(await gus.get('/api/v1/users/4/status')).body,
		'{"result":"success","msg":"","status":{"status_text":"here","emoji_name":"+1","emoji_code":"1f44d",' +
			'"reaction_type":"unicode_emoji"}}\n',
	);
});

test('the realm refuses the status of whoever is deactivated', async t => {
	const realm = await openRealm(t);
	const [adam, gus] = [await signIn(t, 'adam', realm), await signIn(t, 'gus', realm)];
	await adam.delete('/api/v1/users/4', '');

	expectRefusal(t, await gus.get('/api/v1/users/4/status'), badRequest('User is deactivated'));
});

test('a realm below feature level 262 has no such call', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 261}));

	const {statusLine, json} = await alice.get('/api/v1/users/4/status');

	t.is(statusLine, 'HTTP/1.1 404 Not Found');
	t.is(at(json, 'result'), 'error');
});

test('the status of a bot', refused, {
	ask: alice => alice.get('/api/v1/users/8/status'),
	answer: badRequest('No such user'),
});
test('the status of an unknown ID', refused, {
	ask: alice => alice.get('/api/v1/users/999/status'),
	answer: badRequest('No such user'),
});
