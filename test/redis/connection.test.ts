// Connections to a Redis that is frozen, replaced, loading, or not there yet, and which errors mean that it is away.

import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {Cluster} from 'ioredis';
import {z} from '../../src/api/zod.js';
import {defineQueue, openQueue} from '../../src/queue/define-queue.js';
import {createAvailability} from '../../src/redis/availability.js';
import {type ConnectionListener, connectRedis} from '../../src/redis/connection.js';
import {listenTo} from '../../src/redis/listen-to.js';
import {startRedis} from '../helpers/redis.js';
import {PASSWORD, type RedisNode, startCluster, startPair, startSentinels} from '../helpers/redis-nodes.js';
import {until} from '../helpers/until.js';

const quiet: ConnectionListener = {onLost() {}, onBack() {}};

function open(t: ExecutionContext, url: string, {failFast = false, listener = quiet} = {}) {
	const connection = connectRedis(url, {failFast, listener});
	t.teardown(() => connection.disconnect());
	return connection;
}

// Runs before the other tests, because it suspends the process.
test.serial('answers that Redis sent while this process was suspended still count', async t => {
	const connection = open(t, await startRedis(t), {failFast: true});
	await until(() => connection.status === 'ready');

	const answer = connection.blpop('nothing', 0.5);
	await new Promise(setImmediate);
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);

	t.is(await answer, null);
});

interface Refusing {
	/** The command that is refused. */
	readonly ask: 'get' | 'set';
	become(one: RedisNode, other: RedisNode): Promise<unknown>;
}

const leaves = test.macro({
	title: (_, refusal: string) => `a connection leaves a server that answers ${refusal}, and asks its successor`,
	async exec(t, refusal: string, {ask, become}: Refusing) {
		const {url, nodes, lead} = await startPair(t);
		const [one, other] = nodes;
		const waiting = open(t, url);
		const failFast = open(t, url, {failFast: true});
		await until(() => waiting.status === 'ready' && failFast.status === 'ready');
		await other.redis.replicaof('NO', 'ONE');
		await other.redis.set('key', 'value');
		await become(one, other);
		const asked = (connection: typeof waiting) =>
			ask === 'get' ? connection.get('key') : connection.set('key', 'value', 'GET');
		await until(() =>
			asked(failFast).then(
				() => false,
				error => error.message.startsWith(refusal),
			),
		);

		lead(other);

		t.is(await asked(waiting), 'value');
		await until(() =>
			asked(failFast).then(
				value => value === 'value',
				() => false,
			),
		);
	},
});

test(leaves, 'READONLY', {ask: 'set', become: (one, other) => one.redis.replicaof('127.0.0.1', other.port)});

test(leaves, 'NOREPLICAS', {ask: 'set', become: one => one.redis.config('SET', 'min-replicas-to-write', 2)});

test(leaves, 'LOADING', {
	ask: 'get',
	async become(one, other) {
		await other.redis.eval("for n = 1, 1000 do redis.call('SET', 'key ' .. n, string.rep('x', 2000)) end", 0);
		await other.redis.config('SET', 'rdbcompression', 'no');
		// Microseconds for each key: loading takes longer than this test may, and the server answers between keys.
		await one.redis.config('SET', 'key-load-delay', 50_000);
		await one.redis.config('SET', 'loading-process-events-interval-bytes', 1024);
		await one.redis.replicaof('127.0.0.1', other.port);
		await until(async () => (await one.redis.info('persistence')).includes('\r\nloading:1'));
	},
});

test('a frozen Sentinel is skipped', async t => {
	const {url, sentinels} = await startSentinels(t);
	// The Sentinel that is asked first.
	sentinels[0]?.freeze();
	t.teardown(() => sentinels[0]?.thaw());

	t.is(await open(t, url).ping(), 'PONG');
});

test('no connection ends permanently when Sentinels name a new master during a reconnect', async t => {
	const {url, nodes, switched, ready} = await startSentinels(t);
	const [master, replica] = nodes;
	const connections = Array.from({length: 60}, () => open(t, url));
	await Promise.all(connections.map(connection => connection.ping()));
	await ready(replica);

	await master.kill();
	await switched(master);

	const pongs = await Promise.all(connections.map(connection => connection.ping()));
	t.deepEqual(new Set(pongs), new Set(['PONG']));
});

test('a server that never answers is reported lost once, and left for the Redis that replaces it', async t => {
	const {url, nodes} = await startPair(t);
	const [redis] = nodes;
	redis.freeze();
	t.teardown(() => redis.thaw());
	const lost: string[] = [];
	const listener = {
		onLost: (error: Error, host: string) => lost.push(`${host}: ${error.message}`),
		onBack: () => lost.push('back'),
	};
	const connection = open(t, url, {listener});
	const pong = connection.ping();
	await until(() => lost.length > 0);
	redis.thaw();

	t.is(await pong, 'PONG');
	await until(() => lost.includes('back'));
	const {port} = new URL(url);
	t.deepEqual(lost, [`127.0.0.1:${port}: it accepts connections but was not ready after 3000 ms`, 'back']);
});

test('a subscription that Redis refuses at first begins once Redis accepts it', async t => {
	const {url, nodes} = await startPair(t);
	const [{redis}] = nodes;
	await redis.call('ACL', 'SETUSER', 'default', 'resetchannels');
	const subscriber = open(t, url);
	const refused: string[] = [];
	const subscribe = subscriber.subscribe.bind(subscriber) as (channel: string) => Promise<unknown>;
	subscriber.subscribe = (async (channel: string) =>
		subscribe(channel).catch((error: Error) => {
			refused.push(error.message);
			throw error;
		})) as typeof subscriber.subscribe;
	const heard: string[] = [];

	const listening = listenTo(subscriber, 'news', text => heard.push(text));
	await until(() => refused.length > 0);
	await redis.call('ACL', 'SETUSER', 'default', 'allchannels');
	await listening;
	await redis.publish('news', 'tea');

	await until(() => heard.length > 0);
	t.regex(refused[0] ?? '', /^NOPERM/);
	t.deepEqual(heard, ['tea']);
});

