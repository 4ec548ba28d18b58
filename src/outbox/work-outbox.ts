// Posts what a delivery sent outside the webhook's answer: in sequence, each entry once.

import {randomUUID} from 'node:crypto';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {type Attempt, type Change, isPending, readAttempt, readChange, readFailures, sending} from './entry-state.js';
import {LOCK_MS} from './scripts.js';
import type {EntryEnd, OpenOutbox, OutboxStore} from './store.js';

/** How an attempt to post an entry ended. */
export type Posted =
	| {readonly kind: 'sent'; readonly messageId: number}
	/** It was done, and made no message of its own: `messageId` is the one that it changed, or 0. */
	| {readonly kind: 'done'; readonly messageId: number}
	/** The service keeps it until it is due. */
	| {readonly kind: 'scheduled'; readonly scheduledId: number}
	/** The service refused it, and would refuse it again. */
	| {readonly kind: 'refused'; readonly reason: string}
	/** The service refused it, but a busy server also refuses like this. It may succeed a little later. */
	| {readonly kind: 'busy'; readonly delayMs: number}
	/** It was not carried out: the service asks to wait this long. */
	| {readonly kind: 'later'; readonly delayMs: number}
	/** It was certainly not carried out. A retry is safe. */
	| {readonly kind: 'failed'; readonly reason: string}
	/** The outcome is unknown. */
	| {readonly kind: 'unknown'};

/** The outcome of an attempt whose end nobody saw. */
export type Settled =
	/** `isCertain` if the service itself named the message; otherwise a message like it was found. */
	| {readonly kind: 'sent'; readonly messageId: number; readonly isCertain: boolean}
	| {readonly kind: 'scheduled'; readonly scheduledId: number}
	/** It was not carried out. */
	| {readonly kind: 'absent'}
	| {readonly kind: 'wait'; readonly delayMs: number}
	/** The outcome stays unknown forever. */
	| {readonly kind: 'unreadable'};

/** An entry and the payload that it answers. The payload is undefined if it is not stored. */
export interface OutboxItem {
	readonly entry: StoredEntry;
	readonly payload: string | undefined;
}

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
	/** Called when an entry is left to a newer version of Bothy. */
	left(entry: StoredEntry): void;
	/** Called when an entry has failed permanently. */
	failed(said: OutboxItem, reason: string): Promise<void>;
	/** Tells the service about a change to a scheduled message. `gone` if the service has already sent or dropped the message. */
	change(said: OutboxItem, change: Change): Promise<'done' | 'gone' | {readonly delayMs: number}>;
	/** Wakes the outbox when an entry is due. Two calls for one time make one wake-up. */
	enqueueLater(id: string, delayMs: number): Promise<void>;
}

/** Work that is left: milliseconds until the next look, or nothing. */
export interface OutboxResult {
	readonly posted: number;
	readonly comeBackMs: number | undefined;
}

/** Delay while another worker has the outbox. */
const LOCKED_MS = 500;

/** Delay before an entry is read again that was moved in the meantime, or that is due by our clock but not by Redis's. */
const MOVED_MS = 5;

/** Delay before an entry is looked at again that this version of Bothy cannot read. Another worker may take the job first. */
export const LEFT_MS = 5_000;

/** First delay before an unknown outcome is checked. Later checks come less and less often. */
const UNKNOWN_MS = 500;

/** An attempt that was recorded longer ago than this is recorded again before it is made. */
const STALE_MS = 5_000;

/** A sweep takes over an outbox whose job was lost, this long after its due time. */
const SAFETY_MS = 5_000;

/** Anything due later than this needs no job yet: a sweep wakes it in time. */
const NEAR_MS = 60_000;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;

export async function workOutbox(ref: DeliveryRef, work: OutboxWork): Promise<OutboxResult> {
	const nonce = randomUUID();
	const prepared = await work.prepare();
	if ('delayMs' in prepared) {
		return {posted: 0, comeBackMs: prepared.delayMs};
	}

	const first: Attempt = {at: work.now(), ...prepared, since: 0, failures: 0, refusals: 0};
	const opened = await work.store.open(ref, nonce, sending(first));
	if (!opened) {
		return {posted: 0, comeBackMs: LOCKED_MS};
	}

	const renewal = setInterval(() => work.store.renew(ref, nonce).catch(() => {}), LOCK_MS / 3);
	try {
		return await workOpened(ref, opened, {work, nonce, first});
	} finally {
		clearInterval(renewal);
	}
}

