// Asks the service until it answers: a network that breaks, a server that fails or stammers,
// and a 429 are waited for.

import {setTimeout} from 'node:timers/promises';
import {ApiError, NetworkError, ResponseError} from '../client/errors.js';
import type {WorkerLog} from '../queue/define-worker.js';

/** Wait before a service that did not answer is asked again; up to twice that, so that not all ask at once. */
const AGAIN_MS = 1_000;

/** Waits so long; throws when `signal` fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleepByTimer: Sleep = (ms, signal) => setTimeout(ms, undefined, {signal});

export interface RetryOptions {
	readonly signal: AbortSignal;
	readonly log: WorkerLog;
	/** Whose calls these are, for the log. */
	readonly account: string;
	readonly sleep: Sleep;
}

/**
 * `before` is what went wrong with the attempt before. Throws what waiting does not help against, and when `signal` says
 * so.
 */
export async function retryUntilAnswered<Result>(
	{signal, log, account, sleep}: RetryOptions,
	ask: (before: unknown) => Promise<Result>,
): Promise<Result> {
	let before: unknown;
	for (;;) {
		signal.throwIfAborted();
		try {
			const result = await ask(before);
			if (before !== undefined) {
				log.info({account}, 'the service answers again');
			}

			return result;
		} catch (error) {
			signal.throwIfAborted();
			const waitMs = waitAfter(error);
			if (waitMs === undefined) {
				throw error;
			}

			if (before === undefined) {
				log.warn({account, reason: String(error)}, 'the service does not answer; retrying until it does');
			}

			before = error;
			await sleep(waitMs, signal);
		}
	}
}

function waitAfter(error: unknown): number | undefined {
	if (error instanceof ApiError && error.status === 429) {
		return Math.ceil((error.retryAfterSeconds ?? 1) * 1000);
	}

	return error instanceof NetworkError || error instanceof ResponseError ? spread(AGAIN_MS) : undefined;
}

/** A time between `ms` and twice that. */
export function spread(ms: number): number {
	return ms * (1 + Math.random());
}
