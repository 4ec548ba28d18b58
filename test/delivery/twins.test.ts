// Outboxes, crons and values in memory do what the Redis scripts do, whatever happens in whatever order.

import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import {type CronStore, createCronStore, type StoredCron} from '../../src/delivery/crons.js';
import type {EntryState} from '../../src/delivery/entry-state.js';
import {Memory} from '../../src/delivery/memory.js';
import {createMemoryCronStore} from '../../src/delivery/memory-cron-store.js';
import {createMemoryOutboxStore} from '../../src/delivery/memory-outbox-store.js';
import {createMemoryStore} from '../../src/delivery/memory-store.js';
import {createMemoryValueStore} from '../../src/delivery/memory-value-store.js';
import {LOCK_MS} from '../../src/delivery/outbox-scripts.js';
import {createOutboxStore, type OutboxStore} from '../../src/delivery/outbox-store.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {accountKey, type DeliveryRef} from '../../src/delivery/ref.js';
import type {DeliveryStore, OutboxEntry} from '../../src/delivery/store.js';
import {createValueStore, MOST_KEYS, type ValueStore} from '../../src/delivery/values.js';
import {connectToRedis} from '../helpers/shared-redis.js';

/** What a host keeps its work in. */
interface Stores {
	readonly deliveries: DeliveryStore;
	readonly outboxes: OutboxStore;
	readonly crons: CronStore;
	readonly values: ValueStore;
}

interface Pair {
	readonly refs: readonly [DeliveryRef, DeliveryRef];
	readonly stores: readonly [Stores, Stores];
	/** Lets every lock and lease lapse. */
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
	let ahead = 0;
	const now = () => Date.now() + ahead;
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
		async lapse() {
			ahead += LOCK_MS + 1;
			for (const {id} of refs) {
				const delivery = accountKey(account, `delivery:${id}`);
				await redis.del(accountKey(account, `lock:${id}`));
				if ((await redis.exists(delivery)) === 1) {
					await redis.hset(delivery, 'lease', 0);
				}
			}
		},
	};
}

/** Does one thing to both; both must say the same, be it an error. */
async function both<Result>(t: ExecutionContext, {stores}: Pair, act: (stores: Stores) => Promise<Result>) {
	const [first, second] = await Promise.all(
		stores.map(each => act(each).catch((error: Error) => `threw ${error.message}`)),
	);
	t.deepEqual(first, second);
	return first as Result;
}

type Action = (t: ExecutionContext, pair: Pair) => Promise<unknown>;

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
	'retrying 1 1',
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

/** Of an entry that is there: nobody asks about others. */
async function ofEntry(pair: Pair, at: number, number: number, act: (ref: DeliveryRef) => Promise<unknown>) {
	const ref = pair.refs[at] as DeliveryRef;
	const entries = await pair.stores[0].outboxes.read(ref);
	return entries.some(found => found.n === number) ? act(ref) : undefined;
}

const refOf = (pair: Pair, at: number) => pair.refs[at] as DeliveryRef;

const outboxAction: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(which, entry, fc.option(name, {nil: undefined})).map<Action>(
		([at, put, named]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.put(refOf(pair, at), put, named)),
	),
	fc.tuple(which, nonce, attempt).map<Action>(
		([at, holder, state]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.open(refOf(pair, at), holder, state)),
	),
	fc.tuple(which, n, nonce, attempt).map<Action>(
		([at, number, holder, state]) =>
			(t, pair) =>
				ofEntry(pair, at, number, ref =>
					both(t, pair, ({outboxes}) => outboxes.begin(ref, holder, {n: number, state})),
				),
	),
	fc
		.tuple(
			which,
			n,
			nonce,
			ended,
			attempt,
			fc.constantFrom(undefined, 5, 6),
			fc.boolean(),
			fc.constantFrom(undefined, 1_000),
		)
		.map<Action>(
			([at, number, holder, state, attempted, messageId, isFound, closeMs]) =>
				(t, pair) =>
					ofEntry(pair, at, number, ref =>
						both(t, pair, ({outboxes}) =>
							outboxes.end(ref, holder, {n: number, state, attempt: attempted, messageId, isFound, closeMs}),
						),
					),
		),
	fc.tuple(which, n, fc.constantFrom(5, 6)).map<Action>(
		([at, number, messageId]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.claimMessage({ref: refOf(pair, at), n: number}, messageId)),
	),
	fc.tuple(which, n).map<Action>(
		([at, number]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.claimed({ref: refOf(pair, at), n: number})),
	),
	fc.tuple(which, nonce).map<Action>(
		([at, holder]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.renew(refOf(pair, at), holder)),
	),
	fc.tuple(which, nonce).map<Action>(
		([at, holder]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.close(refOf(pair, at), holder, 1_000)),
	),
	fc.tuple(which, n, name).map<Action>(
		([at, number, named]) =>
			(t, pair) =>
				ofEntry(pair, at, number, ref => both(t, pair, ({outboxes}) => outboxes.name({ref, n: number}, named))),
	),
	fc.tuple(which, n, name).map<Action>(
		([at, number, named]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.unname({ref: refOf(pair, at), n: number}, named)),
	),
	fc.tuple(which, n, name).map<Action>(
		([at, number, named]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.cancel({ref: refOf(pair, at), n: number}, named)),
	),
	fc.tuple(which, n, fc.constantFrom(1, FAR)).map<Action>(
		([at, number, dueAt]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.move({ref: refOf(pair, at), n: number}, dueAt)),
	),
	fc.tuple(which, n, fc.constantFrom<'waiting' | 'sent 0'>('waiting', 'sent 0')).map<Action>(
		([at, number, state]) =>
			(t, pair) =>
				both(t, pair, ({outboxes}) => outboxes.resolve({ref: refOf(pair, at), n: number}, state)),
	),
	fc.constant<Action>((_t, pair) => pair.lapse()),
);

