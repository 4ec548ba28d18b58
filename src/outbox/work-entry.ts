// Handles one entry of a locked outbox: sends a change to the service, settles an attempt that got no answer, or makes an attempt,
// and records the result.

import type {DeliveryRef} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {type Attempt, type Change, readAttempt, readChange, readFailures, readState, sending} from './entry-state.js';
import type {OutboxItem} from './item.js';
import type {Posted} from './outcome.js';
import type {Settled} from './settle.js';
import type {EntryEnd, OutboxStore} from './store.js';

export interface OutboxWork {
	readonly store: OutboxStore;
	now(): number;
	/** An entry without success for this long has failed, in milliseconds. */
	readonly giveUpMs: number;
	/** What an attempt should know before it begins, or how long to wait if that cannot be known now. */
	prepare(): Promise<Pick<Attempt, 'after' | 'queue'> | {readonly delayMs: number}>;
	post(said: OutboxItem, attempt: Attempt): Promise<Posted>;
	/** The entry may be posted although no attempt was made: by the service itself, as a webhook's answer. */
	settle(said: OutboxItem, attempt: Attempt | undefined): Promise<Settled>;
	/** Called if only a newer version of Bothy can read an entry. */
	left(entry: StoredEntry): void;
	/** Called when the stored work of the outbox cannot be read. */
	unreadable(error: Error): void;
	/** Called when an entry has failed permanently. */
	failed(said: OutboxItem, reason: string): Promise<void>;
	/** Tells the service about a change to a scheduled message. `gone` if the service has already sent or dropped the message. */
	change(said: OutboxItem, change: Change): Promise<'done' | 'gone' | {readonly delayMs: number}>;
	/** Wakes the outbox when an entry is due. Two calls for one time make one wake-up. */
	enqueueLater(id: string, delayMs: number): Promise<void>;
}

/** First delay before an unknown outcome is checked. Later checks come less and less often. */
const UNKNOWN_MS = 500;

/** An attempt that was recorded longer ago than this is recorded again before it is made. */
const STALE_MS = 5_000;

/** `ended` without a message; or the number of milliseconds until the next look. */
export type Outcome = 'posted' | 'ended' | 'lost' | 'moved' | number;

interface Locked {
	readonly work: OutboxWork;
	readonly nonce: string;
	/** The attempt for this entry, if it has begun already. */
	readonly begun: Attempt | undefined;
	/** For the last entry, which closes its outbox: the time until the next check, in case the entry comes back. */
	closeMs(backMs: number | undefined): number | undefined;
}

export async function workEntry(
	ref: DeliveryRef,
	said: OutboxItem,
	{work, nonce, begun, closeMs}: Locked,
): Promise<Outcome> {
	const {entry} = said;
	const earlier = readAttempt(entry.state);
	let {since, failures, refusals} = earlier ?? readFailures(entry.state);
	const finish = async (end: Omit<EntryEnd, 'n'>, outcome: Outcome) => {
		const backMs = typeof outcome === 'number' ? outcome : undefined;
		const ended = await work.store.end(ref, nonce, {n: entry.n, closeMs: closeMs(backMs), ...end});
		const parts = readState(end.state);
		if (ended === 'recorded' && parts.kind === 'failed') {
			await work.failed(said, parts.reason);
		}

		return {recorded: outcome, lost: 'lost', retracting: 'moved'}[ended] as Outcome;
	};

	const change = readChange(entry.state);
	if (change) {
		const changed = await work.change(said, change);
		if (typeof changed === 'object') {
			return changed.delayMs;
		}

		const done = change.kind === 'retracting' ? 'cancelled' : (`scheduled ${change.scheduledId}` as const);
		return finish({state: changed === 'done' ? done : 'sent 0', attempt: entry.state}, 'ended');
	}

	if (earlier || entry.mayBePosted) {
		const settled = await work.settle(said, earlier);
		switch (settled.kind) {
			case 'wait':
				return settled.delayMs;
			case 'unreadable':
				// Posting a message twice is worse than losing it, so a person decides.
				return finish({state: 'unknown', attempt: entry.state}, 'ended');
			case 'sent':
				return finish(
					{
						state: `sent ${settled.messageId}`,
						attempt: entry.state,
						messageId: settled.messageId,
						isFound: !settled.isCertain,
					},
					'posted',
				);
			case 'scheduled':
				return finish({state: `scheduled ${settled.scheduledId}`, attempt: entry.state}, 'posted');
			default:
				since ||= earlier?.at ?? work.now();
				failures += earlier ? 1 : 0;
		}

		if (earlier && work.now() - since >= work.giveUpMs) {
			return finish({state: `failed no answer, ${failures} times`, attempt: entry.state}, 'ended');
		}
	}

	let attempt = begun;
	// The attempt's time starts here. If Redis took long to record it, it is recorded again.
	while (!attempt || work.now() - attempt.at > STALE_MS) {
		const prepared = await work.prepare();
		if ('delayMs' in prepared) {
			return prepared.delayMs;
		}

		attempt = {at: work.now(), ...prepared, since, failures, refusals};
		// If a worker dies from here on, the stored state makes the next worker search first.
		const standing = await work.store.begin(ref, nonce, {n: entry.n, state: sending(attempt)});
		if (standing !== 'begun') {
			return standing === 'cancelled' ? 'ended' : standing;
		}
	}

	const state = sending(attempt);
	const outcome = await work.post(said, attempt);
	switch (outcome.kind) {
		case 'sent':
			return finish({state: `sent ${outcome.messageId}`, attempt: state, messageId: outcome.messageId}, 'posted');
		case 'done':
			return finish({state: `sent ${outcome.messageId}`, attempt: state}, 'ended');
		case 'scheduled':
			return finish({state: `scheduled ${outcome.scheduledId}`, attempt: state}, 'posted');
		case 'refused':
			return finish({state: `failed ${outcome.reason}`, attempt: state}, 'ended');
		case 'busy': {
			const retrying = `retrying ${since || attempt.at} ${failures + 1} ${refusals + 1}` as const;
			return finish({state: retrying, attempt: state}, outcome.delayMs);
		}
		case 'unknown':
			return UNKNOWN_MS;
		case 'later':
			return finish(
				{state: since === 0 ? 'waiting' : `retrying ${since} ${failures} ${refusals}`, attempt: state},
				outcome.delayMs,
			);
		default: {
			const begunAt = since || attempt.at;
			if (work.now() - begunAt >= work.giveUpMs) {
				return finish({state: `failed ${outcome.reason}, ${failures + 1} times`, attempt: state}, 'ended');
			}

			return finish({state: `retrying ${begunAt} ${failures + 1} ${refusals}`, attempt: state}, outcome.delayMs);
		}
	}
}
