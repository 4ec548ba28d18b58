import {setTimeout as sleep} from 'node:timers/promises';

interface Waiting {
	/** Default: no limit, so that a test in which it never happens ends by its own time limit. */
	readonly withinMs?: number;
	/** Between two looks. Default 20. */
	readonly everyMs?: number;
}

/** Waits for what tells nobody when it happens. False if it has not happened within the time. */
export async function until(
	holds: () => boolean | Promise<boolean>,
	{withinMs = Number.POSITIVE_INFINITY, everyMs = 20}: Waiting = {},
): Promise<boolean> {
	for (const end = performance.now() + withinMs; !(await holds()); await sleep(everyMs)) {
		if (performance.now() > end) {
			return false;
		}
	}

	return true;
}

/** Looks until there is something, and gives it. */
export async function untilFound<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
	for (;;) {
		const found = await look();
		if (found !== undefined) {
			return found;
		}

		await sleep(20);
	}
}
