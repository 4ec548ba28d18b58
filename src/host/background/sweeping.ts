// Starts a sweep for lost work at intervals, in one process at a time.

import {setTimeout as sleep} from 'node:timers/promises';
import {sharedKey} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';

/** Interval between sweeps of all hosts, in milliseconds. */
const EVERY_MS = 4_000;

const TURN_KEY = 'sweep-turn';
const SWEPT_KEY = 'swept';

export interface SweepingOptions {
	readonly redis: RedisConnection;
	sweep(): Promise<void>;
	/** False for one lease after Redis came back, so that holders can renew their leases. */
	isSettled(): boolean;
	report(error: Error): void;
	/** Waits until the next check. */
	wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

export interface Sweeping {
	/** Resolves when the current sweep is done. */
	stop(): Promise<void>;
}

export function startSweeping({redis, sweep, isSettled, report, wait = waitMs}: SweepingOptions): Sweeping {
	const stopping = new AbortController();

	async function go(): Promise<void> {
		while (!stopping.signal.aborted) {
			try {
				// Redis's clock decides whose turn it is: those of machines may be wrong.
				if (isSettled() && (await redis.set(sharedKey(redis, TURN_KEY), '1', 'PX', EVERY_MS - 100, 'NX')) !== null) {
					await sweep();
					const [seconds] = await redis.time();
					await redis.set(sharedKey(redis, SWEPT_KEY), String(Number(seconds) * 1000));
				}
			} catch (error) {
				report(error as Error);
			}

			await wait(EVERY_MS, stopping.signal).catch(() => {});
		}
	}

	const going = go();
	return {
		async stop() {
			stopping.abort();
			await going;
		},
	};
}

function waitMs(ms: number, signal: AbortSignal): Promise<void> {
	return sleep(ms, undefined, {signal});
}

/** When the last sweep began, in milliseconds since 1970 by Redis's clock. Undefined if there was none. */
export async function readSweptAt(redis: RedisConnection): Promise<number | undefined> {
	const at = await redis.get(sharedKey(redis, SWEPT_KEY));
	return at === null ? undefined : Number(at);
}
