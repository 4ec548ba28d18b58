// One request and its answer over HTTP, with a deadline and a size limit. Uses undici's `dispatch` directly:
// its `request` makes a stream of every answer, which costs more than all of our own work.

import type {Dispatcher, FormData} from 'undici';
import {loadUndici} from './undici.js';

export interface Request {
	readonly origin: string;
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	readonly path: string;
	/** Alternating names and values. */
	readonly headers: readonly string[];
	/** A multipart form sets its type itself. */
	readonly body: string | FormData | null;
	/** Time until the whole answer has arrived. */
	readonly timeoutMs: number;
	/** The time that the caller has set, for the error. Earlier steps of the call may have taken a part of it. */
	readonly limitMs: number;
	readonly signal: AbortSignal | undefined;
}

export interface Answer {
	readonly status: number;
	readonly retryAfter: string | undefined;
	/** Target of a redirect. */
	readonly location: string | undefined;
	readonly text: string;
}

/** No answer; `cause` is the reason. */
export class NoAnswer extends Error {
	override name = 'NoAnswer' as const;

	constructor(
		cause: unknown,
		/** Whether the request was, or may have been, written to a connection. */
		readonly wasWritten: boolean,
	) {
		super('No answer', {cause});
	}
}

/** The answer is longer than we read. */
export class TooLong extends Error {
	override name = 'TooLong' as const;

	constructor(readonly status: number) {
		super(`more than ${MAX_ANSWER_BYTES} bytes`);
	}
}

/** Maximum bytes of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Throws `NoAnswer` or `TooLong`. */
export function exchange(dispatcher: Dispatcher, request: Request): Promise<Answer> {
	const {origin, method, path, headers, body} = request;
	return new Promise((resolve, reject) => {
		const receiving = new Receiving(request, resolve, reject);
		dispatcher.dispatch(
			// Undici does not change them.
			{origin, method, path, headers: headers as string[], body, headersTimeout: 0, bodyTimeout: 0},
			receiving,
		);
	});
}

class Receiving implements Dispatcher.DispatchHandler {
	readonly #resolve: (answer: Answer) => void;
	readonly #reject: (error: Error) => void;
	readonly #signal: AbortSignal | undefined;
	readonly #timer: NodeJS.Timeout;
	readonly #limitMs: number;
	#controller: Dispatcher.DispatchController | undefined;
	#isSettled = false;
	#status = 0;
	#retryAfter: string | undefined;
	#location: string | undefined;
	#chunks: Buffer[] = [];
	#bytes = 0;

	constructor(
		{timeoutMs, limitMs, signal}: Request,
		resolve: (answer: Answer) => void,
		reject: (error: Error) => void,
	) {
		this.#resolve = resolve;
		this.#reject = reject;
		this.#signal = signal;
		this.#limitMs = limitMs;
		this.#timer = setTimeout(expire, timeoutMs, this);
		signal?.addEventListener('abort', this);
		if (signal?.aborted) {
			this.handleEvent();
		}
	}

	/** The caller's signal has fired. */
	handleEvent(): void {
		this.#giveUp(this.#signal?.reason);
	}

	expire(): void {
		this.#giveUp(new Error(`no answer within ${Math.round(this.#limitMs)} ms`));
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		if (this.#isSettled) {
			controller.abort(new (loadUndici().errors.RequestAbortedError)());
		}

		this.#controller = controller;
	}

	onResponseStart(
		_: Dispatcher.DispatchController,
		status: number,
		headers: Readonly<Record<string, string | string[] | undefined>>,
	): void {
		this.#status = status;
		this.#retryAfter = first(headers['retry-after']);
		this.#location = first(headers.location);
		if (Number(headers['content-length'] ?? 0) > MAX_ANSWER_BYTES) {
			this.#fail(new TooLong(status));
		}
	}

	onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#chunks.push(chunk);
		this.#bytes += chunk.length;
		if (this.#bytes > MAX_ANSWER_BYTES) {
			this.#fail(new TooLong(this.#status));
		}
	}

	onResponseEnd(): void {
		if (this.#settle()) {
			this.#resolve({
				status: this.#status,
				retryAfter: this.#retryAfter,
				location: this.#location,
				text: textOf(this.#chunks),
			});
		}
	}

	onResponseError(_: Dispatcher.DispatchController, error: Error): void {
		if (this.#settle()) {
			this.#reject(new NoAnswer(error, this.#controller !== undefined));
		}
	}

	#giveUp(cause: unknown): void {
		this.#fail(new NoAnswer(cause, this.#controller !== undefined));
	}

	#fail(error: Error): void {
		if (this.#settle()) {
			this.#chunks = [];
			this.#reject(error);
			this.#controller?.abort(error);
		}
	}

	/** False if that has happened before. */
	#settle(): boolean {
		if (this.#isSettled) {
			return false;
		}

		this.#isSettled = true;
		clearTimeout(this.#timer);
		this.#signal?.removeEventListener('abort', this);
		return true;
	}
}

function expire(receiving: Receiving): void {
	receiving.expire();
}

function first(value: string | string[] | undefined): string | undefined {
	return Array.isArray(value) ? value[0] : value;
}

function textOf(chunks: readonly Buffer[]): string {
	const [only] = chunks;
	return only && chunks.length === 1 ? only.toString() : Buffer.concat(chunks).toString();
}
