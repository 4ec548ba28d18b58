import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {Redis} from 'ioredis';
import {EmbeddedRedisError, type EmbeddedRedisOptions, openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {connectTo} from '../../src/redis/redis-folder.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {until} from '../helpers/until.js';

const moduleUrl = new URL('../../src/redis/embedded-redis.js', import.meta.url).href;

function temporaryFolder(t: ExecutionContext): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'bothy-redis-'));
	t.teardown(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
}

function optionsFor(t: ExecutionContext): EmbeddedRedisOptions {
	return {folder: path.join(temporaryFolder(t), 'redis')};
}

async function open(t: ExecutionContext, options: EmbeddedRedisOptions) {
	const redis = await openEmbeddedRedis(options);
	t.teardown(redis.close);
	return redis;
}

async function ask<Reply>(url: string, question: (redis: Redis) => Promise<Reply>): Promise<Reply> {
	const redis = plainRedis(url);
	try {
		return await question(redis);
	} finally {
		redis.disconnect();
	}
}

interface Server {
	/** A new one after each start. */
	readonly id: string;
	readonly processId: number;
	readonly keeperId: number;
}

async function serverAt(url: string): Promise<Server> {
	const info = await ask(url, redis => redis.info('server'));
	const processId = Number(/process_id:(\d+)/.exec(info)?.[1]);
	return {id: /run_id:(\w+)/.exec(info)?.[1] ?? '', processId, keeperId: Number(statusOf(processId)[1])};
}

/** State, parent, group and session of a process. Undefined once it is gone. */
function statusOf(processId: number): string[] {
	try {
		return readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	} catch {
		return [];
	}
}

function processesIn(folder: string): string[] {
	return readdirSync('/proc').filter(id => {
		try {
			return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === folder;
		} catch {
			return false;
		}
	});
}

async function gone(...processIds: readonly number[]): Promise<void> {
	// A process whose parent does not reap it stays as Z.
	await until(() => processIds.every(id => ['Z', undefined].includes(statusOf(id)[0])));
}

/** Ends a process that the test suspends, or leaves without a keeper, when the test ends. */
function endWith(t: ExecutionContext, signal: 'SIGCONT' | 'SIGKILL', processId: number): void {
	t.teardown(() => {
		if (/redis|keeper/.test(commandOf(processId))) {
			signalIfAlive(processId, signal);
		}
	});
}

function signalIfAlive(processId: number, signal: 'SIGCONT' | 'SIGKILL'): void {
	try {
		process.kill(processId, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
			throw error;
		}
	}
}

