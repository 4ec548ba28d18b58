import test from 'ava';
import {basic, callAs, openRealm, send, signIn} from './realm-kit.js';

const email = 'alice@bothy.example';
const wrongKey = 'x'.repeat(32);
const encode = (text: string) => Buffer.from(text).toString('base64');

interface Refusal {
	readonly authorization?: string;
	readonly status: number;
	readonly code: string;
	readonly msg: string;
}

const refused = test.macro({
	title: (title = '') => `${title} is refused`,
	async exec(t, {authorization, status, code, msg}: Refusal) {
		const realm = await openRealm(t);

		const answer = await send(realm, {
			method: 'GET',
			path: '/users/me',
			...(authorization !== undefined && {headers: {authorization}}),
		});

		t.is(answer.status, status);
		t.deepEqual(answer.body, {result: 'error', msg, code});
		t.is(answer.headers.get('www-authenticate'), status === 401 ? 'Basic realm="zulip"' : null);
	},
});

const unauthorized = (authorization: string | undefined, msg: string): Refusal => ({
	...(authorization !== undefined && {authorization}),
	status: 401,
	code: 'UNAUTHORIZED',
	msg,
});
const malformed = 'Invalid authorization header for basic auth';

test(
	'a missing header',
	refused,
	unauthorized(undefined, 'Not logged in: API authentication or user session required'),
);
test('another scheme', refused, {
	authorization: 'Bearer abc',
	status: 400,
	code: 'BAD_REQUEST',
	msg: 'This endpoint requires HTTP basic authentication.',
});
test('broken base64', refused, unauthorized('Basic ***', malformed));
test('a text without colon', refused, unauthorized(`Basic ${encode('alice')}`, malformed));
test('a text with two colons', refused, unauthorized(`Basic ${encode(`a:b:${wrongKey}`)}`, malformed));
test('a key of the wrong length', refused, unauthorized(`Basic ${encode(`${email}:abc`)}`, 'Malformed API key'));
test('an unknown key', refused, unauthorized(`Basic ${encode(`${email}:${wrongKey}`)}`, 'Invalid API key'));
test(
	'credentials with an unknown email',
	refused,
	unauthorized(`Basic ${encode(`nobody@x:${wrongKey}`)}`, 'Invalid API key'),
);

test("a key of somebody else's is refused", async t => {
	const realm = await openRealm(t);
	const bob = await signIn(realm, 'bob');

	const answer = await callAs(realm, email, bob.key).get('/users/me');

	t.is(answer.body.msg, 'Invalid API key');
});

test('case of scheme and email do not matter, nor does space around email and key', async t => {
	const realm = await openRealm(t);
	const {key} = await signIn(realm, 'alice');

	const authorization = `bAsIc ${encode(` ALICE@bothy.example : ${key} `)}`;
	const answer = await send(realm, {method: 'GET', path: '/users/me', headers: {authorization}});

	t.is(answer.body.full_name, 'Alice Ahn');
});

test('a browser without credentials is sent to the page', async t => {
	const realm = await openRealm(t);

	const response = await fetch(`${realm.url}/api/v1/users/me`, {headers: {accept: 'text/html'}, redirect: 'manual'});

	t.is(response.status, 302);
	t.is(response.headers.get('location'), '/');
});

test('authentication comes before parameters', async t => {
	const realm = await openRealm(t);

	const answer = await send(realm, {method: 'POST', path: '/messages', headers: basic(email, wrongKey)});

	t.is(answer.status, 401);
});

test('development sign-in gives the key of an account that exists, and no other', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');

	const unknown = await send(realm, {method: 'POST', path: '/dev_fetch_api_key', values: {username: 'nobody@x'}});
	const {body} = await alice.get('/users/me');

	t.is(body.email, email);
	t.is(unknown.status, 401);
	t.is(unknown.body.code, 'AUTHENTICATION_FAILED');
});

test('development sign-in lists people, administrators apart, and no bots', async t => {
	const realm = await openRealm(t);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});

	const {body} = await send(realm, {method: 'GET', path: '/dev_list_users'});

	const emails = (users: Array<{email: string}>) => users.map(user => user.email.split('@')[0]);
	t.deepEqual(emails(body.direct_admins), ['olivia', 'adam']);
	const crowd = ['dora', 'emil', 'fay', 'hugo', 'iris', 'jonas', 'kira', 'leo', 'nina', 'otto', 'pia', 'rosa'];
	t.deepEqual(emails(body.direct_users), ['mona', 'alice', 'bob', 'carla', 'gus', ...crowd]);
});
