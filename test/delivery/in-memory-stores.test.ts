// Outboxes, crons and values in memory match the Redis scripts, for any events in any order.

import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import type {DeliveryStore, OutboxEntry} from '../../src/delivery/store.js';
import type {EntryState} from '../../src/outbox/entry-state.js';
import {LOCK_MS} from '../../src/outbox/scripts.js';
import {createOutboxStore, type OutboxStore} from '../../src/outbox/store.js';
import {accountKey} from '../../src/redis/account-key.js';
import {type CronStore, createCronStore, type StoredCron} from '../../src/schedules/cron-store.js';
import {createValueStore, MOST_KEYS, type ValueStore} from '../../src/storage/values.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryCronStore} from '../../src/testing/memory-cron-store.js';
import {createMemoryOutboxStore} from '../../src/testing/memory-outbox-store.js';
import {createMemoryStore} from '../../src/testing/memory-store.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {
	type Action,
	assertOften,
	both,
	createStep,
	type Draws,
	holdLease,
	listOf,
	type Twins,
} from './in-memory-kit.js';

/** The stores of a host. */
interface Stores {
	readonly deliveries: DeliveryStore;
	readonly outboxes: OutboxStore;
	readonly crons: CronStore;
	readonly values: ValueStore;
}

interface Pair extends Twins<Stores> {
	readonly refs: readonly [DeliveryRef, DeliveryRef];
	/** Makes every lock and lease lapse. */
	lapse(): Promise<void>;
}

let counter = 0;

function createPair(redis: Redis): Pair {
	const account = `https://chat|twin-${counter++}@x`;
	const refs = [
		{account, id: '1-abc'},
		{account, id: '2-abc'},
	] as const;
	const memory = new Memory();
	const start = Date.now();
	let ahead = 0;
	const now = () => start + ahead;
	return {
		refs,
		stores: [
			{
				deliveries: createRedisStore(redis),
				outboxes: createOutboxStore(redis),
				crons: createCronStore(redis),
				values: createValueStore(redis),
			},
			{
				deliveries: createMemoryStore(now, memory),
				outboxes: createMemoryOutboxStore(memory, now),
				crons: createMemoryCronStore(memory),
				values: createMemoryValueStore(memory),
			},
		],
		hold: () =>
			Promise.all(
				refs.flatMap(({id}) => [
					holdLease(redis, accountKey(redis, account, `delivery:${id}`)),
					redis.persist(accountKey(redis, account, `lock:${id}`)),
				]),
			),
		async lapse() {
			ahead += LOCK_MS + 1;
			for (const {id} of refs) {
				const delivery = accountKey(redis, account, `delivery:${id}`);
				await redis.del(accountKey(redis, account, `lock:${id}`));
				if ((await redis.exists(delivery)) === 1) {
					await redis.hset(delivery, 'lease', 0);
				}
			}
		},
	};
}

const FAR = Date.parse('2100-01-01T00:00:00Z');

const which = fc.constantFrom(0, 0, 1);
const n = fc.integer({min: 1, max: 2});
const nonce = fc.constantFrom('worker 1', 'worker 1', 'worker 2');
const name = fc.constantFrom('tea', 'cake');
const run = fc.constantFrom(1, 1, 2);
const attempt = fc.constantFrom<EntryState>('sending 1 0 - 0 0', 'sending 2 0 q 0 0');
const ended = fc.constantFrom<EntryState>(
	'sent 5',
	'sent 6',
	'failed no',
	'unknown',
	'waiting',
	'retrying 1 1 0',
	'scheduled 3',
);
const entry: fc.Arbitrary<OutboxEntry> = fc
	.record({
		n,
		text: fc.constantFrom('x', 'y'),
		dueAt: fc.constantFrom(0, FAR),
		mayBePosted: fc.boolean(),
		via: fc.boolean(),
	})
	.map(({via, ...rest}) => ({...rest, kind: 'send', target: '{"dm":[1]}', ...(via && {via: 'service'})}));

const ref = (at: number, {refs}: Pair) => refs[at] as DeliveryRef;

const step = createStep<Stores, Pair>();

