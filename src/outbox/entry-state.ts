// What became of one thing that a bot said, as it stands in Redis: a word, and what belongs to it.

/**
 * - `waiting`: for its time, or for its turn
 * - `retrying`: an attempt failed; since when (milliseconds since 1970), how many did, and how many of these the service refused
 * - `sending`: an attempt began, and nobody knows how it ended
 * - `sent`: with the id of its message, 0 where a person said so
 * - `scheduled`: the service has it, with the id of its scheduled message; `retracting`, `rescheduling`: it is to be told
 *   to drop it, or of its new time
 * - `failed`: the reason
 * - `unknown`: nobody can tell whether it was posted; a person decides
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

/** One attempt to post, as it was when it began. */
export interface Attempt {
	/** When it began, milliseconds since 1970. */
	readonly at: number;
	/** The message is newer than this one, so far as is known. */
	readonly after: number;
	/** Event queue that gets its receipt; empty without. */
	readonly queue: string;
	/** When the first attempt failed, milliseconds since 1970; 0 when none has. */
	readonly since: number;
	/** How many failed before. */
	readonly failures: number;
	/** How many of these the service refused in a way that may pass. */
	readonly refusals: number;
}

export function sending({at, after, queue, since, failures, refusals}: Attempt): EntryState {
	return `sending ${at} ${after} ${queue || '-'} ${since} ${failures} ${refusals}`;
}

/** The attempt that nobody saw end; undefined in any other state. */
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

/** What failed before the next attempt. */
export function readFailures(state: EntryState): Pick<Attempt, 'since' | 'failures' | 'refusals'> {
	const [word, since = 0, failures = 0, refusals = 0] = state.split(' ');
	return word === 'retrying'
		? {since: Number(since), failures: Number(failures), refusals: Number(refusals)}
		: {since: 0, failures: 0, refusals: 0};
}

/** What the service is to be told of a scheduled message. */
export interface Change {
	readonly kind: 'retracting' | 'rescheduling';
	readonly scheduledId: number;
}

export function readChange(state: EntryState): Change | undefined {
	const [kind, id] = state.split(' ');
	return kind === 'retracting' || kind === 'rescheduling' ? {kind, scheduledId: Number(id)} : undefined;
}

/** Whether something may still happen by itself. */
export function isPending(state: EntryState): boolean {
	return /^(waiting|retrying|sending|retracting|rescheduling)/.test(state);
}
