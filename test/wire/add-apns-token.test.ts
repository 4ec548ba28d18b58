import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/apns_device_token';

test('the client sends the APNs token as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.addApnsToken({token: 'c0ffee', appid: 'org.zulip.Zulip'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/apns_device_token HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'token=c0ffee&appid=org.zulip.Zulip');
});

test('the client throws an ApiError for an APNs token that is refused', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Empty or invalid length token","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.addApnsToken({token: '', appid: 'org.zulip.Zulip'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Empty or invalid length token',
		fields: {},
	});
});

test('the realm keeps an APNs token, once, so that it can be removed once', async t => {
	const alice = await signIn(t);

	const answer = await alice.post(PATH, 'token=c0ffee&appid=org.zulip.Zulip');
	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	expectSuccess(t, await alice.post(PATH, 'token=c0ffee&appid=org.zulip.Zulip'));

	expectSuccess(t, await alice.delete(PATH, 'token=c0ffee'));
	expectRefusal(t, await alice.delete(PATH, 'token=c0ffee'), badRequest('Token does not exist'));
});

test('an APNs token may have 4096 characters', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post(PATH, `token=${'a'.repeat(4096)}&appid=org.zulip.Zulip`));
});

test('an addition without APNs token', refused, {
	ask: alice => alice.post(PATH, 'appid=org.zulip.Zulip'),
	answer: missing('token'),
});
test('an empty APNs token', refused, {
	ask: alice => alice.post(PATH, 'token=&appid=org.zulip.Zulip'),
	answer: badRequest('Empty or invalid length token'),
});
test('an APNs token of 4097 characters', refused, {
	ask: alice => alice.post(PATH, `token=${'a'.repeat(4097)}&appid=org.zulip.Zulip`),
	answer: badRequest('Empty or invalid length token'),
});
test('an APNs token that is no hexadecimal number', refused, {
	ask: alice => alice.post(PATH, 'token=xyz&appid=org.zulip.Zulip'),
	answer: badRequest('Invalid APNS token'),
});
test('a token without app', refused, {ask: alice => alice.post(PATH, 'token=c0ffee'), answer: missing('appid')});

test('the realm refuses the APNs token of a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.post(PATH, 'token=c0ffee&appid=org.zulip.Zulip'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});
