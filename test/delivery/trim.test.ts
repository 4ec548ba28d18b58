// The ledger stays small, and loses nothing that is still needed.

import test, {type ExecutionContext} from 'ava';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import type {OutboxEntry} from '../../src/delivery/store.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {dueStrays} from '../../src/redis/stored-accounts.js';
import sweep from '../../workers/sweep.js';
import {connectToRedis} from '../helpers/shared-redis.js';

const ACCOUNT = 'https://chat|bot@x';
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const reply: OutboxEntry = {n: 1, kind: 'reply', target: '', text: 'x', dueAt: 0, mayBePosted: false};

async function startLedger(t: ExecutionContext) {
	const redis = await connectToRedis(t);
	const store = createRedisStore(redis);
	const key = (what: string) => `bothy:{${ACCOUNT}}:${what}`;
	const request = {nonce: 'a', work: '{"data":"text"}', sender: 9, perMinute: 0};

	/** A delivery that arrived this long ago. */
	async function claim(id: string, agoMs: number): Promise<DeliveryRef> {
		const ref = {account: ACCOUNT, id};
		await store.claim(ref, request);
		await redis.zadd(key('ledger'), String(Date.now() - agoMs), id);
		return ref;
	}

	return {
		redis,
		store,
		outboxes: createOutboxStore(redis),
		key,
		request,
		claim,
		/** A delivery that was answered, and whose answer was confirmed. */
		async finished(id: string, agoMs: number): Promise<DeliveryRef> {
			const ref = await claim(id, agoMs);
			await store.finish(ref, {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: [reply]});
			await store.confirm([{ref, carrier: '1'}]);
			return ref;
		},
		/** The next time at which the account is trimmed. */
		async trim(options: {textMs?: number; texts?: number; bytes?: number} = {}) {
			await redis.del(key('trim'));
			return store.trim(ACCOUNT, {textMs: 24 * HOUR_MS, texts: 10_000, bytes: 1e9, ...options});
		},
		async withText(): Promise<string[]> {
			const entries = await store.list(ACCOUNT, {since: 0, limit: 10_000});
			return entries.filter(({work}) => work !== undefined).map(({ref}) => ref.id);
		},
	};
}

test('text is dropped after its time, and a repeat still gets the recorded answer', async t => {
	const {store, request, finished, trim, withText} = await startLedger(t);
	const old = await finished('old', 25 * HOUR_MS);
	await finished('new', 23 * HOUR_MS);

	await trim();

	t.deepEqual(await withText(), ['new']);
	t.like(await store.read(old), {status: 'done', answer: '{"content":"x"}'});
	t.like(await store.claim(old, {...request, nonce: 'repeat'}), {kind: 'answer', answer: '{"content":"x"}'});
});

test('text beyond the latest deliveries is dropped before its time', async t => {
	const {finished, trim, withText} = await startLedger(t);
	for (let n = 1; n <= 5; n++) {
		await finished(`n${n}`, HOUR_MS - n * 1_000);
	}

	await trim({texts: 2});

	t.deepEqual(await withText(), ['n5', 'n4']);
});

test('the oldest texts are dropped while all of them have too many bytes, however few they are', async t => {
	const {redis, key, request, finished, trim, withText} = await startLedger(t);
	const size = request.work.length;
	for (let n = 1; n <= 40; n++) {
		await finished(`n${n}`, HOUR_MS - n * 1_000);
	}

	await trim({bytes: 40 * size});
	t.is((await withText()).length, 40);
	await trim({bytes: 30 * size});
	t.deepEqual(
		await withText(),
		Array.from({length: 30}, (_, index) => `n${40 - index}`),
	);
	t.is(await redis.get(key('text-bytes')), String(30 * size));

	await trim({textMs: 0});
	t.is(await redis.get(key('text-bytes')), '0');
	t.is(await redis.hlen(key('text-sizes')), 0);
});

