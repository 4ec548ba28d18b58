// How long `bothy web` takes from its start to its first answer, and its memory with two receivers.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {median, note, report} from './report.js';
import {TOOLS} from './server.js';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
const ROUNDS = 5;
/** By then, all processes of `web` are ready and the garbage of the start is collected. */
const SETTLED_MS = 10_000;

const BARE = `require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')`;

export async function benchStart(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bench-'));
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const port = await freePort();
	const account = {
		email: 'echo-bot@chat.example.com',
		site: 'http://127.0.0.1:1',
		key: 'k'.repeat(32),
		token: 't'.repeat(32),
	};
	const env = {
		...process.env,
		BOTHY_CONFIG_JSON: JSON.stringify({echo: account}),
		REDIS_URL: embedded.url,
		PORT: String(port),
		LOG_LEVEL: 'silent',
	};
	const start = (words: readonly string[]) =>
		spawn(process.execPath, words, {env, stdio: ['ignore', 'ignore', 'inherit'], detached: true});
	try {
		const seconds: number[] = [];
		const bare: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			bare.push(await secondsToAnswer(() => start(['-e', BARE]), port));
			seconds.push(await secondsToAnswer(() => start([CLI, 'web']), port));
		}

		note(`a bare HTTP server ${median(bare).toFixed(2)} s; web ${seconds.map(each => each.toFixed(2)).join(', ')} s`);
		report({name: '`bothy web` to its first answer', value: median(seconds), unit: 's', bound: {atMost: 1.5}});

		const web = start([CLI, 'web']);
		await sleep(SETTLED_MS);
		const parts = await memoryOf(web.pid ?? 0);
		await end(web);
		const sharedMb = Math.max(...parts.map(each => each.sharedMb));
		const all = parts.reduce((sum, {privateMb}) => sum + privateMb, sharedMb);
		note(
			`private MB of each process: ${parts.map(each => each.privateMb.toFixed(0)).join(', ')}; shared ${sharedMb.toFixed(0)}`,
		);
		report({name: 'memory of `bothy web` with two receivers', value: all, unit: 'MB', bound: {atMost: 250}});
	} finally {
		await embedded.close();
		await rm(folder, {recursive: true, force: true});
	}
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	await new Promise(closed => server.close(closed));
	return port;
}

async function secondsToAnswer(start: () => ChildProcess, port: number): Promise<number> {
	const since = performance.now();
	const child = start();
	while (!(await answers(port))) {
		if (child.exitCode !== null) {
			throw new Error(`${child.spawnargs.join(' ')} ended with code ${child.exitCode}`);
		}

		await sleep(5);
	}

	const seconds = (performance.now() - since) / 1000;
	await end(child);
	return seconds;
}

function answers(port: number): Promise<boolean> {
	return fetch(`http://127.0.0.1:${port}/healthz`, {headers: {connection: 'close'}}).then(
		response => response.text().then(() => true),
		() => false,
	);
}

/** With its children. */
async function end(child: ChildProcess): Promise<void> {
	const ended = once(child, 'exit');
	process.kill(-(child.pid ?? 0), 'SIGKILL');
	await ended;
	await sleep(500);
}

interface Memory {
	readonly privateMb: number;
	readonly sharedMb: number;
}

/** Of each process of a group. */
async function memoryOf(group: number): Promise<Memory[]> {
	const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
	const found = await Promise.all(
		ids.map(async id => {
			const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
			const isOfGroup = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[3]) === group;
			const rollup = isOfGroup ? await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '') : '';
			return {privateMb: megabytes(rollup, 'Private'), sharedMb: megabytes(rollup, 'Shared')};
		}),
	);
	return found.filter(({privateMb}) => privateMb > 0).sort((one, other) => other.privateMb - one.privateMb);
}

function megabytes(rollup: string, kind: string): number {
	const parts = rollup.matchAll(new RegExp(`^${kind}_(?:Clean|Dirty):\\s+(\\d+)`, 'gm'));
	return [...parts].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1024;
}