function commandOf(processId: number): string {
	try {
		return readFileSync(`/proc/${processId}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

/** A separate process that opens Redis, and the URL it got. */
async function openElsewhere(
	t: ExecutionContext,
	options: EmbeddedRedisOptions,
): Promise<{user: ChildProcess; url: string}> {
	const program = `
		const {openEmbeddedRedis} = await import(${JSON.stringify(moduleUrl)});
		const redis = await openEmbeddedRedis(${JSON.stringify(options)});
		console.log(redis.url);
		process.stdin.resume().once('end', async () => {
			await redis.close();
			process.exit();
		});
	`;
	const user = spawn(process.execPath, ['--input-type=module', '-e', program], {stdio: ['pipe', 'pipe', 'inherit']});
	t.teardown(() => user.kill('SIGKILL'));
	const [url] = await once(createInterface(user.stdout), 'line');
	return {user, url};
}

async function kill(user: ChildProcess): Promise<void> {
	user.kill('SIGKILL');
	await once(user, 'exit');
}

/** Whether it is still pending after a while that is too long for a call that does not wait. */
async function waits(work: Promise<unknown>): Promise<boolean> {
	return Promise.race([work.then(() => false), sleep(700, true)]);
}

test('data survives a close and a reopen', async t => {
	const options = optionsFor(t);
	const first = await openEmbeddedRedis(options);
	await ask(first.url, redis => redis.set('word', 'kept'));
	await first.close();

	const second = await open(t, options);

	t.is(await ask(second.url, redis => redis.get('word')), 'kept');
});

test('the last close returns when all processes have ended', async t => {
	const options = optionsFor(t);
	const [first, second] = [await openEmbeddedRedis(options), await openEmbeddedRedis(options)];
	const {processId, keeperId} = await serverAt(first.url);
	t.is(first.url, second.url);

	await first.close();
	t.is((await serverAt(second.url)).processId, processId);
	await second.close();
	await second.close();

	t.is(await connectTo(path.join(options.folder, 'redis.sock')), undefined);
	t.deepEqual(statusOf(processId), []);
	await gone(keeperId);
});

for (const [how, leave] of Object.entries({
	stops: (user: ChildProcess) => user.stdin?.end(),
	'is killed': (user: ChildProcess) => user.kill('SIGKILL'),
})) {
	test(`the server keeps running when the process that started it ${how}, and ends with the last one`, async t => {
		const options = optionsFor(t);
		const first = await openElsewhere(t, options);
		const {id, processId, keeperId} = await serverAt(first.url);
		const second = await openElsewhere(t, options);

		leave(first.user);
		await once(first.user, 'exit');
		t.is((await serverAt(second.url)).id, id);

		leave(second.user);
		await gone(processId, keeperId);
		t.is(await connectTo(path.join(options.folder, 'redis.sock')), undefined);
	});
}

test('several processes that start at once all get the same server, even after a kill of everything', async t => {
	const options = optionsFor(t);
	const before = await openElsewhere(t, options);
	await ask(before.url, redis => redis.set('word', 'kept'));
	const {processId, keeperId} = await serverAt(before.url);
	await kill(before.user);
	// They also end by themselves, since their only user is gone.
	for (const id of [keeperId, processId]) {
		signalIfAlive(id, 'SIGKILL');
	}

	// Each starts a keeper, and one of the keepers wins.
	const opened = await Promise.all(Array.from({length: 5}, () => open(t, options)));

	const servers = await Promise.all(opened.map(({url}) => serverAt(url)));
	t.is(new Set(servers.map(({id}) => id)).size, 1);
	t.is(await ask(opened[0]?.url ?? '', redis => redis.get('word')), 'kept');
});

for (const victim of ['processId', 'keeperId'] as const) {
	test(`after a kill -9 of the ${victim === 'processId' ? 'server' : 'keeper'} its users start it again, with the data`, async t => {
		const reasons: string[] = [];
		const options = optionsFor(t);
		const [first, second] = [
			await open(t, {...options, onLost: reason => reasons.push(reason)}),
			await open(t, options),
		];
		const before = await serverAt(first.url);
		endWith(t, 'SIGKILL', before.processId);
		// An existing connection finds the new server by itself.
		const redis = plainRedis(first.url);
		t.teardown(() => redis.disconnect());
		await redis.set('word', 'kept');

		process.kill(before[victim], 'SIGKILL');
		await gone(before.processId, before.keeperId);

		t.is(await redis.get('word'), 'kept');
		const [now, also] = [await serverAt(first.url), await serverAt(second.url)];
		t.not(now.id, before.id);
		t.is(also.id, now.id);
		t.regex(reasons.join(), victim === 'processId' ? /^it ended with SIGKILL/ : /^its keeper was killed/);
	});
}

test('a close while the server starts again leaves no process in the folder', async t => {
	const options = optionsFor(t);
	const redis = await openEmbeddedRedis(options);
	const {processId, keeperId} = await serverAt(redis.url);
	process.kill(keeperId, 'SIGKILL');
	process.kill(processId, 'SIGKILL');
	await gone(processId, keeperId);
	await until(() => processesIn(options.folder).length > 0);

	await redis.close();

	t.deepEqual(processesIn(options.folder), []);
});

test('no second server starts on the data while the server of a killed keeper is frozen', async t => {
	const options = optionsFor(t);
	const {user, url} = await openElsewhere(t, options);
	await ask(url, redis => redis.set('word', 'kept'));
	const {id, processId, keeperId} = await serverAt(url);
	endWith(t, 'SIGKILL', processId);
	process.kill(processId, 'SIGSTOP');
	await kill(user);
	process.kill(keeperId, 'SIGKILL');

	const opening = open(t, options);

	t.true(await waits(opening));
	process.kill(processId, 'SIGCONT');
	const next = await opening;
	t.is(await ask(next.url, redis => redis.get('word')), 'kept');
	t.not((await serverAt(next.url)).id, id);
	await gone(processId);
});

test('no process starts another keeper while one is frozen', async t => {
	const options = optionsFor(t);
	const first = await open(t, options);
	const {id, keeperId} = await serverAt(first.url);
	endWith(t, 'SIGCONT', keeperId);
	process.kill(keeperId, 'SIGSTOP');

	const opening = open(t, options);

	t.true(await waits(opening));
	process.kill(keeperId, 'SIGCONT');
	t.is((await serverAt((await opening).url)).id, id);
});

test('a keeper survives the signals that its first user gets from a terminal or a service manager', async t => {
	const redis = await open(t, optionsFor(t));
	const {id, processId, keeperId} = await serverAt(redis.url);

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.kill(keeperId, signal);
	}

	t.is((await serverAt(redis.url)).id, id);
	const [, , group] = statusOf(process.pid);
	t.not(statusOf(processId)[2], group);
	t.not(statusOf(keeperId)[2], group);
});

test('a folder with a long path is reached through a private one', async t => {
	const folder = path.join(temporaryFolder(t), 'a long way down '.repeat(8), 'redis');
	const [first, second] = [await open(t, {folder}), await open(t, {folder})];

	await ask(first.url, redis => redis.set('word', 'kept'));

	t.is(await ask(second.url, redis => redis.get('word')), 'kept');
	t.is((await serverAt(first.url)).id, (await serverAt(second.url)).id);
	t.not(first.url, second.url);
	const shared = path.dirname(path.dirname(decodeURIComponent(first.url.replace('unix://', ''))));
	t.is(statSync(shared).mode & 0o777, 0o700);
	await first.close();
	t.throws(() => statSync(shared), {code: 'ENOENT'});
});

test('no other user can connect: no port, no password, and a folder that is closed to others', async t => {
	const options = optionsFor(t);
	// As an older version may have made it.
	mkdirSync(options.folder, {mode: 0o755});
	chmodSync(options.folder, 0o755);
	chmodSync(path.dirname(options.folder), 0o755);
	const redis = await open(t, options);
	const files = readdirSync(options.folder, {recursive: true}).map(name => path.join(options.folder, String(name)));

	t.deepEqual(
		[options.folder, ...files].filter(file => (statSync(file).mode & 0o077) !== 0),
		[],
	);
	t.deepEqual(await ask(redis.url, connection => connection.config('GET', 'port')), ['port', '0']);
	if (process.getuid?.() === 0) {
		const program = `
			const {connect} = require('node:net');
			connect(process.argv[1]).on('connect', () => console.log('connected')).on('error', error => console.log(error.code));
		`;
		const socket = path.join(options.folder, 'redis.sock');
		const words = ['-e', program, socket];
		const nobody = spawnSync(process.execPath, words, {uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8'});
		t.is(nobody.stdout, 'EACCES\n', nobody.stderr);
	}
});

test('a file in place of the folder is refused by name', async t => {
	const folder = path.join(temporaryFolder(t), 'file');
	writeFileSync(folder, '');

	const error = await t.throwsAsync(openEmbeddedRedis({folder}), {instanceOf: EmbeddedRedisError, code: 'folder'});

	t.true(error?.message.includes(folder));
});

test('a folder without write permission is refused', async t => {
	// Root may write everywhere except in the kernel's own file systems.
	const isRoot = process.getuid?.() === 0;
	const folder = isRoot ? '/sys/bothy' : path.join(temporaryFolder(t), 'locked');
	if (!isRoot) {
		mkdirSync(folder);
		chmodSync(folder, 0o500);
	}

	await t.throwsAsync(openEmbeddedRedis({folder}), {instanceOf: EmbeddedRedisError, code: 'folder'});
});

/** The file to which the server appends its commands. */
function logOf({folder}: EmbeddedRedisOptions): string {
	const logs = path.join(folder, 'appendonlydir');
	return path.join(logs, readdirSync(logs).find(name => name.includes('.incr.')) ?? '');
}

test("a log that ends in the middle of a command does not prevent the server's start", async t => {
	const options = optionsFor(t);
	const first = await openEmbeddedRedis(options);
	await ask(first.url, redis => redis.set('word', 'kept'));
	await ask(first.url, redis => redis.set('last', 'x'.repeat(1000)));
	await first.close();
	const log = logOf(options);
	truncateSync(log, statSync(log).size - 500);

	const second = await open(t, options);

	t.is(await ask(second.url, redis => redis.get('word')), 'kept');
	t.is(await ask(second.url, redis => redis.get('last')), null);
});

test('a server that cannot start reports the reason to every waiting user', async t => {
	const options = optionsFor(t);
	const first = await openEmbeddedRedis(options);
	await ask(first.url, redis => redis.set('word', 'kept'));
	await first.close();
	writeFileSync(logOf(options), 'no commands at all\r\n'.repeat(10));

	const refused = {
		instanceOf: EmbeddedRedisError,
		code: 'start',
		message: /^Could not start Redis for .*redis: it ended with exit code 1:\n.*Bad file format/s,
	};
	await Promise.all([1, 2].map(() => t.throwsAsync(openEmbeddedRedis(options), refused)));
});

test('the server keeps its guarantees about data', async t => {
	const redis = await open(t, optionsFor(t));

	for (const [name, value] of Object.entries({
		appendonly: 'yes',
		'maxmemory-policy': 'noeviction',
		hz: '100',
		save: '',
	})) {
		t.deepEqual(await ask(redis.url, connection => connection.config('GET', name)), [name, value]);
	}
});
