import test from 'ava';
import {clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	callerOf,
	expectRefusal,
	expectSuccess,
	mask,
	missing,
	openRealm,
	sendLines,
	signIn,
} from './raw-request.js';

const FETCHED =
	'{"result":"success","msg":"","api_key":"gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv","email":"iago@chat.example.com","user_id":5}\n';

test('the client sends email and password in a form, and reads key, email and user ID', async t => {
	const {client, server} = await clientAnswered(t, FETCHED);

	const fetched = await client.fetchApiKey({username: 'iago+1@chat.example.com', password: 'a b&c'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/fetch_api_key HTTP/1.1');
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, 'username=iago%2B1%40chat.example.com&password=a+b%26c');
	t.is(fetched.api_key, 'gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv');
	t.is(fetched.email, 'iago@chat.example.com');
	t.is(fetched.user_id, 5);
});

for (const [code, reason] of [
	['AUTHENTICATION_FAILED', 'Your username or password is incorrect'],
	['PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization'],
	['USER_DEACTIVATED', 'Account is deactivated'],
	['REALM_DEACTIVATED', 'This organization has been deactivated'],
] as const) {
	test(`the client throws an ApiError ${code}`, async t => {
		const {client} = await clientRefused(
			t,
			'401 Unauthorized',
			`{"result":"error","msg":"${reason}","code":"${code}"}\n`,
		);

		t.deepEqual(await refusalOf(t, client.fetchApiKey({username: 'x', password: 'y'})), {
			code,
			status: 401,
			reason,
			fields: {},
		});
	});
}

const fetchKey = (url: string, form: string, host = '127.0.0.1') =>
	sendLines(url, [
		'POST /api/v1/fetch_api_key HTTP/1.1',
		`Host: ${host}`,
		'Content-Type: application/x-www-form-urlencoded',
		`Content-Length: ${form.length}`,
		'Connection: close',
		'',
		form,
	]);

test('the realm gives the key of an account for the password, without login', async t => {
	const realm = await openRealm(t);

	const answer = await fetchKey(realm.url, 'username=Alice%40bothy.example&password=bothy');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'api_key', 'user_id'), {
		result: 'success',
		msg: '',
		api_key: '<string>',
		email: 'alice@bothy.example',
		user_id: '<integer>',
	});
	t.is(at(answer.json, 'api_key'), (await signIn(t, 'alice', realm)).key);
});

for (const form of [
	'username=alice%40bothy.example&password=x',
	'username=nobody%40bothy.example&password=bothy',
	// Bots have no password.
	'username=notification-bot%40bothy.example&password=bothy',
]) {
	test(`the realm gives no key for ${form}`, async t => {
		const answer = await fetchKey((await openRealm(t)).url, form);

		expectRefusal(t, answer, {
			status: '401 Unauthorized',
			json: {result: 'error', msg: 'Your username or password is incorrect', code: 'AUTHENTICATION_FAILED'},
		});
		t.is(answer.headers['www-authenticate'], 'Basic realm="zulip"');
	});
}

test('the realm gives no key of an account that is deactivated', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	await callerOf(realm.url, olivia).delete(`/api/v1/users/${alice.userId}`, '');

	expectRefusal(t, await fetchKey(realm.url, 'username=alice%40bothy.example&password=bothy'), {
		status: '401 Unauthorized',
		json: {result: 'error', msg: 'Account is deactivated', code: 'USER_DEACTIVATED'},
	});
});

test('the realm gives no key to a page elsewhere whose name points here', async t => {
	const {url} = await openRealm(t);

	const answer = await fetchKey(url, 'username=alice%40bothy.example&password=bothy', 'evil.example');

	t.is(answer.statusLine, 'HTTP/1.1 403 Forbidden');
});

test('the realm refuses to give a key without user name or password', async t => {
	const {url} = await openRealm(t);

	expectRefusal(t, await fetchKey(url, 'password=bothy'), missing('username'));
	expectRefusal(t, await fetchKey(url, 'username=alice%40bothy.example'), missing('password'));
});

test('the realm leaves the user ID out at feature level 170', async t => {
	const {url} = await openRealm(t, {featureLevel: 170});

	const answer = await fetchKey(url, 'username=alice%40bothy.example&password=bothy');

	t.deepEqual(mask(answer.json, 'api_key'), {
		result: 'success',
		msg: '',
		api_key: '<string>',
		email: 'alice@bothy.example',
	});
});
