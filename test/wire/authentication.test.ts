import test from 'ava';
import {at, expectRefusal, expectSuccess, type Json, openRealm, sendLines, signIn} from './raw-request.js';

function unauthorized(msg: string): {status: string; json: Json} {
	return {status: '401 Unauthorized', json: {result: 'error', msg, code: 'UNAUTHORIZED'}};
}

for (const line of [
	'POST /api/v1/messages HTTP/1.1',
	'GET /api/v1/messages/1 HTTP/1.1',
	'GET /api/v1/messages?anchor=newest HTTP/1.1',
	'GET /api/v1/users HTTP/1.1',
	'GET /api/v1/users/me HTTP/1.1',
	'GET /api/v1/streams HTTP/1.1',
	'GET /api/v1/users/me/1/topics HTTP/1.1',
	'POST /api/v1/register HTTP/1.1',
	'GET /api/v1/events HTTP/1.1',
	'DELETE /api/v1/events HTTP/1.1',
]) {
	test(`the realm refuses ${line.replace(' HTTP/1.1', '')} without login before it looks at parameters`, async t => {
		const {url} = await openRealm(t, {publicAccess: false});

		const answer = await sendLines(url, [line, 'Host: 127.0.0.1', 'Content-Length: 0', 'Connection: close', '', '']);

		expectRefusal(t, answer, unauthorized('Not logged in: API authentication or user session required'));
		t.is(answer.headers['www-authenticate'], 'Basic realm="zulip"');
	});
}

const get = (url: string, ...headers: readonly string[]) =>
	sendLines(url, ['GET /api/v1/users/me HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', ...headers, '', '']);

const basic = (credentials: string) => `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;

const refusedCredentials = test.macro({
	title: (title = '') => `the realm refuses ${title} with 401`,
	async exec(t, header: string, msg: string) {
		const {url} = await openRealm(t);

		const answer = await get(url, header);

		expectRefusal(t, answer, unauthorized(msg));
		t.is(answer.headers['www-authenticate'], 'Basic realm="zulip"');
	},
});

test('broken base64', refusedCredentials, 'Authorization: Basic §§§', 'Invalid authorization header for basic auth');
test(
	'credentials without colon',
	refusedCredentials,
	'Authorization: Basic bm9jb2xvbg==',
	'Invalid authorization header for basic auth',
);
test(
	'credentials with two colons',
	refusedCredentials,
	'Authorization: Basic YTpiOmM=',
	'Invalid authorization header for basic auth',
);
test('a short key', refusedCredentials, basic('alice@bothy.example:abc'), 'Malformed API key');
test(
	'a key with other characters',
	refusedCredentials,
	basic('alice@bothy.example:abcdefghijklmnopqrstuvwxyz01234-'),
	'Malformed API key',
);
test(
	'an unknown key',
	refusedCredentials,
	basic('alice@bothy.example:abcdefghijklmnopqrstuvwxyz012345'),
	'Invalid API key',
);
test(
	'an unknown email',
	refusedCredentials,
	basic('nobody@bothy.example:abcdefghijklmnopqrstuvwxyz012345'),
	'Invalid API key',
);

test("the realm refuses one account's key with another's email", async t => {
	const realm = await openRealm(t);
	const {key} = await signIn(t, 'alice', realm);

	const answer = await get(realm.url, basic(`bob@bothy.example:${key}`));

	expectRefusal(t, answer, unauthorized('Invalid API key'));
});

test('the realm refuses a scheme that is not Basic with 400', async t => {
	const {url} = await openRealm(t);

	expectRefusal(t, await get(url, 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345'), {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'This endpoint requires HTTP basic authentication.', code: 'BAD_REQUEST'},
	});
});

test('the realm sends a browser that is not logged in elsewhere', async t => {
	const {url} = await openRealm(t);

	const answer = await get(url, 'Accept: text/html,application/xhtml+xml,*/*;q=0.8');

	t.is(answer.statusLine, 'HTTP/1.1 302 Found');
	t.truthy(answer.headers.location);
});

for (const [form, header] of [
	['in another case', (key: string) => basic(`ALICE@Bothy.Example:${key}`)],
	['with spaces around email and key', (key: string) => basic(` alice@bothy.example : ${key} `)],
	['with the scheme in capitals', (key: string) => basic(`alice@bothy.example:${key}`).replace('Basic', 'BASIC')],
] as const) {
	test(`the realm takes credentials ${form}`, async t => {
		const realm = await openRealm(t);
		const {key} = await signIn(t, 'alice', realm);

		const answer = await get(realm.url, header(key));

		expectSuccess(t, answer);
		t.is(at(answer.json, 'email'), 'alice@bothy.example');
	});
}

test("the realm takes a bot's email and key", async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const answer = await get(realm.url, basic(`${bot.email}:${bot.key}`));

	expectSuccess(t, answer);
	t.is(bot.email, 'echo-bot@bothy.example');
	t.regex(bot.key, /^[A-Za-z0-9]{32}$/);
});
