// Two stores that must behave the same: one in Redis and one in memory.

import {isDeepStrictEqual} from 'node:util';
import type {ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';

export interface Twins<Store> {
	readonly stores: readonly [Store, Store];
	/** No lock and no lease lapses by itself, however slow the machine is. */
	hold(): Promise<unknown>;
}

/** Leases of deliveries that have not ended. */
const HOLD_LEASE = `
if tonumber(redis.call('HGET', KEYS[1], 'lease') or 0) > 0 then
	redis.call('HSET', KEYS[1], 'lease', '99999999999999')
end
`;

export const holdLease = (redis: Redis, key: string) => redis.eval(HOLD_LEASE, 1, key);

/** Runs one step on both. Both must return the same result or the same error. */
export async function both<Store, Result>(
	t: ExecutionContext,
	{stores}: Twins<Store>,
	act: (store: Store) => Promise<Result>,
): Promise<Result> {
	const [first, second] = await Promise.all(
		stores.map(store => act(store).catch((error: Error) => `threw ${error.name} ${error.message}`)),
	);
	// An assertion costs more than the comparison.
	if (!isDeepStrictEqual(first, second)) {
		t.deepEqual(first, second);
	}

	return first as Result;
}

/** An action on a pair. */
export type Action<Pair> = (t: ExecutionContext, pair: Pair) => Promise<unknown>;

/** Arbitraries for this number of values. */
export type Draws<Drawn extends unknown[]> = {readonly [Index in keyof Drawn]: fc.Arbitrary<Drawn[Index]>};

/** Makes actions that run `act` on both stores with the generated values. */
export function createStep<Store, Pair extends Twins<Store>>() {
	return function step<Drawn extends unknown[]>(
		draws: Draws<Drawn>,
		act: (store: Store, pair: Pair, ...values: Drawn) => Promise<unknown>,
	): fc.Arbitrary<Action<Pair>> {
		return fc.tuple<Drawn>(...draws).map<Action<Pair>>(values => async (t, pair) => {
			await both<Store, unknown>(t, pair, store => act(store, pair, ...values));
			await pair.hold();
		});
	};
}

/** Runs several at a time, so that their Redis commands travel together. */
const AT_ONCE = 8;

/** Asserts that the property holds, and that it ran as often as it should. */
export async function assertOften<Drawn>(
	t: ExecutionContext,
	property: fc.IAsyncProperty<Drawn>,
	numRuns: number,
): Promise<void> {
	const each = Math.ceil(numRuns / AT_ONCE);
	const checks = Array.from({length: AT_ONCE}, () => fc.check(property, {numRuns: each}));
	for (const details of await Promise.all(checks)) {
		if (details.failed) {
			t.log(fc.defaultReportMessage(details));
		}

		t.is(fc.defaultReportMessage(details), undefined);
		t.is(details.numRuns, each);
	}
}

/** A list up to this length, usually long. */
export function listOf<Value>(one: fc.Arbitrary<Value>, maxLength: number, minLength = 1): fc.Arbitrary<Value[]> {
	return fc.array(one, {minLength, maxLength, size: 'max'});
}
