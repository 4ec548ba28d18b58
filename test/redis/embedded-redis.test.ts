import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import test, {type ExecutionContext} from 'ava';
import {Redis} from 'ioredis';
import {EmbeddedRedisError, type EmbeddedRedisOptions, openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {freePort, isListening} from '../../src/redis/find-running-redis.js';

const moduleUrl = new URL('../../src/redis/embedded-redis.js', import.meta.url).href;

function temporaryFolder(t: ExecutionContext): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'bothy-redis-'));
	t.teardown(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
}

async function optionsFor(
	t: ExecutionContext,
	change: Partial<EmbeddedRedisOptions> = {},
): Promise<EmbeddedRedisOptions> {
	const folder = path.join(temporaryFolder(t), 'redis');
	return {folder, port: await freePort(), exclusive: true, owner: 'a test (process 1)', ...change};
}

async function open(t: ExecutionContext, options: EmbeddedRedisOptions) {
	const redis = await openEmbeddedRedis(options);
	t.teardown(redis.close);
	return redis;
}

async function ask<Reply>(url: string, question: (redis: Redis) => Promise<Reply>): Promise<Reply> {
	const redis = new Redis(url, {retryStrategy: () => null});
	redis.on('error', () => {});
	try {
		return await question(redis);
	} finally {
		redis.disconnect();
	}
}

/** A process of its own that opens Redis, and the URL it got. */
async function openElsewhere(
	t: ExecutionContext,
	options: EmbeddedRedisOptions,
): Promise<{owner: ChildProcess; url: string}> {
	const program = `
		const {openEmbeddedRedis} = await import(${JSON.stringify(moduleUrl)});
		const redis = await openEmbeddedRedis(${JSON.stringify(options)});
		console.log(redis.url);
		process.stdin.resume().once('end', () => process.exit());
	`;
	const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {stdio: ['pipe', 'pipe', 'inherit']});
	const [url] = await once(createInterface(owner.stdout), 'line');
	t.teardown(async () => {
		owner.kill('SIGKILL');
		await ask(url, redis => redis.shutdown()).catch(() => {});
	});
	return {owner, url};
}

async function kill(owner: ChildProcess): Promise<void> {
	owner.kill('SIGKILL');
	await once(owner, 'exit');
}

test('data survive close and reopen', async t => {
	const options = await optionsFor(t);
	const first = await openEmbeddedRedis(options);
	await ask(first.url, redis => redis.set('word', 'kept'));
	await first.close();

	const second = await open(t, options);

	t.is(await ask(second.url, redis => redis.get('word')), 'kept');
	t.false(second.joined);
});

test('close leaves nothing that listens', async t => {
	const options = await optionsFor(t);
	const redis = await openEmbeddedRedis(options);

	await redis.close();
	await redis.close();

	t.false(await isListening(options.port));
});

test('after kill -9 of its owner the next start gets a fresh server with the data', async t => {
	const options = await optionsFor(t);
	const {owner, url} = await openElsewhere(t, options);
	await ask(url, redis => redis.set('word', 'kept'));
	await kill(owner);
	t.true(await isListening(options.port), 'the server of the killed owner is still there');

	const next = await open(t, options);

	t.false(next.joined);
	t.is(await ask(next.url, redis => redis.get('word')), 'kept');
});

test('the server of a killed owner is found when the port has changed since', async t => {
	const options = await optionsFor(t);
	const {owner, url} = await openElsewhere(t, options);
	await ask(url, redis => redis.set('word', 'kept'));
	await kill(owner);

	const next = await open(t, {...options, port: 0});

	t.is(await ask(next.url, redis => redis.get('word')), 'kept');
	t.false(await isListening(options.port));
});

test('one that wants it for itself is told who has it', async t => {
	const options = await optionsFor(t, {owner: 'bothy start (process 4711)'});
	await open(t, options);

	const error = await t.throwsAsync(openEmbeddedRedis({...options, owner: 'the second'}), {
		instanceOf: EmbeddedRedisError,
		code: 'owned',
	});

	t.regex(error?.message ?? '', /bothy start \(process 4711\)/);
});

test('one that shares joins, and its close stops nothing', async t => {
	const options = await optionsFor(t);
	const first = await open(t, options);

	const second = await openEmbeddedRedis({...options, exclusive: false, owner: 'the second'});
	t.true(second.joined);
	t.is(second.url, first.url);
	await second.close();

	t.is(await ask(first.url, redis => redis.ping()), 'PONG');
});

test('one that joined hears when the owner stops', async t => {
	const options = await optionsFor(t);
	const first = await openEmbeddedRedis(options);
	const second = await open(t, {...options, exclusive: false});
	const heard = new Promise(resolve => second.onExit(resolve));

	await first.close();

	t.is(await heard, 'its owner stopped it');
});

