// Whether a run may go on: until its timeout has passed, or something else aborts it.

import {RunExpiredError} from './run-expired-error.js';

export class RunExpiry {
	readonly #timeoutMs: number;
	readonly #elapsed: () => number;
	readonly #startedAt: number;
	#reason: Error | undefined;
	#controller: AbortController | undefined;
	#reject: (reason: Error) => void = () => {};

	/** @param elapsed Milliseconds on a clock that only goes forward. */
	constructor(timeoutMs: number, elapsed: () => number) {
		this.#timeoutMs = timeoutMs;
		this.#elapsed = elapsed;
		this.#startedAt = elapsed();
	}

	get isOver(): boolean {
		return this.#reason !== undefined;
	}

	/** Created on first use: few handlers read it, and it is expensive. */
	get signal(): AbortSignal {
		this.#controller ??= new AbortController();
		if (this.#reason) {
			this.#controller.abort(this.#reason);
		}

		return this.#controller.signal;
	}

	/** Ends with what `handler` returns, or with the reason of an abort before that. */
	async race(handler: () => Promise<unknown>): Promise<void> {
		const aborted = new Promise<never>((_, reject) => {
			this.#reject = reject;
		});
		await Promise.race([handler(), aborted]);
	}

	abort(reason: Error): void {
		this.#reason ??= reason;
		this.#controller?.abort(reason);
		this.#reject(reason);
	}

	hasTimedOut(now: number = this.#elapsed()): boolean {
		return now - this.#startedAt > this.#timeoutMs;
	}

	abortAtTimeout(): void {
		this.abort(this.#tooLong());
	}

	/** A bot may post while its handler runs, and afterwards until the handler's timeout would have passed. */
	expectTime(): void {
		if (this.hasTimedOut()) {
			this.#reason ??= this.#tooLong();
		}

		if (this.#reason) {
			throw this.#reason;
		}
	}

	#tooLong(): RunExpiredError {
		return new RunExpiredError(`The handler took longer than ${this.#timeoutMs} ms`);
	}
}
