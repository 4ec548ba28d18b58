import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/android_gcm_reg_id';

test('the client sends the FCM token to remove as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.removeFcmToken({token: 'android-token:1'});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/users/me/android_gcm_reg_id HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'token=android-token%3A1');
});

test('the client throws an ApiError for an FCM token that it cannot remove', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Token does not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.removeFcmToken({token: 'android-token:1'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Token does not exist',
		fields: {},
	});
});

test("the realm removes the caller's FCM token and nobody else's", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post(PATH, 'token=android-token%3A1');

	expectRefusal(t, await bob.delete(PATH, 'token=android-token%3A1'), badRequest('Token does not exist'));
	const answer = await alice.delete(PATH, 'token=android-token%3A1');
	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	expectRefusal(t, await alice.delete(PATH, 'token=android-token%3A1'), badRequest('Token does not exist'));
});

test('the token in another case', refused, {
	async ask(alice) {
		await alice.post(PATH, 'token=android-token%3A1');
		return alice.delete(PATH, 'token=Android-token%3A1');
	},
	answer: badRequest('Token does not exist'),
});

test('a removal without FCM token', refused, {ask: alice => alice.delete(PATH, ''), answer: missing('token')});
test('an empty FCM token to remove', refused, {
	ask: alice => alice.delete(PATH, 'token='),
	answer: badRequest('Empty or invalid length token'),
});
test('an FCM token of 4097 characters to remove', refused, {
	ask: alice => alice.delete(PATH, `token=${'a'.repeat(4097)}`),
	answer: badRequest('Empty or invalid length token'),
});

test('the realm refuses the removal of an FCM token by a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.delete(PATH, 'token=android-token%3A1'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});