interface Opened {
	readonly work: OutboxWork;
	readonly nonce: string;
	/** The attempt that has begun, if any. */
	readonly first: Attempt;
}

async function workOpened(ref: DeliveryRef, opened: OpenOutbox, {work, nonce, first}: Opened): Promise<OutboxResult> {
	let posted = 0;
	let comeBackMs: number | undefined;
	let nextMs = Number.POSITIVE_INFINITY;
	// One time for all: if two entries are due together, the second must not overtake the first.
	const now = work.now();
	let isClosed = false;
	const nextLookMs = (backMs: number | undefined) =>
		backMs === undefined && Number.isFinite(nextMs) ? nextMs : (backMs ?? 0) + SAFETY_MS;
	const pending = opened.entries.filter(({state}) => isPending(state));
	for (const entry of pending) {
		if (entry.kind === 'unknown') {
			work.left(entry);
			comeBackMs = LEFT_MS;
			break;
		}

		const begun = entry.n === opened.begun ? first : undefined;
		const waitMs = begun || entry.via === 'service' ? 0 : entry.dueAt - now;
		if (waitMs > NEAR_MS) {
			nextMs = Math.min(nextMs, waitMs - NEAR_MS);
			continue;
		}

		if (waitMs > 0) {
			nextMs = Math.min(nextMs, waitMs + SAFETY_MS);
			await work.enqueueLater(`${sendId(ref, entry.n)}-${entry.dueAt}`, waitMs);
			continue;
		}

		const isLast = entry === pending.at(-1);
		const outcome = await postOnce(
			ref,
			{entry, payload: opened.payload},
			{
				work,
				nonce,
				begun,
				closeMs(backMs) {
					isClosed = isLast;
					return isLast ? nextLookMs(backMs) : undefined;
				},
			},
		);
		if (outcome === 'lost') {
			return {posted, comeBackMs: LOCKED_MS};
		}

		if (outcome === 'moved') {
			comeBackMs = MOVED_MS;
			break;
		}

		if (typeof outcome === 'number') {
			// Later entries wait: an outbox is posted in sequence.
			comeBackMs = outcome;
			break;
		}

		posted += outcome === 'posted' ? 1 : 0;
	}

	if (!isClosed) {
		await work.store.close(ref, nonce, nextLookMs(comeBackMs));
	}

	return {posted, comeBackMs};
}

/** `ended` without a message; or the number of milliseconds until the next look. */
type Outcome = 'posted' | 'ended' | 'lost' | 'moved' | number;

interface Locked {
	readonly work: OutboxWork;
	readonly nonce: string;
	/** The attempt for this entry, if it has begun already. */
	readonly begun: Attempt | undefined;
	/** For the last entry: its outbox is closed with it. The time until the next look, should the entry come back. */
	closeMs(backMs: number | undefined): number | undefined;
}

async function postOnce(ref: DeliveryRef, said: OutboxItem, {work, nonce, begun, closeMs}: Locked): Promise<Outcome> {
	const {entry} = said;
	const earlier = readAttempt(entry.state);
	let {since, failures, refusals} = earlier ?? readFailures(entry.state);
	const finish = async (end: Omit<EntryEnd, 'n'>, outcome: Outcome) => {
		const backMs = typeof outcome === 'number' ? outcome : undefined;
		const ended = await work.store.end(ref, nonce, {n: entry.n, closeMs: closeMs(backMs), ...end});
		if (ended === 'recorded' && end.state.startsWith('failed ')) {
			await work.failed(said, end.state.slice('failed '.length));
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

			return finish({state: `retrying ${begunAt} ${failures + 1} ${refusals}`, attempt: state}, retryMs(failures));
		}
	}
}

/** Doubles, with jitter, so that entries that failed together are not retried together. */
function retryMs(failures: number): number {
	const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
	return Math.round(ms * (0.5 + Math.random()));
}
