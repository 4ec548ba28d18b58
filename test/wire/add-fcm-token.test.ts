import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/android_gcm_reg_id';

test('the client sends the FCM token as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.addFcmToken({token: 'android-token:1'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/android_gcm_reg_id HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'token=android-token%3A1');
});

test('the client throws an ApiError for an FCM token that is refused', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Empty or invalid length token","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.addFcmToken({token: ''})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Empty or invalid length token',
		fields: {},
	});
});

test('the realm keeps an FCM token, once, so that it can be removed once', async t => {
	const alice = await signIn(t);

	const answer = await alice.post(PATH, 'token=android-token%3A1');
	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	expectSuccess(t, await alice.post(PATH, 'token=android-token%3A1'));

	expectSuccess(t, await alice.delete(PATH, 'token=android-token%3A1'));
	expectRefusal(t, await alice.delete(PATH, 'token=android-token%3A1'), badRequest('Token does not exist'));
});

test('an FCM token may have 4096 characters', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post(PATH, `token=${'a'.repeat(4096)}`));
});

test('an addition without FCM token', refused, {ask: alice => alice.post(PATH, ''), answer: missing('token')});
test('an empty FCM token', refused, {
	ask: alice => alice.post(PATH, 'token='),
	answer: badRequest('Empty or invalid length token'),
});
test('an FCM token of 4097 characters', refused, {
	ask: alice => alice.post(PATH, `token=${'a'.repeat(4097)}`),
	answer: badRequest('Empty or invalid length token'),
});

test('the realm refuses the FCM token of a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.post(PATH, 'token=android-token%3A1'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});
