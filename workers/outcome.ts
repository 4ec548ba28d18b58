// What an error of a call says about the call: was it carried out, may it be made again?

import {ApiError, NetworkError} from '../src/client/errors.js';
import type {Posted} from '../src/delivery/outbox.js';

/** Only what the service certainly did not carry out is tried again as it is: a message is never posted twice. */
export function outcomeOf(error: unknown): Posted {
	if (error instanceof ApiError) {
		return error.status === 429
			? {kind: 'later', delayMs: Math.ceil((error.retryAfterSeconds ?? 1) * 1000)}
			: {kind: 'refused', reason: `${error.reason} (${error.code})`};
	}

	if (error instanceof NetworkError && !error.mayHaveArrived) {
		return {kind: 'failed', reason: 'the service could not be reached'};
	}

	return {kind: 'unknown'};
}
