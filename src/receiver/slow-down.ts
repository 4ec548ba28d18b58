// Slows down those who guess tokens. A verified payload never waits: all bots of a service share its address.

import {hash} from 'node:crypto';

/** Failures are forgotten after this long without another. */
const FORGET_MS = 10 * 60_000;

/** The first failures cost nothing: an operator mistypes a token now and then. */
const FREE_FAILURES = 5;

const STEP_MS = 100;
const MAX_MS = 3_000;

/** How many guessers are remembered; beyond that the oldest is forgotten. */
const MAX_REMEMBERED = 10_000;

/** Says how long the refusal of one more failed proof is to wait, in milliseconds. */
export type SlowDown = (address: string, bot: string) => number;

export function createSlowDown(now: () => number): SlowDown {
	const failures = new Map<string, {count: number; at: number}>();

	/** The first of a Map is the oldest. */
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
		// A digest: a part of a text keeps the whole text in memory.
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