test('a queue that was opened while Redis was frozen works once Redis resumes', async t => {
	const {url, nodes} = await startPair(t);
	const [redis] = nodes;
	const connection = open(t, url, {failFast: true});
	await until(() => connection.status === 'ready');
	redis.freeze();
	t.teardown(() => redis.thaw());
	const queue = openQueue(defineQueue({name: 'numbers', schema: z.object({}), result: z.object({})}), connection);
	await t.throwsAsync(queue.add({}));
	redis.thaw();

	const added = () =>
		queue.add({}).then(
			() => true,
			() => false,
		);
	t.true(await until(added, {withinMs: 60_000}));
});

test('commands wait for a Cluster that is down, however long', async t => {
	const {url, nodes} = await startCluster(t, {password: PASSWORD});
	const connection = open(t, url);
	await connection.ping();
	for (const node of nodes) {
		await node.redis.config('SET', 'cluster-require-full-coverage', 'yes');
	}

	await nodes[0]?.kill();
	await until(async () => String(await nodes[1]?.redis.cluster('INFO')).includes('cluster_state:fail'));
	const keys = Array.from({length: 20}, (_, n) => `key ${n}`);
	const written = Promise.all(keys.map(key => connection.set(key, 'x')));
	// ioredis itself gives up after sixteen tries, a tenth of a second apart.
	t.is(await Promise.race([written, sleep(2_500)]), undefined);
	await nodes[0]?.start();

	t.deepEqual(new Set(await written), new Set(['OK']));
});

test('a connection that is closed while it asks a Cluster for its nodes lets the process exit', async t => {
	const {url, nodes} = await startCluster(t, {password: PASSWORD});
	const connection = open(t, url) as Cluster;
	// BullMQ blocks on a duplicate.
	const both = [connection, connection.duplicate()];
	await Promise.all(both.map(each => each.ping()));
	for (const node of nodes) {
		node.freeze();
	}

	const areAsking = (expected: boolean) => both.every(each => Reflect.get(each, 'isRefreshing') === expected);
	await until(() => areAsking(true));
	for (const each of both) {
		each.disconnect();
	}

	for (const node of nodes) {
		node.thaw();
	}

	await until(() => areAsking(false));
	t.deepEqual(
		both.map(each => (Reflect.get(each, 'slotsTimer') as NodeJS.Timeout | null)?.hasRef()),
		[false, false],
	);
});

// Which errors mean that Redis is away, and which are real errors.

const log = {info() {}, warn() {}};

/** In the form in which ioredis reports a server's error. */
function refusal(message: string): Error {
	return Object.assign(new Error(message), {name: 'ReplyError'});
}

const away = test.macro({
	title: (_, error: Error) => `Redis is away when it says "${error.message}"`,
	async exec(t, error: Error) {
		const availability = createAvailability({probe: () => new Promise(() => {}), log});
		t.teardown(() => availability.close());

		t.is(await availability.attempt(() => Promise.reject(error)), undefined);

		t.true(availability.isAway);
	},
});

test(away, refusal("READONLY You can't write against a read only replica. script: 24e8, on @user_script:3."));
test(
	away,
	refusal(
		'ERR Error running script (call to f_24e8): @user_script:3: @user_script: 3: -READONLY You can not write against a read only replica.',
	),
);
test(away, refusal('NOREPLICAS Not enough good replicas to write.'));
test(away, refusal('LOADING Redis is loading the dataset in memory'));
test(away, refusal('CLUSTERDOWN The cluster is down'));
test(away, refusal('UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)'));
test(away, new Error('Command timed out'));
test(away, new Error('Connection is closed.'));
test(away, new Error("Cluster isn't ready and enableOfflineQueue options is false"));
test(away, new Error('Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down'));

const fault = test.macro({
	title: (_, error: Error) => `"${error.message}" is thrown to the caller`,
	async exec(t, error: Error) {
		const availability = createAvailability({probe: async () => {}, log});

		t.is(await t.throwsAsync(availability.attempt(() => Promise.reject(error))), error);

		t.false(availability.isAway);
	},
});

test(fault, refusal('ERR Error running script (call to f_24e8): @user_script:3: attempt to index a nil value'));
test(fault, refusal('WRONGTYPE Operation against a key holding the wrong kind of value'));
test(fault, new TypeError("Cannot read properties of undefined (reading 'READONLY')"));

test('a Redis that answers few steps in time still runs all waiting steps', async t => {
	let isThere = false;
	let together: {steps: number} | undefined;
	const availability = createAvailability({
		async probe() {
			if (!isThere) {
				throw new Error('Command timed out');
			}
		},
		log,
	});
	t.teardown(() => availability.close());
	// A waiting step does not keep a process alive.
	const alive = setInterval(() => {}, 1_000);
	t.teardown(() => clearInterval(alive));
	/** With too many at once, it answers none of them in time. */
	async function step(): Promise<string> {
		together ??= {steps: 0};
		const others = together;
		others.steps++;
		await new Promise(setImmediate);
		together = undefined;
		if (!isThere || others.steps > 100) {
			throw new Error('Command timed out');
		}

		return 'done';
	}

	const waiting = Array.from({length: 1_000}, () => availability.retry(step, () => false));
	await new Promise(setImmediate);
	t.true(availability.isAway);
	isThere = true;

	t.is((await Promise.all(waiting)).length, 1_000);
});