/** Like `step`, for an entry that exists: no code asks about others. */
function entryStep<Drawn extends unknown[]>(
	draws: Draws<Drawn>,
	act: (outboxes: OutboxStore, entry: {ref: DeliveryRef; n: number}, ...values: Drawn) => Promise<unknown>,
): fc.Arbitrary<Action<Pair>> {
	return fc.tuple(which, n, fc.tuple<Drawn>(...draws)).map<Action<Pair>>(([at, number, values]) => async (t, pair) => {
		const entries = await pair.stores[0].outboxes.read(ref(at, pair));
		if (entries.some(found => found.n === number)) {
			await both(t, pair, ({outboxes}) => act(outboxes, {ref: ref(at, pair), n: number}, ...values));
			await pair.hold();
		}
	});
}

const messageId = fc.constantFrom(5, 6);
const attempted = fc.record({
	attempt,
	messageId: fc.option(messageId, {nil: undefined}),
	isFound: fc.boolean(),
	closeMs: fc.constantFrom(undefined, 1_000),
});

const outboxAction: fc.Arbitrary<Action<Pair>> = fc.oneof(
	step([which, entry, fc.option(name, {nil: undefined})], ({outboxes}, pair, at, put, named) =>
		outboxes.put(ref(at, pair), put, named),
	),
	step([which, nonce, attempt], ({outboxes}, pair, at, holder, state) => outboxes.open(ref(at, pair), holder, state)),
	entryStep([nonce, attempt], (outboxes, {ref, n}, holder, state) => outboxes.begin(ref, holder, {n, state})),
	entryStep([nonce, ended, attempted], (outboxes, {ref, n}, holder, state, rest) =>
		outboxes.end(ref, holder, {n, state, ...rest}),
	),
	step([which, n, messageId], ({outboxes}, pair, at, n, id) => outboxes.claimMessage({ref: ref(at, pair), n}, id)),
	step([which, n], ({outboxes}, pair, at, n) => outboxes.claimed({ref: ref(at, pair), n})),
	step([which, n], ({outboxes}, pair, at, n) => outboxes.readEntry({ref: ref(at, pair), n})),
	step([which, nonce], ({outboxes}, pair, at, holder) => outboxes.renew(ref(at, pair), holder)),
	step([which, nonce], ({outboxes}, pair, at, holder) => outboxes.close(ref(at, pair), holder, 1_000)),
	entryStep([name], (outboxes, entry, named) => outboxes.name(entry, named)),
	step([which, n, name], ({outboxes}, pair, at, n, named) => outboxes.unname({ref: ref(at, pair), n}, named)),
	step([which, n, name], ({outboxes}, pair, at, n, named) => outboxes.cancel({ref: ref(at, pair), n}, named)),
	step([which, n, fc.constantFrom(1, FAR)], ({outboxes}, pair, at, n, dueAt) =>
		outboxes.move({ref: ref(at, pair), n}, dueAt),
	),
	step([which, n, fc.constantFrom<'waiting' | 'sent 0'>('waiting', 'sent 0')], ({outboxes}, pair, at, n, state) =>
		outboxes.resolve({ref: ref(at, pair), n}, state),
	),
	fc.constant<Action<Pair>>((_t, pair) => pair.lapse()),
);

const deliveryAction: fc.Arbitrary<Action<Pair>> = fc.oneof(
	step([which, nonce, fc.boolean()], ({deliveries}, pair, at, holder, isLate) =>
		deliveries.claim(ref(at, pair), {nonce: holder, work: '{"a":1}', sender: 9, perMinute: 0, isLate}),
	),
	step([which, run, entry], ({deliveries}, pair, at, run, said) => deliveries.append(ref(at, pair), run, [said])),
	step([which, run, entry, name], ({deliveries}, pair, at, run, said, named) =>
		deliveries.schedule(ref(at, pair), run, {...said, name: named}),
	),
	step([which, run, fc.array(entry, {maxLength: 1})], ({deliveries}, pair, at, run, replies) =>
		deliveries.finish(ref(at, pair), {run, answer: '{}', canAnswer: true, replies}),
	),
);

/** Everything that a reader can see of outboxes. */
async function look(t: ExecutionContext, pair: Pair): Promise<void> {
	const {account} = pair.refs[0];
	await both(t, pair, async ({outboxes}) => {
		const [named, unsettled, waiting, ...entries] = await Promise.all([
			outboxes.named(account),
			outboxes.unsettled(account),
			outboxes.waiting(account),
			...pair.refs.map(outboxes.read),
		]);
		// In order of time, and here everything happens at once.
		return [
			[...named].map(([key, owner]) => `${key} ${owner.ref.id} ${owner.n}`).toSorted(),
			unsettled.map(owner => `${owner.ref.id} ${owner.n}`).toSorted(),
			waiting.map(({id}) => id).toSorted(),
			entries,
		];
	});
}

