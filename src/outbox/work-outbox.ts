// Posts what a delivery sent outside the webhook's answer: in sequence, each entry once.

import {randomUUID} from 'node:crypto';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import {NewerWorkError, readWork, type Work, WorkError} from '../delivery/work.js';
import {type Attempt, isPending, sending} from './entry-state.js';
import {LOCK_MS} from './scripts.js';
import type {OpenOutbox} from './store.js';
import {type OutboxWork, workEntry} from './work-entry.js';

/** Milliseconds until the next check. Undefined if nothing remains to be posted. */
export interface OutboxResult {
	readonly posted: number;
	readonly comeBackMs: number | undefined;
}

/** Delay while another worker has the outbox. */
const LOCKED_MS = 500;

/** Delay before an entry is read again that was moved in the meantime, or that is due by our clock but not by Redis's. */
const MOVED_MS = 5;

/** Delay before a worker tries again to read an entry of a newer version of Bothy. Another worker may take the job first. */
const LEFT_MS = 5_000;

/** A sweep takes over an outbox whose job was lost, this long after its due time. */
const SAFETY_MS = 5_000;

/** Anything due later than this needs no job yet: a sweep wakes it in time. */
const NEAR_MS = 60_000;

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

	const renewal = setInterval(() => work.store.renew(ref, nonce).catch(() => {}), LOCK_MS / 3).unref();
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
	const made = readMade(opened.work, problem => work.unreadable(problem));
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
		if (entry.kind === 'unknown' || (made === 'newer' && entry.target === '')) {
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
		const outcome = await workEntry(
			ref,
			{entry, work: made === 'newer' ? undefined : made},
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

/** Replies to damaged work have nowhere to go. Only a newer version knows where replies to its work go. */
function readMade(text: string | undefined, report: (error: WorkError) => void): Work | 'newer' | undefined {
	try {
		return text === undefined ? undefined : readWork(text);
	} catch (error) {
		if (error instanceof NewerWorkError) {
			return 'newer';
		}

		if (!(error instanceof WorkError)) {
			throw error;
		}

		report(error);
		return undefined;
	}
}
