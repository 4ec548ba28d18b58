import test from 'ava';
import {clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, expectRefusal, expectSuccess, mask, missing, openRealm, sendLines, signIn} from './raw-request.js';

const FETCHED =
	'{"result":"success","msg":"","api_key":"gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv","email":"iago@chat.example.com","user_id":5}\n';

test('the client asks for a key with the email in a form', async t => {
	const {client, server} = await clientAnswered(t, FETCHED);

	await client.devFetchApiKey({username: 'iago+1@chat.example.com'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/dev_fetch_api_key HTTP/1.1');
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, 'username=iago%2B1%40chat.example.com');
});

test('the client reads key, email and user ID', async t => {
	const {client} = await clientAnswered(t, FETCHED);

	const fetched = await client.devFetchApiKey({username: 'iago@chat.example.com'});

	t.is(fetched.api_key, 'gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv');
	t.is(fetched.email, 'iago@chat.example.com');
	t.is(fetched.user_id, 5);
});

test('the client throws an ApiError for an unknown account', async t => {
	const {client} = await clientRefused(
		t,
		'401 Unauthorized',
		'{"result":"error","msg":"Your username or password is incorrect","code":"AUTHENTICATION_FAILED"}\n',
	);

	t.deepEqual(await refusalOf(t, client.devFetchApiKey({username: 'x'})), {
		code: 'AUTHENTICATION_FAILED',
		status: 401,
		reason: 'Your username or password is incorrect',
		fields: {},
	});
});

const fetchKey = (url: string, form: string) =>
	sendLines(url, [
		'POST /api/v1/dev_fetch_api_key HTTP/1.1',
		'Host: 127.0.0.1',
		'Content-Type: application/x-www-form-urlencoded',
		`Content-Length: ${form.length}`,
		'Connection: close',
		'',
		form,
	]);

test('the realm gives the key of an account, 32 letters and digits, without login', async t => {
	const {url} = await openRealm(t);

	const answer = await fetchKey(url, 'username=alice%40bothy.example');

	expectSuccess(t, answer);
	t.regex(String(at(answer.json, 'api_key')), /^[A-Za-z0-9]{32}$/);
	t.deepEqual(mask(answer.json, 'api_key', 'user_id'), {
		result: 'success',
		msg: '',
		api_key: '<string>',
		email: 'alice@bothy.example',
		user_id: '<integer>',
	});
});

test('the realm gives the same key each time, and another to each account', async t => {
	const {url} = await openRealm(t);

	const [first, again, other] = [
		await fetchKey(url, 'username=alice%40bothy.example'),
		await fetchKey(url, 'username=alice%40bothy.example'),
		await fetchKey(url, 'username=bob%40bothy.example'),
	];

	t.is(at(first.json, 'api_key'), at(again.json, 'api_key'));
	t.not(at(first.json, 'api_key'), at(other.json, 'api_key'));
});

test('the realm refuses the key of an unknown account with 401', async t => {
	const {url} = await openRealm(t);

	const answer = await fetchKey(url, 'username=nobody%40bothy.example');

	expectRefusal(t, answer, {
		status: '401 Unauthorized',
		json: {result: 'error', msg: String(at(answer.json, 'msg')), code: 'AUTHENTICATION_FAILED'},
	});
	t.is(answer.headers['www-authenticate'], 'Basic realm="zulip"');
});

test('the realm refuses the key of a deactivated account with 401', async t => {
	const realm = await openRealm(t);
	const [olivia, carla] = [await signIn(t, 'olivia', realm), await signIn(t, 'carla', realm)];
	await olivia.delete(`/api/v1/users/${carla.userId}`, '');

	expectRefusal(t, await fetchKey(realm.url, 'username=carla%40bothy.example'), {
		status: '401 Unauthorized',
		json: {result: 'error', msg: 'Account is deactivated', code: 'USER_DEACTIVATED'},
	});
});

test('the realm takes the email in any case', async t => {
	const {url} = await openRealm(t);

	t.is(at((await fetchKey(url, 'username=ALICE%40Bothy.example')).json, 'email'), 'alice@bothy.example');
});

test('the realm gives no key under another host name', async t => {
	const {url} = await openRealm(t);
	const form = 'username=alice%40bothy.example';

	const answer = await sendLines(url, [
		'POST /api/v1/dev_fetch_api_key HTTP/1.1',
		'Host: evil.example',
		'Content-Type: application/x-www-form-urlencoded',
		`Content-Length: ${form.length}`,
		'Connection: close',
		'',
		form,
	]);

	t.is(answer.statusLine, 'HTTP/1.1 403 Forbidden');
	t.is(at(answer.json, 'code'), 'BAD_REQUEST');
});

test('the realm refuses to give a key without a user name', async t => {
	const {url} = await openRealm(t);

	expectRefusal(t, await fetchKey(url, ''), missing('username'));
});