/** Each outbox has an entry, and a worker has opened one. */
const begun = fc.tuple(fc.array(entry, {minLength: 2, maxLength: 3}), entry, attempt);

test('outboxes are equal after any order of adding, posting, naming, moving and cancelling', async t => {
	const redis = await connectToRedis(t);
	const action = fc.oneof({weight: 5, arbitrary: outboxAction}, {weight: 1, arbitrary: deliveryAction});
	await assertOften(
		t,
		fc.asyncProperty(begun, listOf(action, 25), async ([first, other, state], acts) => {
			const pair = createPair(redis);
			for (const said of first) {
				await both(t, pair, ({outboxes}) => outboxes.put(pair.refs[0], said, `name ${said.n}`));
			}

			await both(t, pair, ({outboxes}) => outboxes.put(pair.refs[1], other));
			await both(t, pair, ({outboxes}) => outboxes.open(pair.refs[0], 'worker 1', state));
			await pair.hold();
			for (const act of acts) {
				await act(t, pair);
				await look(t, pair);
			}
		}),
		400,
	);
});

/** What moving, cancelling, posting again and counting as sent answer. */
for (const [state, expected] of [
	['unknown', [false, false, 'resolved', 'resolved']],
	['failed no', [false, false, 'resolved', 'resolved']],
	['scheduled 3', [true, true, 'scheduled 3', 'scheduled 3']],
	['sent 5', [false, false, 'sent 5', 'sent 5']],
	['retrying 1 1 0', [true, true, 'retrying 1 1 0', 'retrying 1 1 0']],
] as const) {
	test(`an entry in the state \`${state}\` is moved, cancelled and resolved the same way`, async t => {
		const redis = await connectToRedis(t);
		const answers: unknown[] = [];
		for (const change of ['move', 'cancel', 'waiting', 'sent 0'] as const) {
			const pair = createPair(redis);
			const entry = {ref: pair.refs[0], n: 1};
			const changes = {
				move: (outboxes: OutboxStore): Promise<unknown> => outboxes.move(entry, FAR),
				cancel: (outboxes: OutboxStore) => outboxes.cancel(entry, 'tea'),
				waiting: (outboxes: OutboxStore) => outboxes.resolve(entry, 'waiting'),
				'sent 0': (outboxes: OutboxStore) => outboxes.resolve(entry, 'sent 0'),
			};
			const said = {n: 1, kind: 'send', target: '', text: 'x', dueAt: FAR, mayBePosted: false} as const;
			await both(t, pair, ({outboxes}) => outboxes.put(entry.ref, said, 'tea'));
			await both(t, pair, async ({outboxes}) => {
				await outboxes.open(entry.ref, 'worker', 'waiting');
				return outboxes.end(entry.ref, 'worker', {n: 1, state, attempt: 'waiting'});
			});
			answers.push(await both<Stores, unknown>(t, pair, ({outboxes}) => changes[change](outboxes)));
			await look(t, pair);
		}

		t.deepEqual(answers, expected);
	});
}

test('an outbox that never ends keeps its latest entries', async t => {
	const pair = createPair(await connectToRedis(t));
	const [ref] = pair.refs;
	for (let number = 1; number <= 60; number++) {
		const said = {n: number, kind: 'send', target: '', text: 'x', dueAt: 0, mayBePosted: false} as const;
		await both(t, pair, ({outboxes}) => outboxes.put(ref, said));
		const state = number % 4 === 0 ? 'unknown' : 'sent 1';
		if (number % 5 !== 0) {
			await both(t, pair, async ({outboxes}) => {
				await outboxes.open(ref, 'worker', 'sending 1 0 - 0 0');
				return outboxes.end(ref, 'worker', {n: number, state, attempt: 'waiting'});
			});
		}
	}

	await both(t, pair, ({outboxes}) => outboxes.trim(ref));
	const kept = await both(t, pair, ({outboxes}) => outboxes.read(ref));
	t.deepEqual(
		kept.map(found => found.n).filter(number => number <= 10),
		[4, 5, 8, 10],
	);
});

const cron = (text: string): StoredCron => ({
	cron: {pattern: '0 9 * * *', tz: 'UTC', missed: 'skip'},
	what: {kind: 'send', target: '{"dm":[1]}', text},
});

