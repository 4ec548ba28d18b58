// Who may use the console: sign-in, sessions, origins and host names.

import http from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/config/settings.js';
import {needToken} from '../../src/console/admin-token.js';
import {createAttempts} from '../../src/console/attempts.js';
import {createSessions, SESSION_MS} from '../../src/console/session.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {CALM} from '../helpers/bothy.js';
import {connectToRedis, openRedis} from '../helpers/shared-redis.js';
import {runHere} from '../helpers/terminal.js';
import {get, post, signInByApi, startConsole, TOKEN} from './console-kit.js';

const ECHO = {email: 'echo@x', site: 'http://127.0.0.1:9', key: 'the-secret-key-of-echo', token: 't'.repeat(32)};

async function start(t: ExecutionContext, env: NodeJS.ProcessEnv = {}) {
	const REDIS_URL = await openRedis(t);
	const accounts = {...CALM, REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo: ECHO}), ...env};
	return {env: accounts, ...(await startConsole(t, accounts))};
}

const pause = {action: 'pause', account: accountTag(ECHO)};

test('without a token of 16 characters the console does not start, and says what to set', async t => {
	for (const ADMIN_TOKEN of ['', 'fifteen letters']) {
		t.throws(() => needToken(readSettings({ADMIN_TOKEN})), {
			message: /^ADMIN_TOKEN: expected at least 16 characters, found (none|15)\. .* ADMIN_TOKEN_FILE/,
		});
	}

	t.is(needToken(readSettings({ADMIN_TOKEN: TOKEN})), TOKEN);
	t.regex((await runHere(['--help'])).output, /console +Serve the operator's console/);
});

test('the right token opens a session in a cookie that no script and no other site can use', async t => {
	const {url} = await start(t);

	const response = await post(url, 'sign-in', {body: {who: 'Olga', token: TOKEN}});

	t.is(response.status, 200);
	t.regex(
		response.headers.get('set-cookie') ?? '',
		/^bothy_console=[\w.-]+; path=\/; expires=[^;]+; samesite=strict; httponly$/,
	);
	t.is((await get(url, 'attention', await signInByApi(url))).status, 200);
});

test('behind https the cookie is secure, and the public host is accepted', async t => {
	const {url} = await start(t, {CONSOLE_URL: 'https://console.example.com'});
	const headers = {host: 'console.example.com'};

	const {status, cookie} = await raw(url, {headers: {...headers, origin: 'https://console.example.com'}});

	t.is(status, 200);
	t.regex(cookie, /; secure; httponly$/);
});

test('a wrong, missing or forged sign-in gets no session', async t => {
	const {url} = await start(t);
	const cookie = await signInByApi(url);
	const [claims = '', mac = ''] = cookie.replace('bothy_console=', '').split('.');
	const forged = Buffer.from(JSON.stringify({who: 'Eve', until: 9e15, nonce: 'x'})).toString('base64url');

	t.is((await post(url, 'sign-in', {body: {who: 'Olga', token: `${TOKEN}x`}})).status, 401);
	t.is((await post(url, 'sign-in', {body: {who: 'Olga', token: ''}})).status, 401);
	t.is((await post(url, 'sign-in', {body: {who: 'Olga'}})).status, 400);
	for (const [what, wrong] of Object.entries({
		missing: '',
		forged: `bothy_console=${forged}.${mac}`,
		unsigned: `bothy_console=${claims}.`,
		garbage: 'bothy_console=x.y.z',
	})) {
		t.is((await get(url, 'attention', wrong)).status, 401, what);
		t.is((await post(url, 'act', {cookie: wrong, body: pause})).status, 401, what);
	}
});

test('a cookie is refused after the sign-out, after twelve hours, and after the token has changed', async t => {
	const {url, env} = await start(t);
	const redis = await connectToRedis(t);
	const cookie = await signInByApi(url);
	const restarted = await startConsole(t, env);
	const rotated = await startConsole(t, {...env, ADMIN_TOKEN: `${TOKEN} is new`});

	t.is((await get(restarted.url, 'attention', cookie)).status, 200, 'a restart ends no session');
	t.is((await get(rotated.url, 'attention', cookie)).status, 401, 'a rotation ends all');
	t.is((await post(url, 'sign-out', {cookie})).status, 200);
	t.is((await get(url, 'attention', cookie)).status, 401);
	t.is((await get(restarted.url, 'attention', cookie)).status, 401, 'on every host');

	let now = 0;
	const sessions = createSessions(redis, TOKEN, () => now);
	const value = sessions.begin('Olga');
	now = SESSION_MS - 1;
	t.is((await sessions.read(value))?.who, 'Olga');
	now = SESSION_MS;
	t.is(await sessions.read(value), undefined);
});

test('of 1,000 sign-in attempts ten are compared, and then the right token has to wait too', async t => {
	const {url} = await start(t);
	const statuses: number[] = [];
	for (let attempt = 0; attempt < 1_000; attempt++) {
		const response = await post(url, 'sign-in', {body: {who: 'Eve', token: `guess ${attempt}`}});
		statuses.push(response.status);
		await response.body?.cancel();
	}

	t.deepEqual(new Set(statuses.slice(0, 10)), new Set([401]));
	t.deepEqual(new Set(statuses.slice(10)), new Set([429]));
	const right = await post(url, 'sign-in', {body: {who: 'Olga', token: TOKEN}});
	t.is(right.status, 429);
	t.true(Number(right.headers.get('retry-after')) > 60);
});

test('attempts from many addresses share a limit, and both limits end after five minutes', t => {
	let now = 0;
	const attempts = createAttempts(() => now);
	for (let address = 0; address < 100; address++) {
		t.is(attempts.waitSeconds(`10.0.0.${address}`), 0);
		attempts.failed(`10.0.0.${address}`);
	}

	t.is(attempts.waitSeconds('10.0.1.1'), 300);
	now = 300_000;
	t.is(attempts.waitSeconds('10.0.1.1'), 0);
});

test('a cross-site POST changes nothing', async t => {
	const {url, redis} = await start(t);
	const cookie = await signInByApi(url);

	for (const origin of ['https://evil.example', 'null', null, url.replace('http:', 'http:evil.')]) {
		t.is((await post(url, 'act', {cookie, origin, body: pause})).status, 403, String(origin));
	}

	const form = {cookie, body: 'action=pause', headers: {'content-type': 'application/x-www-form-urlencoded'}};
	t.is((await post(url, 'act', form)).status, 400);
	t.is(await redis.exists('{bothy}:paused'), 0);
	t.is((await post(url, 'act', {cookie, body: pause})).status, 200);
	t.is(await redis.exists('{bothy}:paused'), 1);
});

test('a rebound host name gets neither the page nor the API', async t => {
	const {url} = await start(t);

	for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
		const {status} = await raw(url, {headers: {host, origin: `http://${host}`}});
		t.is(status, 421, host);
		t.is((await raw(url, {path: '/', method: 'GET', headers: {host}})).status, 421, host);
	}

	t.is((await raw(url, {headers: {host: 'localhost:8091', origin: 'http://localhost:8091'}})).status, 200);
});

