// Tells the watchdog which delivery a handler runs. Not in watchdog.ts, because its thread would load zod and the whole API.

import {describeWork, type Work} from '../../delivery/work.js';
import type {Watchdog} from './watchdog.js';

interface Run {
	readonly account: {readonly name: string};
	readonly work: Work;
}

/** Wraps a handler so that the watchdog can name what was running. */
export function watched<Task extends Run>(
	handle: (task: Task) => Promise<unknown>,
	watchdog: Watchdog | undefined,
): (task: Task) => Promise<unknown> {
	return async function handleWatched(task) {
		const leave = watchdog?.enter(`${task.account.name} ${describeWork(task.work)}`);
		try {
			await handle(task);
		} finally {
			leave?.();
		}
	};
}
