// What a failed call says: whether the service carried it out, and how long it asks to wait. Every retry is decided by this.

import {ApiError, NetworkError, ResponseError} from './errors.js';

export type Judgement =
	/** The service carried out nothing and asks to wait (429). */
	| {readonly kind: 'wait'; readonly waitMs: number}
	/** The service carried out nothing, and refuses the call. */
	| {readonly kind: 'refused'; readonly error: ApiError; readonly reason: string}
	/** The call certainly never reached the service. */
	| {readonly kind: 'unreached'; readonly error: NetworkError}
	/** No answer came. The service may have carried it out. */
	| {readonly kind: 'unanswered'; readonly error: NetworkError}
	/** An answer came that is not one of this API. The service may have carried it out. */
	| {readonly kind: 'unreadable'; readonly error: ResponseError}
	/** No error of a call. */
	| {readonly kind: 'other'};

export function judge(error: unknown): Judgement {
	if (error instanceof ApiError) {
		return error.status === 429
			? {kind: 'wait', waitMs: Math.ceil((error.retryAfterSeconds ?? 1) * 1000)}
			: {kind: 'refused', error, reason: `${error.reason} (${error.code})`};
	}

	if (error instanceof NetworkError) {
		return {kind: error.mayHaveArrived ? 'unanswered' : 'unreached', error};
	}

	return error instanceof ResponseError ? {kind: 'unreadable', error} : {kind: 'other'};
}

/** Whether the service refused the account's key: calls succeed again when somebody corrects it. */
export function isLockedOut(error: unknown): boolean {
	return error instanceof ApiError && error.status === 401;
}

/** Whether the service answered, so that asking it again is of no use. */
export function wasAnswered(error: unknown): boolean {
	return !isLockedOut(error) && ['refused', 'unreadable'].includes(judge(error).kind);
}