test('the page runs its own script only, and may not be framed', async t => {
	const {url} = await start(t);
	for (const path of ['/', '/page/app.js', '/api/attention']) {
		const response = await fetch(`${url}${path}`);
		const policy = response.headers.get('content-security-policy') ?? '';
		t.regex(policy, /^default-src 'none';script-src 'self';/, path);
		t.regex(policy, /frame-ancestors 'none'/);
		t.notRegex(policy, /unsafe/);
	}
});

test('neither keys nor tokens are in any answer, and an action that is unknown changes nothing', async t => {
	const {url, redis} = await start(t);
	const cookie = await signInByApi(url);
	const store = createRedisStore(redis);
	await store.claim({account: accountTag(ECHO), id: '1-a'}, {nonce: 'a', work: '{}', sender: 9, perMinute: 0});

	for (const path of ['attention', 'health', 'accounts', 'deliveries', 'session', 'page/../../etc']) {
		const text = await (await get(url, path, cookie)).text();
		t.notRegex(text, new RegExp(`${ECHO.key}|${ECHO.token}|${TOKEN}`), path);
	}

	for (const body of [{action: 'flush'}, {...pause, extra: 1}, [], {action: 'replay', account: 'x'}]) {
		t.is((await post(url, 'act', {cookie, body})).status, 400);
	}

	t.is((await post(url, 'act', {cookie, body: 'x'.repeat(20_000)})).status, 413);
	t.like(await (await post(url, 'act', {cookie, body: {...pause, account: 'http://other|x@x'}})).json(), {
		isDone: false,
	});
	t.is(await redis.exists('{bothy}:paused'), 0);
});

interface RawRequest {
	readonly path?: string;
	readonly method?: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** A request with any Host header; `fetch` sets its own. By default it signs in. */
function raw(url: string, {path = '/api/sign-in', method = 'POST', headers}: RawRequest) {
	return new Promise<{status: number; cookie: string}>((resolve, reject) => {
		const request = http.request(
			`${url}${path}`,
			{method, headers: {'content-type': 'application/json', ...headers}},
			response => {
				response.resume();
				resolve({status: response.statusCode ?? 0, cookie: response.headers['set-cookie']?.[0] ?? ''});
			},
		);
		request.once('error', reject);
		request.end(method === 'POST' ? JSON.stringify({who: 'Olga', token: TOKEN}) : undefined);
	});
}