const cronAction: fc.Arbitrary<Action<Pair>> = fc.oneof(
	step([name, fc.constantFrom('x', 'y')], ({crons}, {refs}, id, text) => crons.put(refs[0].account, id, cron(text))),
	step([which, run, name], ({crons}, pair, at, run, id) => crons.putFor({ref: ref(at, pair), run}, id, cron('z'))),
	step([which, run, name], ({deliveries}, pair, at, run, id) =>
		deliveries.repeat(ref(at, pair), run, {id, cron: cron('r')}),
	),
	step([name], ({crons}, {refs}, id) => crons.remove(refs[0].account, id)),
	step(
		[name, fc.constantFrom({fired: 1, firedAt: 7}, {missed: 3, missedAt: 8}, {skipped: 1})],
		({crons}, {refs}, id, more) => crons.count(refs[0].account, id, more),
	),
	step([name, fc.constantFrom('1-a', '2-b')], ({crons}, {refs}, id, delivery) =>
		crons.swapDelivery(refs[0].account, id, delivery),
	),
);

test('crons are equal after any order of putting, counting and removing', async t => {
	const redis = await connectToRedis(t);
	const property = fc.asyncProperty(listOf(fc.oneof(cronAction, deliveryAction), 20), async actions => {
		const pair = createPair(redis);
		const {account} = pair.refs[0];
		for (const act of actions) {
			await act(t, pair);
		}

		await both(t, pair, async ({crons}) => {
			const ids = ['tea', 'cake'];
			const seen = ids.flatMap(id => [crons.read(account, id), crons.counts(account, id)]);
			const all = [...(await crons.all(account))].toSorted(([one], [other]) => (one < other ? -1 : 1));
			return [all, await Promise.all(seen)];
		});
	});
	await assertOften(t, property, 100);
});

test('every change of a cron changes the version', async t => {
	const {stores, refs} = createPair(await connectToRedis(t));
	for (const {crons} of stores) {
		const seen = [await crons.version()];
		await crons.put(refs[0].account, 'tea', cron('x'));
		seen.push(await crons.version());
		await crons.remove(refs[0].account, 'tea');
		seen.push(await crons.version());
		t.is(new Set(seen).size, 3);
	}
});

const key = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('1', '2', undefined);

const valueAction: fc.Arbitrary<Action<Pair>> = fc.oneof(
	step(
		[which, run, key, text, fc.option(fc.record({text, copyTo: fc.option(key, {nil: undefined})}), {nil: undefined})],
		({values}, pair, at, run, ...put) => values({ref: ref(at, pair), run}).put(...put),
	),
	step([which, run], ({values}, pair, at, run) => values({ref: ref(at, pair), run}).clear()),
);

test('values are equal after any order of putting, comparing and clearing, by current and stale runs', async t => {
	const redis = await connectToRedis(t);
	const action = fc.oneof({weight: 5, arbitrary: valueAction}, {weight: 1, arbitrary: deliveryAction});
	const property = fc.asyncProperty(listOf(action, 30), async actions => {
		const pair = createPair(redis);
		const claim = {nonce: 'worker 1', work: '{}', sender: 9, perMinute: 0};
		await both(t, pair, ({deliveries}) => deliveries.claim(pair.refs[0], claim));
		for (const act of actions) {
			await act(t, pair);
			await both(t, pair, async ({values}) => {
				const seen = values({ref: pair.refs[0], run: 1});
				const [keys, a] = await Promise.all([seen.keys(), seen.get('a')]);
				return [keys.toSorted(), a];
			});
		}
	});
	await assertOften(t, property, 300);
});

test('an account cannot store more than the maximum number of values', async t => {
	const pair = createPair(await connectToRedis(t));
	const writer = {ref: pair.refs[0], run: 1};
	const claim = {nonce: 'a', work: '{}', sender: 9, perMinute: 0};
	await both(t, pair, ({deliveries}) => deliveries.claim(writer.ref, claim));
	await both(t, pair, async ({values}) => {
		const all = Array.from({length: MOST_KEYS}, (_, index) => values(writer).put(String(index), '1'));
		await Promise.all(all);
	});

	t.is(await both(t, pair, ({values}) => values(writer).put('one more', '1')), 'full');
	t.is(await both(t, pair, ({values}) => values(writer).put('7', '2')), 'put');
	t.is(await both(t, pair, ({values}) => values(writer).put('7', '3', {text: '2', copyTo: 'one more'})), 'full');
	t.is(await both(t, pair, ({values}) => values(writer).put('7', '3', {text: '2', copyTo: '8'})), 'put');
});
