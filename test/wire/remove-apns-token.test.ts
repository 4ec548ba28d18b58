import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/apns_device_token';

test('the client sends the APNs token to remove as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.removeApnsToken({token: 'c0ffee'});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/users/me/apns_device_token HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'token=c0ffee');
});

test('the client throws an ApiError for an APNs token that it cannot remove', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Token does not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.removeApnsToken({token: 'c0ffee'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Token does not exist',
		fields: {},
	});
});

test("the realm removes the caller's APNs token and nobody else's", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post(PATH, 'token=c0ffee&appid=org.zulip.Zulip');

	expectRefusal(t, await bob.delete(PATH, 'token=c0ffee'), badRequest('Token does not exist'));
	const answer = await alice.delete(PATH, 'token=c0ffee');
	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	expectRefusal(t, await alice.delete(PATH, 'token=c0ffee'), badRequest('Token does not exist'));
});

test('the realm compares tokens of Apple devices in either case', async t => {
	const alice = await signIn(t);
	await alice.post(PATH, 'token=C0FFEE&appid=org.zulip.Zulip');

	expectSuccess(t, await alice.delete(PATH, 'token=c0ffee'));
});

test('the token of a device of another kind', refused, {
	async ask(alice) {
		await alice.post('/api/v1/users/me/android_gcm_reg_id', 'token=c0ffee');
		return alice.delete(PATH, 'token=c0ffee');
	},
	answer: badRequest('Token does not exist'),
});

test('a removal without APNs token', refused, {ask: alice => alice.delete(PATH, ''), answer: missing('token')});
test('an empty APNs token to remove', refused, {
	ask: alice => alice.delete(PATH, 'token='),
	answer: badRequest('Empty or invalid length token'),
});
test('an APNs token of 4097 characters to remove', refused, {
	ask: alice => alice.delete(PATH, `token=${'a'.repeat(4097)}`),
	answer: badRequest('Empty or invalid length token'),
});
test('an APNs token to remove that is no hexadecimal number', refused, {
	ask: alice => alice.delete(PATH, 'token=xyz'),
	answer: badRequest('Invalid APNS token'),
});

test('the realm refuses the removal of an APNs token by a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.delete(PATH, 'token=c0ffee'), badRequest('This endpoint does not accept bot requests.'));
});
