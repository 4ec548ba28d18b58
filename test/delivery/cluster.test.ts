// Deliveries and queues on a real Redis Cluster of three nodes, with a password, and under a prefix of their own.

import {once} from 'node:events';
import test from 'ava';
import {z} from '../../src/api/zod.js';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {createDraftStore, LockLost} from '../../src/drafts/store.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {defineQueue, openQueue} from '../../src/queue/define-queue.js';
import {defineWorker, startWorker} from '../../src/queue/define-worker.js';
import {createAvailability} from '../../src/redis/availability.js';
import {connectRedis} from '../../src/redis/connection.js';
import {payload} from '../helpers/payload.js';
import {PASSWORD, startCluster} from '../helpers/redis-nodes.js';

const teardowns: Array<() => unknown> = [];
let url = '';

test.before(async () => {
	const scope = {title: 'tests', teardown: (act: () => unknown) => void teardowns.unshift(act)};
	({url} = await startCluster(scope, {password: PASSWORD}));
});

test.after.always(async () => {
	for (const act of teardowns) {
		await act();
	}
});

const quiet = {info() {}, warn() {}, error() {}};
const PUT = {n: 1, kind: 'send', target: '{"dm":[1]}', text: 'x', mayBePosted: false} as const;
const listener = {onLost() {}, onBack() {}};

test('deliveries of many accounts are claimed, answered and posted from a Cluster', async t => {
	const connection = connectRedis(url, {failFast: true, prefix: 'staging', listener});
	await once(connection, 'ready');
	t.teardown(() => connection.disconnect());
	const store = createRedisStore(connection);
	const outboxes = createOutboxStore(connection);
	const availability = createAvailability({probe: () => connection.set('{bothy}:probe', '1'), log: quiet});
	t.teardown(() => availability.close());
	const deliveries = createDeliveries({
		process: 'a',
		store,
		availability,
		log: quiet,
		isDead: () => false,
		async enqueue() {},
		async handle({run: {say}, session}) {
			session?.save('{"seen":1}');
			await say.send({target: '{"dm":[1]}', text: 'elsewhere'});
			await say.reply('hello');
		},
	});
	t.teardown(() => deliveries.close(0));

	for (let index = 0; index < 20; index++) {
		const account = {
			site: 'https://chat.example.com',
			email: `bot-${index}@example.com`,
			deadlineMs: 600_000,
			timeoutMs: 60_000,
			concurrency: 10,
			perMinute: 20,
			hasSession: true,
		};
		const work = {kind: 'message', payload: payload()} as const;
		const arrived = {account, work, arrivedAt: performance.now()};
		t.is((await deliveries.receive(arrived)).body, '{"content":"hello"}');
		t.is((await deliveries.receive(arrived)).body, '{"content":"hello"}', 'a repeat');
		const ref = deliveryRef(account, payload());
		const opened = await outboxes.open(ref, 'worker', 'waiting');
		t.is(opened?.entries[0]?.text, 'elsewhere');
		const attempt = 'sending 1 0 - 0 0';
		t.is(await outboxes.begin(ref, 'worker', {n: 1, state: attempt}), 'begun');
		t.is(await outboxes.end(ref, 'worker', {n: 1, state: 'sent 5', attempt, messageId: 5}), 'recorded');
		t.false(await outboxes.claimMessage({ref, n: 2}, 5));
		t.true(await outboxes.put({...ref, id: `${ref.id}-put`}, {...PUT, dueAt: Date.now() + 60_000}, 'later'));
		t.deepEqual([...(await outboxes.named(ref.account)).keys()], ['later']);
		t.true(await outboxes.move({ref: {...ref, id: `${ref.id}-put`}, n: 1}, Date.now() + 120_000));
		t.true(await outboxes.cancel({ref: {...ref, id: `${ref.id}-put`}, n: 1}, 'later'));
		t.true(await outboxes.open({...ref, id: `${ref.id}-put`}, 'worker', 'waiting').then(Boolean));
		t.true(await outboxes.close({...ref, id: `${ref.id}-put`}, 'worker', 0));
		t.true(await outboxes.close(ref, 'worker', 0));
		await store.confirm([{ref, carrier: '1'}]);
		t.deepEqual(await store.due(ref.account, 10), []);
		t.is((await store.list(ref.account, {since: 0, limit: 10})).length, 1);
	}
});

test('a queue works on a Cluster', async t => {
	const open = () => connectRedis(url, {prefix: 'staging', listener});
	const connections = [open(), open()] as const;
	t.teardown(() => {
		for (const connection of connections) {
			connection.disconnect();
		}
	});
	const definition = defineQueue({name: 'numbers', schema: z.object({n: z.int()}), result: z.object({})});
	const done = new Set<number>();
	let finish = () => {};
	const finished = new Promise<void>(resolve => {
		finish = resolve;
	});
	const worker = await startWorker(
		defineWorker({
			queue: definition,
			concurrency: 5,
			async run({n}, _tools: {log: typeof quiet}) {
				done.add(n);
				if (done.size === 20) {
					finish();
				}

				return {};
			},
		}),
		connections[0],
		{log: quiet},
	);
	const queue = openQueue(definition, connections[1]);
	await Promise.all(Array.from({length: 20}, (_, n) => queue.add({n}, {delayMs: n % 2 ? 20 : 0})));

	await finished;

	t.is(done.size, 20);
	await worker.close();
	await queue.close();
});

test('a Cluster stores the drafts of many accounts', async t => {
	const connection = connectRedis(url, {listener});
	t.teardown(() => connection.disconnect());
	const store = createDraftStore(connection);

	for (let index = 0; index < 20; index++) {
		const account = `https://chat.example.com|person-${index}@example.com`;
		await store.put(account, 'Bot@example.com', {key: 'a', target: '{"dm":[1]}', text: 'x'});
		t.true(await store.lock(account, 'worker'));
		const rev = (await store.load(account)).wanted.get('bot@example.com a')?.rev ?? '';
		const status = {kind: 'gone'} as const;
		const known = {v: 1, rev, draft: null, written: [], after: 0, isRestored: false, at: 0, status} as const;
		const journal = {v: 1, queueId: 'q', lastEventId: -1, writes: []} as const;
		await store.write(account, 'worker', {
			known: new Map([['bot@example.com a', {...known, written: []}]]),
			journal: {...journal, writes: []},
		});
		t.like(await store.load(account), {journal});
		t.deepEqual(await store.list(account), [
			{bot: 'bot@example.com', key: 'a', target: '{"dm":[1]}', text: 'x', status},
		]);
		await store.write(account, 'worker', {forget: new Map([['bot@example.com a', rev]]), journal: null});
		await store.unlock(account, 'worker');
		await t.throwsAsync(store.write(account, 'worker', {}), {instanceOf: LockLost});
		t.deepEqual(await store.list(account), []);
	}
});
