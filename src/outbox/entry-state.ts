// The state of one entry as it is stored in Redis: a word and its fields.

/**
 * - `waiting`: for its time or its turn
 * - `retrying`: an attempt failed; since when (milliseconds since 1970), how many did, and how many of these the service refused
 * - `sending`: an attempt began, and its outcome is unknown
 * - `sent`: with the id of its message; 0 if a person marked it as sent
 * - `scheduled`: the service has it, with the id of its scheduled message; `retracting`, `rescheduling`: the service must
 *   still drop it, or learn its new time
 * - `failed`: the reason
 * - `unknown`: nothing can tell whether it was posted; a person decides
 */
export type EntryState =
	| 'waiting'
	| `retrying ${number} ${number} ${number}`
	| `sending ${string}`
	| `sent ${number}`
	| `scheduled ${number}`
	| `retracting ${number}`
	| `rescheduling ${number}`
	| 'cancelled'
	| `failed ${string}`
	| 'unknown';

/** One attempt to post, as it began. */
export interface Attempt {
	/** When it began, milliseconds since 1970. */
	readonly at: number;
	/** The message is newer than this one, as far as Bothy knows. */
	readonly after: number;
	/** Event queue that gets its receipt. Empty if there is none. */
	readonly queue: string;
	/** When the first attempt failed, milliseconds since 1970. 0 if none has failed. */
	readonly since: number;
	/** How many attempts failed before. */
	readonly failures: number;
	/** How many of these the service refused for a temporary reason. */
	readonly refusals: number;
}

export function sending({at, after, queue, since, failures, refusals}: Attempt): EntryState {
	return `sending ${at} ${after} ${queue || '-'} ${since} ${failures} ${refusals}`;
}

/** The attempt whose end nobody saw. Undefined in any other state. */
export function readAttempt(state: EntryState): Attempt | undefined {
	const [word, at, after, queue, since, failures, refusals] = state.split(' ');
	return word === 'sending'
		? {
				at: Number(at ?? 0),
				after: Number(after ?? 0),
				queue: queue === undefined || queue === '-' ? '' : queue,
				since: Number(since ?? 0),
				failures: Number(failures ?? 0),
				refusals: Number(refusals ?? 0),
			}
		: undefined;
}

/** The failures before the next attempt. */
export function readFailures(state: EntryState): Pick<Attempt, 'since' | 'failures' | 'refusals'> {
	const [word, since = 0, failures = 0, refusals = 0] = state.split(' ');
	return word === 'retrying'
		? {since: Number(since), failures: Number(failures), refusals: Number(refusals)}
		: {since: 0, failures: 0, refusals: 0};
}

/** A change of a scheduled message that the service must still learn. */
export interface Change {
	readonly kind: 'retracting' | 'rescheduling';
	readonly scheduledId: number;
}

export function readChange(state: EntryState): Change | undefined {
	const [kind, id] = state.split(' ');
	return kind === 'retracting' || kind === 'rescheduling' ? {kind, scheduledId: Number(id)} : undefined;
}

/** Whether the state may still change by itself. */
export function isPending(state: EntryState): boolean {
	return /^(waiting|retrying|sending|retracting|rescheduling)/.test(state);
}
