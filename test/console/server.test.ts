// Who may use the console: sign-in, sessions, origins and host names.

import http from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {z} from '../../src/api/zod.js';
import {readSettings} from '../../src/config/settings.js';
import {needToken} from '../../src/console/admin-token.js';
import {createAttempts} from '../../src/console/attempts.js';
import {createSessions, SESSION_MS} from '../../src/console/session.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {connectToRedis, openRedis} from '../helpers/shared-redis.js';
import {runHere} from '../helpers/terminal.js';
import {get, post, signInByApi, startConsole, TOKEN} from './console-kit.js';

const ECHO = {email: 'echo@x', site: 'http://127.0.0.1:9', key: 'the-secret-key-of-echo', token: 't'.repeat(32)};

async function start(t: ExecutionContext, env: NodeJS.ProcessEnv = {}) {
	const REDIS_URL = await openRedis(t);
	const accounts = {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo: ECHO}), ...env};
	return {env: accounts, ...(await startConsole(t, accounts))};
}

const Done = z.object({isDone: z.boolean(), text: z.string()});
const Audited = z.object({audit: z.array(z.object({who: z.string(), what: z.string(), about: z.string()}))});
const Found = z.object({rows: z.array(z.object({id: z.string()}))});

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
		/^bothy_console_[\da-f]{8}=[\w.-]+; path=\/; expires=[^;]+; samesite=strict; httponly$/,
	);
	t.is((await get(url, 'attention', await signInByApi(url))).status, 200);
});

test('behind https the cookie is secure, and the public host is accepted', async t => {
	const {url} = await start(t, {CONSOLE_URL: 'https://console.example.com'});
	const headers = {host: 'console.example.com'};

	const {status, cookie} = await raw(url, {headers: {...headers, origin: 'https://console.example.com'}});

	t.is(status, 200);
	t.regex(cookie, /^__Host-bothy_console_.*; secure; httponly$/);
});

