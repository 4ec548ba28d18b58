import test from 'ava';
import {
	at,
	badRequest,
	callerOf,
	expectRefusal,
	expectSuccess,
	NOT_LOGGED_IN,
	openRealm,
	sendRequest,
	signIn,
} from './kit/raw-request.js';
import {changeDatabase, temporaryFile} from './kit/scheduled-kit.js';
import {like, refusal, type Step, story} from './kit/story.js';

const ME = 'GET /api/v1/users/me';
const unauthorized = (msg: string) => ({
	status: '401 Unauthorized',
	json: {result: 'error', msg, code: 'UNAUTHORIZED'},
});
const basic = (credentials: string) => `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;

test('without public access the realm refuses calls without login before it looks at parameters', async t => {
	const {url} = await openRealm(t, {publicAccess: false});
	for (const line of [
		'POST /api/v1/messages',
		'GET /api/v1/messages/1',
		'GET /api/v1/messages?anchor=newest',
		'GET /api/v1/users',
		ME,
		'GET /api/v1/streams',
		'GET /api/v1/users/me/1/topics',
		'POST /api/v1/register',
		'GET /api/v1/events',
		'DELETE /api/v1/events',
	]) {
		expectRefusal(t, await sendRequest(url, line), NOT_LOGGED_IN);
	}

	const settings = await sendRequest(url, 'GET /api/v1/server_settings');
	t.is(at(settings.json, 'realm_web_public_access_enabled'), false);
});

test('the realm refuses wrong credentials with 401 and other schemes with 400', async t => {
	const realm = await openRealm(t);
	const {key} = await signIn(t, 'alice', realm);
	for (const [header, msg] of [
		['Authorization: Basic §§§', 'Invalid authorization header for basic auth'],
		['Authorization: Basic bm9jb2xvbg==', 'Invalid authorization header for basic auth'],
		['Authorization: Basic YTpiOmM=', 'Invalid authorization header for basic auth'],
		[basic('alice@bothy.example:abc'), 'Malformed API key'],
		[basic('alice@bothy.example:abcdefghijklmnopqrstuvwxyz01234-'), 'Malformed API key'],
		[basic('alice@bothy.example:abcdefghijklmnopqrstuvwxyz012345'), 'Invalid API key'],
		[basic('nobody@bothy.example:abcdefghijklmnopqrstuvwxyz012345'), 'Invalid API key'],
		[basic(`bob@bothy.example:${key}`), 'Invalid API key'],
	] as const) {
		expectRefusal(t, await sendRequest(realm.url, ME, [header]), unauthorized(msg));
	}

	const bearer = await sendRequest(realm.url, ME, ['Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345']);
	expectRefusal(t, bearer, badRequest('This endpoint requires HTTP basic authentication.'));
});

test('the realm sends a browser that is not logged in elsewhere', async t => {
	const {url} = await openRealm(t);

	const answer = await sendRequest(url, ME, ['Accept: text/html,application/xhtml+xml,*/*;q=0.8']);

	t.is(answer.statusLine, 'HTTP/1.1 302 Found');
	t.truthy(answer.headers.location);
});

test('the realm takes credentials in another case, with spaces around them, and those of bots', async t => {
	const realm = await openRealm(t);
	const {key} = await signIn(t, 'alice', realm);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	t.regex(bot.key, /^[A-Za-z0-9]{32}$/);
	for (const [header, email] of [
		[basic(`ALICE@Bothy.Example:${key}`), 'alice@bothy.example'],
		[basic(` alice@bothy.example : ${key} `), 'alice@bothy.example'],
		[basic(`alice@bothy.example:${key}`).replace('Basic', 'BASIC'), 'alice@bothy.example'],
		[basic(`echo-bot@bothy.example:${bot.key}`), 'echo-bot@bothy.example'],
	] as const) {
		const answer = await sendRequest(realm.url, ME, [header]);

		expectSuccess(t, answer);
		t.is(at(answer.json, 'email'), email);
	}
});

test('the realm refuses an account that is deactivated', async t => {
	const realm = await openRealm(t);
	const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];
	expectSuccess(t, await olivia.delete('/api/v1/users/5', ''));

	expectRefusal(t, await bob.get('/api/v1/users/me'), unauthorized('Account is deactivated'));
	expectRefusal(t, await bob.post('/api/v1/messages', ''), unauthorized('Account is deactivated'));
});

/** Deactivates the organization, or activates it. */
const deactivate =
	(deactivated: boolean): Step =>
	(_, {realm}) =>
		sendRequest(
			realm.url,
			'POST /trouble/organization',
			['Content-Type: application/json'],
			`{"deactivated":${deactivated}}`,
		);
const DEACTIVATED = 'This organization has been deactivated';

story('authentication', 'the realm refuses everybody while the organization is deactivated', [
	['alice GET /api/v1/users/me'],
	deactivate(true),
	['alice GET /api/v1/users/me', refusal('401 Unauthorized', DEACTIVATED, {code: 'UNAUTHORIZED'})],
	[
		'alice POST /api/v1/dev_fetch_api_key username=alice%40bothy.example',
		refusal('401 Unauthorized', DEACTIVATED, {code: 'REALM_DEACTIVATED'}),
	],
	['alice GET /api/v1/server_settings'],
	deactivate(false),
	['alice GET /api/v1/users/me'],
]);

test('the realm refuses an account on the host of another organization', async t => {
	const realm = await openRealm(t);
	const {authorization} = await signIn(t, 'alice', realm);
	const ask = (host: string) => sendRequest(realm.url, ME, [`Host: ${host}`, authorization]);

	expectRefusal(
		t,
		await ask(`other.localhost:${realm.port}`),
		unauthorized('Account is not associated with this subdomain'),
	);
	expectSuccess(t, await ask(`localhost:${realm.port}`));
});

test('the realm lets an incoming-webhook bot send messages and nothing else', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const bot = realm.ensureBot({name: 'hook', fullName: 'Hook', payloadUrl: 'http://127.0.0.1:9/'});
	changeDatabase(file, `UPDATE accounts SET bot_type = 2 WHERE id = ${bot.userId}`);
	const hook = callerOf(realm.url, bot);
	const refused = unauthorized('This API is not available to incoming webhook bots.');

	for (const path of ['/users/me', '/messages?anchor=newest', '/events', '/streams']) {
		expectRefusal(t, await hook.get(`/api/v1${path}`), refused);
	}

	expectRefusal(t, await hook.post('/api/v1/register', ''), refused);
	expectSuccess(t, await hook.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x'));
});

const anonymously = (narrow: string) =>
	`nobody GET /api/v1/messages?anchor=newest&num_before=100&client_gravatar=false&narrow=${encodeURIComponent(narrow)}`;
const OPEN = like({id: '$open', sender_full_name: 'Mona Moss', sender_email: 'user3@bothy.example'});

const anybody: readonly Step[] = [
	['mona POST /api/v1/messages type=channel&to=announcements&topic=x&content=for+all+the+web', like({id: '$open'})],
	['mona POST /api/v1/messages type=channel&to=general&topic=x&content=for+members', like({id: '$members'})],
	['mona POST /api/v1/messages type=direct&to=[1]&content=for+olivia', like({id: '$own'})],
	[anonymously('[{"operator":"channels","operand":"web-public"}]'), like({messages: [OPEN]})],
	[anonymously('[{"operator":"channel","operand":"announcements"}]'), like({messages: [OPEN]})],
	async (t, {send}) => {
		const {body} = await send(anonymously('[{"operator":"channels","operand":"web-public"}]'));
		t.true(body.includes('for all the web'));
		t.false(body.includes('mona@'));
	},
	[
		anonymously('[{"operator":"channel","operand":"general"}]'),
		refusal('400 Bad Request', 'Invalid narrow operator: unknown channel general', {
			code: 'BAD_NARROW',
			desc: 'unknown channel general',
		}),
	],
	['nobody GET /api/v1/messages?anchor=newest&num_before=100', like({messages: []})],
	['nobody GET /api/v1/messages/$open', like({})],
	['nobody GET /api/v1/messages/$members', 'Invalid message(s)'],
	['nobody GET /api/v1/messages/$own', 'Invalid message(s)'],
];
story('authentication', 'without login one reads the messages of web-public channels alone, and no address', anybody, {
	publicAccess: true,
});