test('the ledger of an account that no config has is trimmed once an hour', async t => {
	const {redis, store, key, finished} = await startLedger(t);
	await finished('old', WEEK_MS + HOUR_MS);
	const known = [{site: 'https://other', email: 'bot@x'}];
	const quiet = {info() {}, warn() {}, error() {}};
	const strays = () => dueStrays(redis, known);
	const dependencies = {
		accounts: known,
		store,
		strays,
		paused: async () => new Map(),
		ledgerTextMs: 0,
		log: quiet,
		async rerun() {},
		async enqueue() {},
	};

	await sweep(dependencies, {isTrimming: true});

	t.deepEqual(await redis.zrange(key('ledger'), '0', '-1'), []);
	t.deepEqual(await strays(), []);
});

test('a delivery with work left keeps its text until the work is done', async t => {
	const {outboxes, redis, key, store, claim, trim, withText} = await startLedger(t);
	await claim('running', 30 * HOUR_MS);
	const unconfirmed = await claim('unconfirmed', 30 * HOUR_MS);
	await store.finish(unconfirmed, {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: [reply]});
	const waiting = await claim('waiting', 30 * HOUR_MS);
	await store.append(waiting, 1, [{...reply, kind: 'send', dueAt: Date.now() + WEEK_MS}]);
	await store.finish(waiting, {run: 1, answer: '{}', canAnswer: true, replies: []});
	await store.confirm([{ref: waiting, carrier: '1'}]);

	await trim({textMs: 0});
	t.deepEqual((await withText()).toSorted(), ['running', 'unconfirmed', 'waiting']);

	await store.confirm([{ref: unconfirmed, carrier: '1'}]);
	t.truthy(await outboxes.open(waiting, 'worker', 'waiting'));
	await outboxes.end(waiting, 'worker', {n: 1, state: 'sent 5', attempt: 'waiting'});
	await outboxes.close(waiting, 'worker', 0);
	await trim({textMs: 0});
	t.deepEqual(await withText(), ['running'], 'the cursor has passed them, and they are found all the same');
	t.deepEqual(await redis.zrange(key('trim-later'), '0', '-1'), ['running']);
});

test('an entry leaves the ledger after a week, unless it has a post that is due later', async t => {
	const {redis, key, store, claim, finished, trim} = await startLedger(t);
	await finished('old', WEEK_MS + HOUR_MS);
	await finished('young', WEEK_MS - HOUR_MS);
	const waiting = await claim('waiting', WEEK_MS + 2 * HOUR_MS);
	await store.append(waiting, 1, [{...reply, kind: 'send', dueAt: Date.now() + WEEK_MS}]);
	await store.finish(waiting, {run: 1, answer: '{}', canAnswer: true, replies: []});

	await trim();

	t.deepEqual(await redis.zrange(key('ledger'), '0', '-1'), ['waiting', 'young']);
});

test('only one of many workers trims an account, and not again at once', async t => {
	const {store} = await startLedger(t);
	const options = {textMs: 0, texts: 10, bytes: 1e9};

	const trimmed = await Promise.all([1, 2, 3].map(() => store.trim(ACCOUNT, options)));

	t.is(trimmed.filter(Boolean).length, 1);
	t.false(await store.trim(ACCOUNT, options));
});

test('one trim handles more than a step holds', async t => {
	const {redis, key, trim, withText} = await startLedger(t);
	const ids = Array.from({length: 1_700}, (_, index) => `n${index}`);
	const at = Date.now() - 25 * HOUR_MS;
	const pipeline = redis.pipeline();
	for (const [index, id] of ids.entries()) {
		pipeline.hset(key(`delivery:${id}`), {v: '1', status: 'done', run: '1', at: '1', work: '{}'});
		// A hundred in each millisecond.
		pipeline.zadd(key('ledger'), String(at + Math.floor(index / 100)), id);
	}

	await pipeline.exec();
	t.is((await withText()).length, 1_700);
	await trim();

	t.deepEqual(await withText(), []);
});
