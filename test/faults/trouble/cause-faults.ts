// What goes wrong while people write.

import {setTimeout as sleep} from 'node:timers/promises';
import type {House} from '../house.js';
import type {Kept, Strike} from '../processes.js';
import {shas} from './broken-scripts.js';
import {type OutageSize, troubleRedis} from './trouble-redis.js';

export interface FaultSize extends OutageSize {
	/** A receiver is killed this often. */
	readonly killEveryMs: number;
	/** A worker is killed this often. */
	readonly killWorkerEveryMs: number;
	/** A receiver is killed at one more step this often. */
	readonly stepEveryMs: number;
}

const STEPS = ['claim', 'finish', 'append', 'decideLate', 'renew'] as const;

export function causeFaults(house: House, size: FaultSize) {
	const end = new AbortController();
	const {reaper, redis, redisProxy, hosts, workers} = house;
	const worker = workers[0];
	let step = 0;

	const faults = [
		every(size.killEveryMs, () => reaper.killAny('at any time')),
		every(size.killWorkerEveryMs, () => !!worker?.pids().some(pid => reaper.kill(pid, 'worker'))),
		every(size.stepEveryMs, () => {
			const script = STEPS[Math.floor(step / 2) % STEPS.length] ?? 'claim';
			redisProxy.arm({script, sha: shas[script], when: step % 2 === 0 ? 'before' : 'after'});
			step++;
			return true;
		}),
	];
	const outages = troubleRedis(size, {redis, groups: [hosts.map(sparing), workers]});

	/** An orderly stop breaks no connection; a kill must wait for its time. */
	function sparing(host: Kept) {
		return {
			get isUp() {
				return host.isUp;
			},
			strike(signal: Strike) {
				if (signal === 'SIGKILL') {
					void soon(() => reaper.killAny('strike'));
				} else {
					host.strike(signal);
				}
			},
		};
	}

	/** Where nobody may be killed now, somebody is soon. */
	async function soon(strike: () => boolean): Promise<void> {
		while (!strike() && (await rest(200))) {}
	}

	async function every(ms: number, strike: () => boolean): Promise<void> {
		while (await rest(ms)) {
			await soon(strike);
		}
	}

	function rest(ms: number): Promise<boolean> {
		return sleep(ms, true, {signal: end.signal}).catch(() => false);
	}

	return {
		/** What Redis and the processes went through. */
		async end(): Promise<Map<string, number>> {
			const done = await outages;
			end.abort();
			await Promise.all(faults);
			return done;
		},
	};
}
