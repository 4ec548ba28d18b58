// What goes wrong while people write.

import {setTimeout as sleep} from 'node:timers/promises';
import {shas} from './broken-scripts.js';
import type {House} from './house.js';

export interface FaultSize {
	readonly loadMs: number;
	/** A receiver is killed this often. */
	readonly killEveryMs: number;
	/** A worker is killed this often. */
	readonly killWorkerEveryMs: number;
	/** A receiver is killed at one more step this often. */
	readonly stepEveryMs: number;
	/** When Redis is started again and when it stands still, as parts of the load. */
	readonly restartRedisAt: number;
	readonly pauseRedisAt: number;
	readonly pauseMs: number;
}

const STEPS = ['claim', 'finish', 'append', 'decideLate', 'renew'] as const;

/** Receivers are back in Redis and have written down what they kept in memory. */
const SETTLED_MS = 3_000;

export function causeFaults(house: House, size: FaultSize) {
	const end = new AbortController();
	const {reaper, redis, redisProxy, worker} = house;
	let step = 0;

	const faults = [
		every(size.killEveryMs, () => reaper.killAny('at any time')),
		every(size.killWorkerEveryMs, () => worker.pids().some(pid => reaper.kill(pid, 'worker'))),
		every(size.stepEveryMs, () => {
			const script = STEPS[Math.floor(step / 2) % STEPS.length] ?? 'claim';
			redisProxy.arm({script, sha: shas[script], when: step % 2 === 0 ? 'before' : 'after'});
			step++;
			return true;
		}),
		once(size.loadMs * size.restartRedisAt, () => awayFor(() => redis.restart())),
		once(size.loadMs * size.pauseRedisAt, () => awayFor(() => redis.pause(size.pauseMs))),
	];

	async function awayFor(fault: () => Promise<void>): Promise<void> {
		while (reaper.frozen > 0) {
			await sleep(200);
		}

		reaper.isRedisAway = true;
		await fault();
		await sleep(SETTLED_MS);
		reaper.isRedisAway = false;
	}

	/** Where nobody may be killed now, somebody is soon. */
	async function every(ms: number, strike: () => boolean): Promise<void> {
		while (await rest(ms)) {
			while (!strike() && (await rest(200))) {}
		}
	}

	async function once(ms: number, fault: () => Promise<void>): Promise<void> {
		if (await rest(ms)) {
			await fault();
		}
	}

	function rest(ms: number): Promise<boolean> {
		return sleep(ms, true, {signal: end.signal}).catch(() => false);
	}

	return {
		async end(): Promise<void> {
			end.abort();
			await Promise.all(faults);
		},
	};
}
