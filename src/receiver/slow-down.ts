// Slows down clients that guess tokens. A verified payload never waits, since all bots of a service share its address.

import {hash} from 'node:crypto';

/** Failures are forgotten after this long without a new one. */
const FORGET_MS = 10 * 60_000;

/** The first failures cost nothing: an operator may mistype a token. */
const FREE_FAILURES = 5;

const STEP_MS = 100;
const MAX_MS = 3_000;

/** How many clients are remembered. Beyond that the oldest one is forgotten. */
const MAX_REMEMBERED = 10_000;

/** Returns how long to delay the refusal of one more failed verification, in milliseconds. */
export type SlowDown = (address: string, bot: string) => number;

export function createSlowDown(now: () => number): SlowDown {
	const failures = new Map<string, {count: number; at: number}>();

	/** The first entry of a Map is the oldest. */
	function forget(before: number): void {
		for (const [key, {at}] of failures) {
			if (at > before) {
				break;
			}

			failures.delete(key);
		}
	}

	return function slowDown(address, bot) {
		forget(now() - FORGET_MS);
		// A digest, because a substring keeps the whole text in memory.
		const key = hash('sha256', `${address} ${bot.toLowerCase()}`, 'base64');
		const count = (failures.get(key)?.count ?? 0) + 1;
		failures.delete(key);
		failures.set(key, {count, at: now()});
		if (failures.size > MAX_REMEMBERED) {
			failures.delete(failures.keys().next().value ?? '');
		}

		return Math.min(MAX_MS, Math.max(0, count - FREE_FAILURES) * STEP_MS);
	};
}
