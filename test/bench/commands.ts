// How many commands Redis carries out for some work.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Redis} from 'ioredis';

export interface Commands {
	/** Round trips that run a script. */
	readonly scripts: number;
	/** All commands, also those that a script makes. */
	readonly all: number;
}

/** Longer than receivers wait before they confirm answers. */
export const CONFIRMED_MS = 200;

const OWN = /^(config|info)/;

export async function countCommands(redis: Redis, work: () => Promise<unknown>): Promise<Commands> {
	await redis.config('RESETSTAT');
	await work();
	await sleep(CONFIRMED_MS);
	const stats = await redis.info('commandstats');
	const calls = [...stats.matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)]
		.map(([, name = '', count]) => ({name, count: Number(count)}))
		.filter(({name}) => !OWN.test(name));
	const sum = (of: typeof calls) => of.reduce((total, {count}) => total + count, 0);
	return {scripts: sum(calls.filter(({name}) => /^eval/.test(name))), all: sum(calls)};
}
