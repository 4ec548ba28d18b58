// Slows down whoever guesses tokens. A payload that is proven never waits: all bots of a service share its address.

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

	return function slowDown(address, bot) {
		const key = `${address} ${bot.toLowerCase().slice(0, 100)}`;
		const earlier = failures.get(key);
		const count = earlier && now() - earlier.at < FORGET_MS ? earlier.count + 1 : 1;
		// Behind the others again: the first of a Map is the oldest.
		failures.delete(key);
		failures.set(key, {count, at: now()});
		if (failures.size > MAX_REMEMBERED) {
			failures.delete(failures.keys().next().value ?? '');
		}

		return Math.min(MAX_MS, Math.max(0, count - FREE_FAILURES) * STEP_MS);
	};
}
