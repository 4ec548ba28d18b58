// Retries a call until the service answers. Waits out network failures, server errors, invalid answers
// and 429s.

import {setTimeout} from 'node:timers/promises';
import {judge} from '../client/judge.js';
import type {WorkerLog} from '../queue/define-worker.js';

/** Delay before a retry if the service did not answer. Up to twice as long, so that not all callers retry at once. */
const AGAIN_MS = 1_000;

/** Waits this long. Throws when `signal` fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleepByTimer: Sleep = (ms, signal) => setTimeout(ms, undefined, {signal});

export interface RetryOptions {
	readonly signal: AbortSignal;
	readonly log: WorkerLog;
	/** The account that makes these calls, for the log. */
	readonly account: string;
	readonly sleep: Sleep;
}

/**
 * `before` is the error of the previous attempt. Throws errors that waiting does not fix, and the signal's reason when it
 * fires.
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
				// The client warns of a site that does not answer, once for all of its accounts.
				log.info({account, reason: String(error)}, 'cannot poll now; retrying until the service answers');
			}

			before = error;
			await sleep(waitMs, signal);
		}
	}
}

function waitAfter(error: unknown): number | undefined {
	const found = judge(error);
	switch (found.kind) {
		case 'wait':
			return found.waitMs;
		case 'unreached':
		case 'unanswered':
		case 'unreadable':
			return spread(AGAIN_MS);
		default:
			return undefined;
	}
}

/** A time between `ms` and twice that. */
export function spread(ms: number): number {
	return ms * (1 + Math.random());
}