const deliveryAction: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(which, nonce, fc.boolean()).map<Action>(
		([at, holder, isLate]) =>
			(t, pair) =>
				both(t, pair, ({deliveries}) =>
					deliveries.claim(refOf(pair, at), {nonce: holder, payload: '{"a":1}', sender: 9, perMinute: 0, isLate}),
				),
	),
	fc.tuple(which, run, entry).map<Action>(
		([at, number, said]) =>
			(t, pair) =>
				both(t, pair, ({deliveries}) => deliveries.append(refOf(pair, at), number, [said])),
	),
	fc.tuple(which, run, entry, name).map<Action>(
		([at, number, said, named]) =>
			(t, pair) =>
				both(t, pair, ({deliveries}) => deliveries.schedule(refOf(pair, at), number, {...said, name: named})),
	),
	fc.tuple(which, run, fc.array(entry, {maxLength: 1})).map<Action>(
		([at, number, replies]) =>
			(t, pair) =>
				both(t, pair, ({deliveries}) => deliveries.finish(refOf(pair, at), {run: number, answer: '{}', replies})),
	),
);

/** Everything that can be seen of outboxes. */
async function look(t: ExecutionContext, pair: Pair): Promise<void> {
	const {account} = pair.refs[0];
	for (const ref of pair.refs) {
		await both(t, pair, ({outboxes}) => outboxes.read(ref));
	}

	await both(t, pair, async ({outboxes}) => {
		const [named, unsettled, waiting] = await Promise.all([
			outboxes.named(account),
			outboxes.unsettled(account),
			outboxes.waiting(account),
		]);
		// In order of time, and here everything happens at once.
		return [
			[...named].map(([key, owner]) => `${key} ${owner.ref.id} ${owner.n}`).toSorted(),
			unsettled.map(owner => `${owner.ref.id} ${owner.n}`).toSorted(),
			waiting.map(({id}) => id).toSorted(),
		];
	});
}

/** Something stands in each outbox, and a worker has opened one. */
const begun = fc.tuple(fc.array(entry, {minLength: 2, maxLength: 3}), entry, attempt);

test('outboxes say the same after any order of saying, posting, naming, moving and cancelling', async t => {
	const redis = await connectToRedis(t);
	const actions = fc.array(fc.oneof({weight: 5, arbitrary: outboxAction}, {weight: 1, arbitrary: deliveryAction}), {
		minLength: 1,
		maxLength: 25,
		size: 'max',
	});
	await fc.assert(
		fc.asyncProperty(begun, actions, async ([first, other, state], acts) => {
			const pair = createPair(redis);
			for (const said of first) {
				await both(t, pair, ({outboxes}) => outboxes.put(pair.refs[0], said, `name ${said.n}`));
			}

			await both(t, pair, ({outboxes}) => outboxes.put(pair.refs[1], other));
			await both(t, pair, ({outboxes}) => outboxes.open(pair.refs[0], 'worker 1', state));
			for (const act of acts) {
				await act(t, pair);
				await look(t, pair);
			}
		}),
		{numRuns: 400},
	);
});

