// The one call path to the service: encode, send, read the answer. Retries where that is safe.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Dispatcher} from 'undici';
import {type Operation, operations} from '../api/index.js';
import type {z} from '../api/zod.js';
import {createResultReader, readAnswer} from './answer.js';
import {createEncode, type Encoded} from './encode.js';
import {ApiError, NetworkError, ResponseError} from './errors.js';
import {exchange, type NoAnswer, type Request, TooLong} from './exchange.js';
import {judge} from './judge.js';
import {createLevelCheck, type Level} from './level.js';

/** During a pause no call of the account reaches the service. */
export interface Pause {
	/** Milliseconds until the account may call again. 0 for now. */
	remainingMs(): number;
	/** Records that the service asked this account to wait. */
	begin(ms: number): void;
}

export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Time for this whole call in milliseconds, retries included. */
	readonly timeoutMs?: number;
	/** ID of the delivery that causes the call, sent as the header `Bothy-Delivery`. */
	readonly delivery?: string;
}

/** The caller and its site. */
export interface Caller {
	readonly dispatcher: Dispatcher;
	readonly origin: string;
	/** Path prefix of the operations. */
	readonly root: string;
	readonly headers: readonly string[];
	readonly formHeaders: readonly string[];
	readonly timeoutMs: number;
	readonly level: Level;
	readonly pause: Pause | undefined;
	readonly waits: boolean;
	readonly onIgnoredParameters: ((operation: string, parameters: readonly string[]) => void) | undefined;
	/** Told of each try: with the error when no usable answer came, without one otherwise. */
	readonly onOutcome: ((error: Error | undefined, call: Tried) => void) | undefined;
}

/** One try of a call. */
export interface Tried {
	readonly operation: string;
	readonly ms: number;
}

type Given = Readonly<Record<string, unknown>>;
export type Json = Readonly<Record<string, unknown>>;

/** What is called. */
interface Task {
	/** For errors. */
	readonly name: string;
	readonly method: Request['method'];
	readonly isRepeatable: boolean;
	readonly delivery: string | undefined;
	/** Requests the server's level if necessary, within the time for the call. */
	encode(remaining: () => Remaining): Encoded | Promise<Encoded>;
}

/** Time left for a call. */
interface Remaining {
	readonly timeoutMs: number;
	/** The time that the call had. */
	readonly limitMs: number;
	readonly signal: AbortSignal | undefined;
}

/** Makes the call of one operation. */
export function createPerform<Result extends z.ZodType>(operation: Operation<Operation['parameters'], Result>) {
	const {name, method, repeatable: isRepeatable = method === 'GET'} = operation;
	const encode = createEncode(operation);
	const levels = createLevelCheck(operation);
	const readResult = createResultReader(name, operation.result);

	async function encodeForLevel(caller: Caller, parameters: Given, remaining: Remaining): Promise<Encoded> {
		const level = caller.level.known() ?? (await askLevel(caller, remaining));
		levels.check(parameters, level);
		return encode(parameters, level);
	}

	return async function perform(caller: Caller, parameters: Given, options: CallOptions): Promise<z.output<Result>> {
		const json = await callWithRetries(caller, options, {
			name,
			method,
			isRepeatable,
			delivery: options.delivery,
			encode: remaining =>
				levels.concerns(parameters) ? encodeForLevel(caller, parameters, remaining()) : encode(parameters, undefined),
		});
		noteLevel(caller.level, json);
		return readResult(json);
	};
}

/** Repeats one task until its answer arrives, its time is over, or a retry would not be safe. */
export async function callWithRetries(caller: Caller, options: CallOptions, task: Task): Promise<Json> {
	const {signal, timeoutMs = caller.timeoutMs} = options;
	const endsAt = performance.now() + timeoutMs;
	const remaining = () => ({timeoutMs: Math.max(0, endsAt - performance.now()), limitMs: timeoutMs, signal});
	for (let attempt = 1; ; attempt++) {
		const since = performance.now();
		const tried = () => ({operation: task.name, ms: performance.now() - since});
		try {
			const json = await callOnce(caller, task, remaining);
			caller.onOutcome?.(undefined, tried());
			return json;
		} catch (error) {
			if (error instanceof Error && signal?.aborted !== true) {
				caller.onOutcome?.(error, tried());
			}

			const waitMs = waitAfter(error, {attempt, waits: caller.waits, isRepeatable: task.isRepeatable});
			if (waitMs === undefined || waitMs >= remaining().timeoutMs) {
				throw error;
			}

			await sleep(waitMs, undefined, signal && {signal}).catch(() => signal?.throwIfAborted());
		}
	}
}

