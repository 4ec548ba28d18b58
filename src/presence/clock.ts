// The clock for pings. Tests pass their own.

import {setTimeout as sleep} from 'node:timers/promises';

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Waits this long, or until `signal` fires. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const clock: Clock = {
	now: Date.now,
	sleep: (ms, signal) => sleep(ms, undefined, {signal}).catch(() => {}),
};