test('of an outbox without an end the latest entries are kept', async t => {
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

const cronAction: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(name, fc.constantFrom('x', 'y')).map<Action>(
		([id, text]) =>
			(t, pair) =>
				both(t, pair, ({crons}) => crons.put(pair.refs[0].account, id, cron(text))),
	),
	fc.tuple(which, run, name).map<Action>(
		([at, number, id]) =>
			(t, pair) =>
				both(t, pair, ({crons}) => crons.putFor({ref: refOf(pair, at), run: number}, id, cron('z'))),
	),
	fc.tuple(which, run, name).map<Action>(
		([at, number, id]) =>
			(t, pair) =>
				both(t, pair, ({deliveries}) => deliveries.repeat(refOf(pair, at), number, {id, cron: cron('r')})),
	),
	name.map<Action>(id => (t, pair) => both(t, pair, ({crons}) => crons.remove(pair.refs[0].account, id))),
	fc.tuple(name, fc.constantFrom({fired: 1, firedAt: 7}, {missed: 3}, {skipped: 1})).map<Action>(
		([id, more]) =>
			(t, pair) =>
				both(t, pair, ({crons}) => crons.count(pair.refs[0].account, id, more)),
	),
	fc.tuple(name, fc.constantFrom('1-a', '2-b')).map<Action>(
		([id, ref]) =>
			(t, pair) =>
				both(t, pair, ({crons}) => crons.swapDelivery(pair.refs[0].account, id, ref)),
	),
);

test('crons say the same after any order of putting, counting and removing', async t => {
	const redis = await connectToRedis(t);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.oneof(cronAction, deliveryAction), {minLength: 1, maxLength: 20, size: 'max'}),
			async actions => {
				const pair = createPair(redis);
				const {account} = pair.refs[0];
				for (const act of actions) {
					await act(t, pair);
				}

				await both(t, pair, async ({crons}) =>
					[...(await crons.all(account))].toSorted(([one], [other]) => (one < other ? -1 : 1)),
				);
				for (const id of ['tea', 'cake']) {
					await both(t, pair, ({crons}) => crons.read(account, id));
					await both(t, pair, ({crons}) => crons.counts(account, id));
				}
			},
		),
		{numRuns: 100},
	);
});

test('every change of what is repeated is seen by its version', async t => {
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

const valueAction: fc.Arbitrary<Action> = fc.oneof(
	fc
		.tuple(
			which,
			run,
			key,
			text,
			fc.option(
				text.map(before => ({text: before})),
				{nil: undefined},
			),
		)
		.map<Action>(
			([at, number, name, value, before]) =>
				(t, pair) =>
					both(t, pair, ({values}) => values({ref: refOf(pair, at), run: number}).put(name, value, before)),
		),
	fc.tuple(which, run).map<Action>(
		([at, number]) =>
			(t, pair) =>
				both(t, pair, ({values}) => values({ref: refOf(pair, at), run: number}).clear()),
	),
);

test('values say the same after any order of putting, comparing and clearing, by runs that may or may not', async t => {
	const redis = await connectToRedis(t);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.oneof({weight: 5, arbitrary: valueAction}, {weight: 1, arbitrary: deliveryAction}), {
				minLength: 1,
				maxLength: 30,
				size: 'max',
			}),
			async actions => {
				const pair = createPair(redis);
				const claim = {nonce: 'worker 1', payload: '{}', sender: 9, perMinute: 0};
				await both(t, pair, ({deliveries}) => deliveries.claim(pair.refs[0], claim));
				for (const act of actions) {
					await act(t, pair);
					await both(t, pair, async ({values}) => (await values({ref: pair.refs[0], run: 1}).keys()).toSorted());
					await both(t, pair, ({values}) => values({ref: pair.refs[0], run: 1}).get('a'));
				}
			},
		),
		{numRuns: 300},
	);
});

test('an account has room for so many values', async t => {
	const pair = createPair(await connectToRedis(t));
	const writer = {ref: pair.refs[0], run: 1};
	const claim = {nonce: 'a', payload: '{}', sender: 9, perMinute: 0};
	await both(t, pair, ({deliveries}) => deliveries.claim(writer.ref, claim));
	await both(t, pair, async ({values}) => {
		const all = Array.from({length: MOST_KEYS}, (_, index) => values(writer).put(String(index), '1'));
		await Promise.all(all);
	});

	t.is(await both(t, pair, ({values}) => values(writer).put('one more', '1')), 'full');
	t.is(await both(t, pair, ({values}) => values(writer).put('7', '2')), 'put');
});
