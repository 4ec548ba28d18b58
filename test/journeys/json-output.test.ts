// Where the log is JSON, everything else that a process prints is, too.

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, openSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {dataFolder} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

const section = {email: 'echo@x.example', key: 'k', site: 'http://127.0.0.1:9', token: 't'.repeat(32)};

for (const command of ['web', 'worker', 'start']) {
	test(`${command} prints nothing but JSON, even when it cannot start`, async t => {
		const folder = await dataFolder(t);
		const env = {
			PATH: process.env.PATH,
			PORT: '0',
			REALM_PORT: '0',
			WEB_CONCURRENCY: '1',
			BOTHY_DATA: folder,
			REDIS_URL: await startRedis(t),
			BOTHY_CONFIG_JSON: JSON.stringify({echo: section}),
		};
		const open = (more: NodeJS.ProcessEnv) =>
			spawn(process.execPath, [CLI, command], {cwd: folder, env: {...env, ...more}, stdio: ['ignore', 'pipe', 'pipe']});
		const running = open({});
		const printed = [text(running.stdout), text(running.stderr)];
		for (let seen = ''; !/Bots|Worker {5}/.test(seen); ) {
			const [chunk] = await once(running.stdout, 'data');
			seen += chunk;
		}

		running.kill('SIGTERM');
		const failing = open({PORT: 'x'});
		const lines = (await Promise.all([...printed, text(failing.stdout), text(failing.stderr)]))
			.join('\n')
			.split('\n')
			.filter(line => line !== '');

		t.true(lines.some(line => /PORT: expected a port number/.test(line)));
		for (const line of lines) {
			t.notThrows(() => JSON.parse(line), line);
		}
	});
}

const LOG = new URL('../../src/log.js', import.meta.url).href;

(existsSync('/dev/full') ? test : test.skip)(
	'a full disk under the log neither ends a process nor keeps it from ending',
	async t => {
		const script = `
		const {createLog} = await import(${JSON.stringify(LOG)});
		const log = createLog({level: 'info', pretty: false});
		log.info('one');
		setTimeout(() => { log.info('two'); log.info('three'); process.exit(7); }, 100);
	`;
		const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
			stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
		});
		t.teardown(() => child.kill('SIGKILL'));

		t.deepEqual(await once(child, 'exit'), [7, null]);
	},
);

(existsSync('/dev/full') ? test : test.skip)('a command whose output cannot be written fails and says why', async t => {
	const {status, stderr} = spawnSync(process.execPath, [CLI, 'call', '--list'], {
		cwd: await dataFolder(t),
		env: {PATH: process.env.PATH},
		stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
		encoding: 'utf8',
	});

	t.is(status, 1);
	t.regex(stderr, /^bothy: The output is not complete: ENOSPC/);
});
