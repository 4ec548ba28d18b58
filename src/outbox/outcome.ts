// What an error of a call says about the call: was it carried out, and is a retry safe?

import {ApiError, NetworkError} from '../client/errors.js';
import type {Posted} from './work-outbox.js';

/** A busy service answers like this, in the account's language ("Unable to render message"): service-facts.md 4.9. */
function mayPass({status, code}: ApiError): boolean {
	return status === 408 || status === 425 || (status === 400 && code === 'BAD_REQUEST');
}

/** Delays before a post is retried that a busy service refused. After the last one it has failed. */
const BUSY_MS = [5_000, 30_000];

/** A call is retried only if the service certainly did not carry it out, so no message is posted twice. */
export function outcomeOf(error: unknown, refusals: number): Posted {
	if (error instanceof ApiError) {
		if (error.status === 429) {
			return {kind: 'later', delayMs: Math.ceil((error.retryAfterSeconds ?? 1) * 1000)};
		}

		const reason = `${error.reason} (${error.code})`;
		if (error.status === 401) {
			// The account's key is wrong, or the account is deactivated. Its posts wait until somebody fixes that.
			return {kind: 'failed', reason};
		}

		const delayMs = mayPass(error) ? BUSY_MS[refusals] : undefined;
		return delayMs === undefined ? {kind: 'refused', reason} : {kind: 'busy', delayMs};
	}

	if (error instanceof NetworkError && !error.mayHaveArrived) {
		return {kind: 'failed', reason: 'the service could not be reached'};
	}

	return {kind: 'unknown'};
}
