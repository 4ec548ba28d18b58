// A Redis that does not serve us: `web`, `worker` and doctor name REDIS_URL and the cure.

import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import pino from 'pino';
import {readSettings} from '../../src/config/settings.js';
import {openAccountChecks} from '../../src/host/checks/account-checks.js';
import {createTeardown} from '../../src/host/teardown.js';
import {cureOf} from '../../src/redis/refusal.js';
import {CALM} from '../helpers/bothy.js';
import {freePort} from '../helpers/free-port.js';
import {connect, startRedis} from '../helpers/redis.js';
import {startNode} from '../helpers/redis-nodes.js';
import {runHere} from '../helpers/terminal.js';

const TOKEN = 'tttttttttttttttttttttttttttttttt';
const echo = {email: 'echo@x.example', key: 'k', site: 'http://127.0.0.1:9', token: TOKEN};
const SERVER = fileURLToPath(new URL('../../../test/client/certificates/server.pem', import.meta.url));

const PASSWORD_CURE =
	'Correct user and password in REDIS_URL: redis://user:password@host:6379, special characters percent-encoded.';
const RIGHTS_CURE = 'Give the user in REDIS_URL the rights that docs/operating.md lists.';

interface Refusing {
	readonly url: (t: ExecutionContext) => Promise<string>;
	readonly cure: string;
}

const refuses = test.macro({
	title: (_, what: string) => `${what} gets an error with its cure at the start, and from doctor`,
	async exec(t, _: string, {url, cure}: Refusing) {
		const env = {...CALM, REDIS_URL: await url(t), BOTHY_CONFIG_JSON: JSON.stringify({echo})};
		const logged = new Promise<string>(resolve => {
			const log = pino({level: 'error'}, {write: resolve});
			const teardown = createTeardown(error => t.fail(String(error)));
			t.teardown(() => teardown.run());
			const host = {settings: readSettings(env), log, teardown};
			// As `web` and `worker` do.
			openAccountChecks(host, {accounts: [], clientOf: () => undefined, redisUrl: env.REDIS_URL});
		});

		const {code, output} = await runHere(['doctor'], {env});
		const line = await logged;

		t.like(JSON.parse(line), {level: 50, cure});
		t.regex(line, /"msg":"Redis \(REDIS_URL\) /);
		t.is(code, 1);
		t.true(output.includes(`\n         ${cure}\n`), output);
		t.regex(output, /^error {4}Redis: /m);
		t.notRegex(line + output, /secret|\n +at /);
	},
});

async function restricted(t: ExecutionContext, ...rights: string[]): Promise<string> {
	const url = await startRedis(t);
	await (await connect(t, url)).call('ACL', 'SETUSER', 'bothy', 'on', '>secret', ...rights);
	return url.replace('unix://', 'unix://bothy:secret@');
}

test(refuses, 'a wrong password', {
	async url(t) {
		return (await restricted(t, '~*', '&*', '+@all')).replace('secret', 'secret2');
	},
	cure: PASSWORD_CURE,
});

test(refuses, 'a missing password', {
	async url(t) {
		const url = await startRedis(t);
		await (await connect(t, url)).config('SET', 'requirepass', 'secret');
		return url;
	},
	cure: PASSWORD_CURE,
});

test(refuses, 'a missing right', {
	url: t => restricted(t, '~bothy:*', '&bothy:*', '+@all'),
	cure: RIGHTS_CURE,
});

test(refuses, 'TLS where Redis has none', {
	async url(t) {
		const {port} = await startNode(t, {config: []});
		return `rediss://127.0.0.1:${port}`;
	},
	cure: 'Check that Redis runs, and a proxy before it. If this port has no TLS, write redis:// instead of rediss:// in REDIS_URL.',
});

test(refuses, 'no TLS where Redis wants it', {
	async url(t) {
		const {redis} = await startNode(t, {config: []});
		const port = await freePort();
		await redis.call(
			'CONFIG',
			'SET',
			...['tls-cert-file', 'tls-key-file', 'tls-ca-cert-file'].flatMap(key => [key, SERVER]),
		);
		await redis.config('SET', 'tls-port', port);
		return `redis://127.0.0.1:${port}`;
	},
	cure: 'Check that Redis runs, and a proxy before it. If this port wants TLS, write rediss:// instead of redis:// in REDIS_URL.',
});

test('a proxy whose Redis is down gets a cure that names both causes', t => {
	const closed = 'Client network socket disconnected before secure TLS connection was established';
	t.regex(
		cureOf(new Error(closed), 'rediss://127.0.0.1:6379') ?? '',
		/^Check that Redis runs, and a proxy before it\. If /,
	);
});

test('a Redis that is only away gets no such cure', t => {
	t.is(cureOf(new Error('connect ECONNREFUSED 127.0.0.1:6379'), 'redis://127.0.0.1:6379'), undefined);
	t.is(cureOf(new Error('read ECONNRESET'), 'rediss://127.0.0.1:6379'), undefined);
});
