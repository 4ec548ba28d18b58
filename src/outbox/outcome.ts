// What an error of a call says about the call: was it carried out, is a retry safe, and when? Nothing else decides when a send
// is retried.

import type {ApiError} from '../client/errors.js';
import {isLockedOut, judge} from '../client/judge.js';
import type {Attempt} from './entry-state.js';

/** How an attempt to post an entry ended. */
export type Posted =
	| {readonly kind: 'sent'; readonly messageId: number}
	/** It was done without a new message: `messageId` is the message that it changed, or 0. */
	| {readonly kind: 'done'; readonly messageId: number}
	/** The service stores it until it is due. */
	| {readonly kind: 'scheduled'; readonly scheduledId: number}
	/** The service refused it, and would refuse it again. */
	| {readonly kind: 'refused'; readonly reason: string}
	/** The service refused it, but a busy server also refuses like this. It may succeed a little later. */
	| {readonly kind: 'busy'; readonly delayMs: number}
	/** It was not carried out: the service asks to wait this long. */
	| {readonly kind: 'later'; readonly delayMs: number}
	/** It was certainly not carried out. A retry is safe. */
	| {readonly kind: 'failed'; readonly reason: string; readonly delayMs: number}
	/** The outcome is unknown. */
	| {readonly kind: 'unknown'};

/** A busy service answers like this, in the account's language ("Unable to render message"): service-facts.md 4.9. */
function mayPass({status, code}: ApiError): boolean {
	return status === 408 || status === 425 || (status === 400 && code === 'BAD_REQUEST');
}

/** Delays before a post is retried that a busy service refused. After the last one it has failed. */
const BUSY_MS = [5_000, 30_000];

/** A call is retried only if the service certainly did not carry it out, so no message is posted twice. */
export function outcomeOf(error: unknown, {failures, refusals}: Pick<Attempt, 'failures' | 'refusals'>): Posted {
	const found = judge(error);
	switch (found.kind) {
		case 'wait':
			return {kind: 'later', delayMs: found.waitMs};
		case 'refused': {
			if (isLockedOut(error)) {
				// The account's key is wrong, or the account is deactivated. Its posts wait until somebody fixes that.
				return failed(found.reason, failures);
			}

			const delayMs = mayPass(found.error) ? BUSY_MS[refusals] : undefined;
			return delayMs === undefined ? {kind: 'refused', reason: found.reason} : {kind: 'busy', delayMs};
		}
		case 'unreached':
			return failed('the service could not be reached', failures);
		default:
			return {kind: 'unknown'};
	}
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** The delay doubles, with jitter, so that entries that failed together are not retried together. */
export function failed(reason: string, failures: number): Posted {
	const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
	return {kind: 'failed', reason, delayMs: Math.round(ms * (0.5 + Math.random()))};
}
