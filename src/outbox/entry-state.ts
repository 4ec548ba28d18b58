// The state of one entry as it is stored in Redis: a word and its fields.

/**
 * - `waiting` for its time or its turn
 * - `retrying`: an attempt failed; since when (milliseconds since 1970), how many did, and how many of these the service refused
 * - `sending`: an attempt began, and its outcome is unknown
 * - `sent`: with the id of its message; 0 if a person marked it as sent
 * - `scheduled`: the service has it, with the id of its scheduled message; `retracting`, `rescheduling`: the service must
 *   still drop it, or learn its new time
 * - `failed`: the reason
 * - `unknown`: Bothy cannot find out whether it was posted; a person decides
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

/** A state in its parts. */
export type StateParts =
	| {readonly kind: 'waiting' | 'cancelled' | 'unknown'}
	| ({readonly kind: 'retrying'} & Failures)
	| ({readonly kind: 'sending'} & Attempt)
	| {readonly kind: 'sent'; readonly messageId: number}
	| {readonly kind: 'scheduled' | 'retracting' | 'rescheduling'; readonly scheduledId: number}
	| {readonly kind: 'failed'; readonly reason: string};

type Failures = Pick<Attempt, 'since' | 'failures' | 'refusals'>;

/** The only place that parses a state. The scripts compare its first word. */
export function readState(state: EntryState): StateParts {
	const [kind = '', ...fields] = state.split(' ');
	const number = (index: number) => Number(fields[index] ?? 0);
	switch (kind) {
		case 'retrying':
			return {kind, since: number(0), failures: number(1), refusals: number(2)};
		case 'sending': {
			const queue = fields[2] === undefined || fields[2] === '-' ? '' : fields[2];
			const failed = {since: number(3), failures: number(4), refusals: number(5)};
			return {kind, at: number(0), after: number(1), queue, ...failed};
		}
		case 'sent':
			return {kind, messageId: number(0)};
		case 'scheduled':
		case 'retracting':
		case 'rescheduling':
			return {kind, scheduledId: number(0)};
		case 'failed':
			return {kind, reason: fields.join(' ')};
		case 'waiting':
		case 'cancelled':
			return {kind};
		default:
			return {kind: 'unknown'};
	}
}

/** The attempt whose outcome is unknown. Undefined in any other state. */
export function readAttempt(state: EntryState): Attempt | undefined {
	const parts = readState(state);
	return parts.kind === 'sending' ? parts : undefined;
}

/** The failures before the next attempt. */
export function readFailures(state: EntryState): Failures {
	const parts = readState(state);
	return parts.kind === 'retrying' ? parts : {since: 0, failures: 0, refusals: 0};
}

/** A change of a scheduled message that Bothy must still send to the service. */
export interface Change {
	readonly kind: 'retracting' | 'rescheduling';
	readonly scheduledId: number;
}

export function readChange(state: EntryState): Change | undefined {
	const parts = readState(state);
	return parts.kind === 'retracting' || parts.kind === 'rescheduling' ? {...parts, kind: parts.kind} : undefined;
}

/** Whether nothing has begun yet. */
export function isIdle(state: EntryState): boolean {
	return ['waiting', 'retrying'].includes(readState(state).kind);
}

/** Whether the state may still change by itself. */
export function isPending(state: EntryState): boolean {
	return isIdle(state) || ['sending', 'retracting', 'rescheduling'].includes(readState(state).kind);
}

/** Whether a person must decide: the message is not visible, as far as Bothy knows. */
export function isUnsettled(state: EntryState): boolean {
	return ['failed', 'unknown'].includes(readState(state).kind);
}
