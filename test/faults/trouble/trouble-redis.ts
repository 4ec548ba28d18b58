// Has Redis get into trouble again and again, and strikes processes meanwhile and right after it.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Strike} from '../processes.js';
import {type FailingRedis, OUTAGES, type Outage} from './outages.js';
import {count} from './receiver-proxy.js';

export interface OutageSize {
	readonly outages: readonly Outage[];
	/** Before the first outage, and between one and the next, in milliseconds. */
	readonly quietMs: number;
	/** Whether processes are struck during each outage and right after it. */
	readonly strikes: boolean;
}

export const EVERY_OUTAGE: OutageSize = {
	outages: ['killed', 'frozen 1 s', 'frozen 4 s', 'frozen 20 s', 'demoted'],
	quietMs: 8_000,
	strikes: true,
};

const STRIKES: readonly Strike[] = ['SIGKILL', 'SIGTERM', 'SIGHUP'];

/** How long all outages take, with what lies between them. */
export function lengthOf({outages, quietMs}: OutageSize): number {
	return outages.reduce((sum, outage) => sum + quietMs + OUTAGES[outage], quietMs);
}

/** Processes of one kind. One at a time is struck. */
type Group = readonly {readonly isUp: boolean; strike(signal: Strike): void}[];

export async function troubleRedis(
	{outages, quietMs, strikes}: OutageSize,
	{redis, groups}: {redis: FailingRedis; groups: readonly Group[]},
): Promise<Map<string, number>> {
	const done = new Map<string, number>();
	let struck = 0;
	const strike = (when: string) => {
		const signal = STRIKES[struck++ % STRIKES.length] ?? 'SIGKILL';
		for (const group of groups) {
			// Nobody could answer if all were gone, and a machine may be slow to bring them back.
			const others = group.filter(one => one !== group[struck % group.length]);
			if (others.every(({isUp}) => isUp)) {
				group[struck % group.length]?.strike(signal);
				count(done, `${signal} ${when}`);
			}
		}
	};
	for (const outage of outages) {
		await sleep(quietMs);
		const during = strikes && setTimeout(strike, OUTAGES[outage] / 2, 'during');
		await redis.cause(outage);
		count(done, outage);
		clearTimeout(during || undefined);
		if (strikes) {
			strike('right after');
		}
	}

	await sleep(quietMs);
	return done;
}