const MOST_ATTEMPTS = 3;
const FIRST_WAIT_MS = 100;

/** Undefined if a retry is not allowed. */
function waitAfter(
	error: unknown,
	{attempt, waits, isRepeatable}: {attempt: number; waits: boolean; isRepeatable: boolean},
): number | undefined {
	const found = judge(error);
	if (found.kind === 'wait') {
		return waits ? found.waitMs : undefined;
	}

	const hasFailed =
		found.kind === 'unreached' ||
		found.kind === 'unanswered' ||
		(found.kind === 'unreadable' && found.error.status >= 500);
	const isWorthIt = isRepeatable && hasFailed && attempt < MOST_ATTEMPTS;
	// Callers that failed together must not retry together.
	return isWorthIt ? FIRST_WAIT_MS * 4 ** (attempt - 1) * (1 + Math.random()) : undefined;
}

async function callOnce(
	caller: Caller,
	{name, method, delivery, encode}: Task,
	remaining: () => Remaining,
): Promise<Json> {
	const encoding = encode(remaining);
	const {path, body} = encoding instanceof Promise ? await encoding : encoding;
	const pausedMs = caller.pause?.remainingMs() ?? 0;
	if (pausedMs > 0) {
		throw tooMany(name, pausedMs);
	}

	const answer = await ask(caller, {name, method, delivery, path, body}, remaining());
	try {
		const json = readAnswer(name, answer);
		const ignored = json.ignored_parameters_unsupported;
		if (Array.isArray(ignored) && ignored.length > 0) {
			caller.onIgnoredParameters?.(name, ignored.map(String));
		}

		return json;
	} catch (error) {
		const found = judge(error);
		if (found.kind === 'wait') {
			caller.pause?.begin(found.waitMs);
		}

		throw error;
	}
}

/** The error that the service would answer with. */
function tooMany(operation: string, pausedMs: number): ApiError {
	const reason = 'The service asked this account to wait';
	return new ApiError(operation, 'RATE_LIMIT_HIT', 429, reason, {'retry-after': pausedMs / 1000});
}

async function ask(
	{dispatcher, origin, root, headers, formHeaders}: Caller,
	{name, method, delivery, path, body}: Pick<Task, 'name' | 'method' | 'delivery'> & Encoded,
	{timeoutMs, limitMs, signal}: Remaining,
) {
	const own = typeof body === 'string' ? formHeaders : headers;
	try {
		return await exchange(dispatcher, {
			origin,
			method,
			path: root + path,
			headers: delivery === undefined ? own : [...own, 'bothy-delivery', delivery],
			body: body ?? null,
			timeoutMs,
			limitMs,
			signal,
		});
	} catch (error) {
		// An abort by the caller is the caller's own error.
		signal?.throwIfAborted();
		if (error instanceof TooLong) {
			throw new ResponseError(name, error.status, error.message);
		}

		const {cause, wasWritten} = error as NoAnswer;
		throw new NetworkError(name, wasWritten, {cause});
	}
}

/** Some answers name the server's level, and so does the event of a server restart. */
function noteLevel(level: Level, {zulip_feature_level: named, events}: Json): void {
	if (typeof named === 'number') {
		level.note(named);
	} else if (Array.isArray(events)) {
		const restart = events.findLast(event => event?.type === 'restart');
		if (typeof restart?.zulip_feature_level === 'number') {
			level.note(restart.zulip_feature_level);
		}
	}
}

const performSettings = createPerform(operations.getServerSettings);

async function askLevel(caller: Caller, remaining: Remaining): Promise<number> {
	const {zulip_feature_level: level = 0} = await performSettings(caller, {}, remaining);
	return level;
}
