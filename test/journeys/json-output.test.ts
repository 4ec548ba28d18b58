// Where the log is JSON, everything else that a process prints is, too.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {dataFolder} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

const section = {email: 'echo@x.example', key: 'k', site: 'http://127.0.0.1:9', token: 't'.repeat(32)};

for (const command of ['web', 'worker', 'start']) {
	test(`${command} prints nothing but JSON, also when it cannot start`, async t => {
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
