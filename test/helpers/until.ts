import {setTimeout as sleep} from 'node:timers/promises';

interface Waiting {
	/** Default: no limit. A test in which it never holds ends at its own time limit. */
	readonly withinMs?: number;
	/** Time between two checks. Default 20. */
	readonly everyMs?: number;
}

/** Waits until something holds. False if it does not hold within the time. */
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

/** Checks until something is found, and returns it. */
export async function untilFound<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
	for (;;) {
		const found = await look();
		if (found !== undefined) {
			return found;
		}

		await sleep(20);
	}
}
