// Calls the service as one account: a typed method for each operation of the wire table.

import type {Dispatcher} from 'undici';
import {
	type Operation,
	type OperationName,
	type Operations,
	operations,
	type ParametersOf,
	type ResultOf,
} from '../api/index.js';
import {type Caller, type CallOptions, callWithRetries, createPerform, type Json, type Pause} from './call.js';
import {type DownloadOptions, download} from './download.js';
import {encodeRaw} from './encode.js';
import type {Request} from './exchange.js';
import {createLevel, type Level} from './level.js';
import {createPool} from './pool.js';

export type {Pause};

export interface ClientOptions {
	/** Base URL of the organization, `https://chat.example.com`. */
	readonly site: string;
	readonly email: string;
	/** API key. */
	readonly key: string;
	/** Sent as `User-Agent`, `Bothy/1.2.3`. */
	readonly userAgent: string;
	/** Time for one whole call in milliseconds, unless the call sets its own. Default 15,000. */
	readonly timeoutMs?: number;
	/** Connections to the site, which its accounts can share. Default: the client opens its own. */
	readonly pool?: Dispatcher;
	/** The server's feature level, which its accounts can share. */
	readonly level?: Level;
	/** Stores the pauses that a 429 asks for. */
	readonly pause?: Pause;
	/**
	 * Whether a call waits as long as a 429 asks, if its time allows. Otherwise it throws the `ApiError` at once. Jobs want
	 * that: they are delayed instead.
	 */
	readonly waits?: boolean;
	/** Called for parameters that the server reported as ignored. */
	readonly onIgnoredParameters?: (operation: string, parameters: readonly string[]) => void;
	/** Called with the error of each call that got no usable answer, and without one after each answer. */
	readonly onOutcome?: Caller['onOutcome'];
}

type Arguments<O extends Operation> =
	Record<string, never> extends ParametersOf<O>
		? [parameters?: ParametersOf<O>, options?: CallOptions]
		: [parameters: ParametersOf<O>, options?: CallOptions];

type Methods = {
	readonly [N in OperationName]: (...args: Arguments<Operations[N]>) => Promise<ResultOf<Operations[N]>>;
};

/** A call that is not in the table. */
export interface RawCall {
	readonly method: Request['method'];
	/** Path below `/api/v1`, with its parameters filled in: `/realm/emoji/wave`. */
	readonly path: string;
	/** Strings are sent as they are, everything else as JSON. */
	readonly parameters?: Readonly<Record<string, unknown>>;
}

/**
 * Calls the service as one account. Every method throws `ApiError`, `NetworkError` or `ResponseError`. After a missing
 * answer, or a failure of the server itself, the client retries only calls that are safe to repeat, within their time.
 */
export type Client = Methods & {
	readonly email: string;
	readonly site: string;
	/** Any call of the service's API. Returns the answer unchanged. */
	call(call: RawCall, options?: CallOptions): Promise<Json>;
	/**
	 * The file behind a link of a message, with this account's rights.
	 *
	 * @throws FileError when there is none, or when the account may not read it.
	 */
	download(link: string, options?: DownloadOptions & {readonly signal?: AbortSignal}): Promise<Response>;
	close(): Promise<void>;
};

export function createClient(options: ClientOptions): Client {
	const {origin, pathname} = new URL(options.site);
	const pool = options.pool ?? createPool(options.site);
	const headers = [
		'authorization',
		`Basic ${Buffer.from(`${options.email}:${options.key}`).toString('base64')}`,
		'user-agent',
		options.userAgent,
		'accept',
		'application/json',
	];
	const caller: Caller = {
		dispatcher: pool,
		origin,
		root: `${pathname.replace(/\/$/, '')}/api/v1`,
		headers,
		formHeaders: [...headers, 'content-type', 'application/x-www-form-urlencoded'],
		timeoutMs: options.timeoutMs ?? 15_000,
		level: options.level ?? createLevel(),
		pause: options.pause,
		waits: options.waits ?? false,
		onIgnoredParameters: options.onIgnoredParameters,
		onOutcome: options.onOutcome,
	};

	const methods = Object.fromEntries(
		performers.map(([name, perform]) => [
			name,
			(parameters: Record<string, unknown> = {}, callOptions: CallOptions = {}) =>
				perform(caller, parameters, callOptions),
		]),
	);

	// The table's types define what each method takes and returns.
	return {
		...(methods as unknown as Methods),
		email: options.email,
		site: options.site,
		call: ({method, path, parameters = {}}, callOptions = {}) =>
			callWithRetries(caller, callOptions, {
				name: `${method} ${path}`,
				method,
				isRepeatable: method === 'GET',
				delivery: callOptions.delivery,
				encode: () => encodeRaw(method, path, parameters),
			}),
		download: (link, {signal, ...limits} = {}) =>
			download(link, {dispatcher: pool, site: options.site, headers, signal}, limits),
		close: async () => (options.pool ? undefined : pool.destroy()),
	};
}

/** Created once, for all clients of the process. */
const performers = Object.values<Operation>(operations).map(
	operation => [operation.name, createPerform(operation)] as const,
);