test('a wrong, missing or forged sign-in gets no session', async t => {
	const {url} = await start(t);
	const cookie = await signInByApi(url);
	const [name = '', value = ''] = cookie.split('=');
	const [claims = '', mac = ''] = value.split('.');
	const forged = Buffer.from(JSON.stringify({who: 'Eve', until: 9e15, nonce: 'x'})).toString('base64url');

	t.is((await post(url, 'sign-in', {body: {who: 'Olga', token: `${TOKEN}x`}})).status, 401);
	t.is((await post(url, 'sign-in', {body: {who: 'Olga', token: ''}})).status, 401);
	t.is((await post(url, 'sign-in', {body: {who: 'Olga'}})).status, 400);
	for (const [what, wrong] of Object.entries({
		missing: '',
		forged: `${name}=${forged}.${mac}`,
		unsigned: `${name}=${claims}.`,
		garbage: `${name}=x.y.z`,
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
	const other = await signInByApi(rotated.url, `${TOKEN} is new`);
	t.not(other.split('=')[0], cookie.split('=')[0], 'a browser keeps the sessions of two consoles of a host');
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

test('behind a proxy, the address that the proxy adds is limited, and none that the client writes', async t => {
	const {url} = await start(t, {CONSOLE_URL: 'http://console.example.com'});
	const guess = async (forwarded: string, token = 'guess') => {
		const headers = {host: 'console.example.com', 'x-forwarded-for': forwarded};
		return (await raw(url, {headers: {...headers, origin: 'http://console.example.com'}, token})).status;
	};
	for (let attempt = 0; attempt < 10; attempt++) {
		t.is(await guess(`10.1.1.${attempt}, 192.0.2.7`), 401);
	}

	t.is(await guess('10.1.1.99, 192.0.2.7', TOKEN), 429);
	t.is(await guess('192.0.2.8', TOKEN), 200);
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

test('an action on what has changed meanwhile is refused, and the audit log says who did what', async t => {
	const {url, redis} = await start(t);
	const cookie = await signInByApi(url);
	await redis.lpush('{bothy}:console-audit', JSON.stringify({v: 2, what: 'of a newer version'}));
	const act = async (action: object) => {
		const response = await post(url, 'act', {cookie, body: {...pause, ...action}});
		return Done.parse(await response.json());
	};

	const both = await Promise.all([act({}), act({})]);
	t.deepEqual(both.map(({text}) => text).toSorted(), [
		'Paused echo. Within 5 s, it answers with a text.',
		'Somebody has just requested this, and it is still running.',
	]);
	const paused = await redis.hget('{bothy}:paused', pause.account);
	t.like(await act({action: 'hold'}), {isDone: false, text: 'echo is paused already. Resume it first.'});
	t.is(await redis.hget('{bothy}:paused', pause.account), paused);
	t.like(await act({action: 'resume'}), {isDone: true});
	t.like(await act({action: 'resume'}), {isDone: false, text: 'echo was not paused.'});
	t.like(await act({action: 'cancel schedule', id: 'gone'}), {isDone: false});

	const {audit} = Audited.parse(await (await get(url, 'attention', cookie)).json());
	t.deepEqual(
		audit.map(({who, what, about}) => `${who}: ${what} ${about}`),
		[
			'Olga: cancel schedule echo gone',
			'Olga: resume echo',
			'Olga: resume echo',
			'Olga: hold echo',
			'Olga: pause echo',
			'Olga: pause echo',
			'Olga: sign in ',
		],
	);
});

test('a query of the wrong type or size is refused, and a filter looks as far as a list without one', async t => {
	const {url, redis} = await start(t);
	const cookie = await signInByApi(url);
	const wrong = ['q=a&q=b', `q=${'x'.repeat(201)}`, 'status=bogus', 'since=yesterday', 'before=-1', 'within=1e99'];
	for (const query of wrong) {
		t.is((await get(url, `deliveries?${query}`, cookie)).status, 400, query);
	}

	t.is((await get(url, 'delivery?id=..%2F..%2Fkeys&account=x', cookie)).status, 404);
	const key = (name: string) => accountKey(redis, pause.account, name);
	const many = redis.pipeline();
	for (let n = 0; n < 700; n++) {
		const status = ['newer', 'flood'][n] ?? 'done';
		many.zadd(key('ledger'), n, `${n}-a`);
		many.hset(key(`delivery:${n}-a`), {v: 1, status, decision: 'none', run: 1, at: n, end: n + 1});
	}

	await many.exec();
	t.is((await get(url, 'deliveries?before=0', cookie)).status, 200, 'a delivery of a newer version');
	const {rows} = Found.parse(await (await get(url, 'deliveries?status=flood', cookie)).json());
	t.deepEqual(rows, [{id: '1-a'}]);
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

test('neither keys, tokens nor texts are in any answer, and an action that is unknown changes nothing', async t => {
	const {url, redis} = await start(t);
	const cookie = await signInByApi(url);
	const store = createRedisStore(redis);
	await store.claim({account: accountTag(ECHO), id: '1-a'}, {nonce: 'a', work: '{}', sender: 9, perMinute: 0});

	for (const path of ['attention', 'health', 'accounts', 'deliveries', 'session', 'page/../../etc']) {
		const text = await (await get(url, path, cookie)).text();
		t.notRegex(text, new RegExp(`${ECHO.key}|${ECHO.token}|${TOKEN}`), path);
	}

	const planned = {kind: 'later', name: 'remind', data: {of: ['a private matter']}, planned: 1, send: '1-a/1'};
	const ref = {account: accountTag(ECHO), id: '2-a'};
	await store.claim(ref, {nonce: 'a', work: JSON.stringify(planned), sender: 9, perMinute: 0});
	const shown = await (await get(url, `delivery?${new URLSearchParams(ref)}`, cookie)).text();
	t.true(shown.includes('<16 characters>'), shown);
	t.false(shown.includes('private'));

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
	readonly token?: string;
}

/** A request with any Host header; `fetch` sets its own. By default it signs in. */
function raw(url: string, {path = '/api/sign-in', method = 'POST', headers, token = TOKEN}: RawRequest) {
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
		request.end(method === 'POST' ? JSON.stringify({who: 'Olga', token}) : undefined);
	});
}