test('of several that start at once one wins and the others join', async t => {
	const options = await optionsFor(t, {exclusive: false});

	const opened = await Promise.all([1, 2, 3, 4].map(number => open(t, {...options, owner: `number ${number}`})));

	t.is(opened.filter(redis => !redis.joined).length, 1);
	t.is(new Set(opened.map(redis => redis.url)).size, 1);
});

test('of two processes that want it for themselves at once one is told who won', async t => {
	const options = await optionsFor(t);

	const outcomes = await Promise.allSettled([
		open(t, {...options, owner: 'left'}),
		open(t, {...options, owner: 'right'}),
	]);

	const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []));
	t.is(refused.length, 1);
	t.is(refused[0].code, 'owned');
	t.regex(refused[0].message, /left|right/);
});

test('another program on the port is named', async t => {
	const options = await optionsFor(t);
	const server = createHttpServer().listen(options.port, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());

	const error = await t.throwsAsync(openEmbeddedRedis(options), {instanceOf: EmbeddedRedisError, code: 'port'});

	t.regex(error?.message ?? '', new RegExp(`port ${options.port} .*REDIS_PORT.*REDIS_URL`));
	if (process.platform === 'linux') {
		t.regex(error?.message ?? '', new RegExp(`process ${process.pid} \\(`));
	}
});

test('the Redis of another folder on the port is left alone', async t => {
	const options = await optionsFor(t);
	const other = await open(t, {...options, folder: path.join(temporaryFolder(t), 'other')});

	await t.throwsAsync(openEmbeddedRedis(options), {instanceOf: EmbeddedRedisError, code: 'port'});

	t.is(await ask(other.url, redis => redis.ping()), 'PONG');
});

test('a file in the place of the folder is refused by name', async t => {
	const folder = path.join(temporaryFolder(t), 'file');
	writeFileSync(folder, '');

	const error = await t.throwsAsync(openEmbeddedRedis(await optionsFor(t, {folder})), {
		instanceOf: EmbeddedRedisError,
		code: 'folder',
	});

	t.true(error?.message.includes(folder));
});

test('a folder that we may not write is refused', async t => {
	// Root may write everywhere but where the kernel makes the files.
	const isRoot = process.getuid?.() === 0;
	const folder = isRoot ? '/sys/bothy' : path.join(temporaryFolder(t), 'locked');
	if (!isRoot) {
		mkdirSync(folder);
		chmodSync(folder, 0o500);
	}

	await t.throwsAsync(openEmbeddedRedis(await optionsFor(t, {folder})), {
		instanceOf: EmbeddedRedisError,
		code: 'folder',
	});
});

test('a log that ends in the middle of a command does not keep the server from starting', async t => {
	const options = await optionsFor(t);
	const first = await openEmbeddedRedis(options);
	await ask(first.url, redis => redis.set('word', 'kept'));
	await ask(first.url, redis => redis.set('last', 'x'.repeat(1000)));
	await first.close();
	const logs = path.join(options.folder, 'appendonlydir');
	const log = path.join(logs, readdirSync(logs).find(name => name.includes('.incr.')) ?? '');
	truncateSync(log, statSync(log).size - 500);

	const second = await open(t, options);

	t.is(await ask(second.url, redis => redis.get('word')), 'kept');
	t.is(await ask(second.url, redis => redis.get('last')), null);
});

test('a server that ends by itself is reported', async t => {
	const redis = await open(t, await optionsFor(t));
	const heard = new Promise<string>(resolve => redis.onExit(resolve));

	await ask(redis.url, connection => connection.shutdown().catch(() => {}));

	t.regex(await heard, /it ended with exit code 0/);
});

test('the server keeps its promises about data', async t => {
	const redis = await open(t, await optionsFor(t, {port: 0}));

	for (const [name, value] of Object.entries({
		appendonly: 'yes',
		'maxmemory-policy': 'noeviction',
		hz: '100',
		save: '',
	})) {
		t.deepEqual(await ask(redis.url, connection => connection.config('GET', name)), [name, value]);
	}
});

test('the password is for us alone', async t => {
	const options = await optionsFor(t, {port: 0});
	const redis = await open(t, options);
	const file = path.join(options.folder, 'password');

	t.is(statSync(file).mode & 0o777, 0o600);
	t.true(redis.url.includes(readFileSync(file, 'utf8')));
});

test('Ctrl-C in the terminal does not reach the server', async t => {
	const options = await optionsFor(t);
	const {owner} = await openElsewhere(t, options);

	const [, , , group] = readFileSync(`/proc/${owner.pid}/stat`, 'utf8').split(' ').slice(1);
	const info = await ask(
		`redis://:${readFileSync(path.join(options.folder, 'password'))}@127.0.0.1:${options.port}`,
		redis => redis.info('server'),
	);
	const server = /process_id:(\d+)/.exec(info)?.[1];

	t.not(readFileSync(`/proc/${server}/stat`, 'utf8').split(' ').slice(1)[3], group);
});
