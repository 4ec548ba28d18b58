import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import Database from 'libsql';
import {at, callerOf, expectRefusal, expectSuccess, type Json, openRealm, sendLines, signIn} from './raw-request.js';

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

test('the realm refuses an account that is deactivated', async t => {
	const realm = await openRealm(t);
	const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];
	expectSuccess(t, await olivia.delete(`/api/v1/users/${bob.userId}`, ''));

	expectRefusal(t, await get(realm.url, bob.authorization), unauthorized('Account is deactivated'));
	expectRefusal(t, await bob.post('/api/v1/messages', ''), unauthorized('Account is deactivated'));
});

/** Posts JSON to where trouble is asked for. */
const trouble = (url: string, path: string, body: string) =>
	sendLines(url, [
		`POST /trouble${path} HTTP/1.1`,
		'Host: 127.0.0.1',
		'Content-Type: application/json',
		`Content-Length: ${body.length}`,
		'Connection: close',
		'',
		body,
	]);

test('the realm refuses everybody while the organization is deactivated', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const form = 'username=alice%40bothy.example';

	await trouble(realm.url, '/organization', '{"deactivated":true}');
	const refused = await alice.get('/api/v1/users/me');
	const signedIn = await alice.post('/api/v1/dev_fetch_api_key', form);
	const settings = await alice.get('/api/v1/server_settings');
	await trouble(realm.url, '/organization', '{"deactivated":false}');
	const later = await alice.get('/api/v1/users/me');

	expectRefusal(t, refused, unauthorized('This organization has been deactivated'));
	t.is(refused.headers['www-authenticate'], 'Basic realm="zulip"');
	expectRefusal(t, signedIn, {
		status: '401 Unauthorized',
		json: {result: 'error', msg: 'This organization has been deactivated', code: 'REALM_DEACTIVATED'},
	});
	expectSuccess(t, settings);
	expectSuccess(t, later);
});

test('the realm refuses an account on the host of another organization', async t => {
	const realm = await openRealm(t);
	const {authorization} = await signIn(t, 'alice', realm);
	const ask = (host: string) =>
		sendLines(realm.url, [
			'GET /api/v1/users/me HTTP/1.1',
			`Host: ${host}`,
			authorization,
			'Connection: close',
			'',
			'',
		]);

	expectRefusal(
		t,
		await ask(`other.localhost:${realm.port}`),
		unauthorized('Account is not associated with this subdomain'),
	);
	expectSuccess(t, await ask(`localhost:${realm.port}`));
});

test('the realm lets an incoming-webhook bot send messages and nothing else', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bots-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const realm = await openRealm(t, {file});
	const bot = realm.ensureBot({name: 'hook', fullName: 'Hook', payloadUrl: 'http://127.0.0.1:9/'});
	const database = new Database(file);
	database.prepare('UPDATE accounts SET bot_type = 2 WHERE id = ?').run(bot.userId);
	database.close();
	const hook = callerOf(realm.url, bot);
	const refusal = unauthorized('This API is not available to incoming webhook bots.');

	for (const path of ['/users/me', '/messages?anchor=newest', '/events', '/streams']) {
		const answer = await hook.get(`/api/v1${path}`);
		expectRefusal(t, answer, refusal);
		t.is(answer.headers['www-authenticate'], 'Basic realm="zulip"');
	}

	expectRefusal(t, await hook.post('/api/v1/register', ''), refusal);
	expectSuccess(t, await hook.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x'));
});
