// The one call path to the service: encode, ask, decode, check. A typed method for each operation of the wire table.

import {STATUS_CODES} from 'node:http';
import {FormData, Pool} from 'undici';
import {
	encodeValue,
	type Operation,
	type OperationName,
	type Operations,
	operations,
	type ParametersOf,
	pathParameters,
	type ResultOf,
} from '../api/index.js';
import {ApiError, NetworkError, ResponseError} from './errors.js';

export interface ClientOptions {
	/** Base URL of the organization, `https://chat.example.com`. */
	readonly site: string;
	readonly email: string;
	/** API key. */
	readonly key: string;
	/** Sent as `User-Agent`, `Bothy/1.2.3`. */
	readonly userAgent: string;
	/** Time for one whole call in milliseconds, unless the call says otherwise. Default 15,000. */
	readonly timeoutMs?: number;
	/** Connections to the site, to be shared by its accounts; the client's own when absent. */
	readonly pool?: Pool;
	/** Keeps the pauses that a 429 asks for. */
	readonly pause?: Pause;
	/** Called for parameters that the server said it ignored. */
	readonly onIgnoredParameters?: (operation: string, parameters: readonly string[]) => void;
}

/** While it lasts every call throws the `ApiError` of a 429 without asking the service. */
export interface Pause {
	/** Milliseconds until the account may call again; 0 for now. */
	remainingMs(): number;
	/** The service asked this account to wait. */
	begin(ms: number): void;
}

export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Time for this whole call in milliseconds. */
	readonly timeoutMs?: number;
}

type Arguments<O extends Operation> =
	Record<string, never> extends ParametersOf<O>
		? [parameters?: ParametersOf<O>, options?: CallOptions]
		: [parameters: ParametersOf<O>, options?: CallOptions];

type Methods = {
	readonly [N in OperationName]: (...args: Arguments<Operations[N]>) => Promise<ResultOf<Operations[N]>>;
};

/**
 * Speaks to the service as one account. Every method throws `ApiError`, `NetworkError` or `ResponseError`; nothing is
 * repeated by itself.
 */
export type Client = Methods & {readonly email: string; readonly site: string; close(): Promise<void>};

/** Longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createClient(options: ClientOptions): Client {
	const base = new URL(options.site);
	const pool = options.pool ?? createPool(options.site);
	const caller: Caller = {
		pool,
		root: `${base.pathname.replace(/\/$/, '')}/api/v1`,
		headers: {
			authorization: `Basic ${Buffer.from(`${options.email}:${options.key}`).toString('base64')}`,
			'user-agent': options.userAgent,
			accept: 'application/json',
		},
		timeoutMs: options.timeoutMs ?? 15_000,
		onIgnoredParameters: options.onIgnoredParameters,
		pause: options.pause,
	};

	const methods = Object.fromEntries(
		Object.values(operations).map(operation => [
			operation.name,
			(parameters: Record<string, unknown> = {}, callOptions: CallOptions = {}) =>
				call(caller, operation, parameters, callOptions),
		]),
	);

	// The table's own types say what each method takes and gives.
	return {
		...(methods as unknown as Methods),
		email: options.email,
		site: options.site,
		close: async () => (options.pool ? undefined : pool.destroy()),
	};
}

/** Connections to a site. */
export function createPool(site: string): Pool {
	return new Pool(new URL(site).origin, {connections: 128, allowH2: false});
}

interface Caller {
	readonly pool: Pool;
	readonly root: string;
	readonly headers: Record<string, string>;
	readonly timeoutMs: number;
	readonly onIgnoredParameters: ClientOptions['onIgnoredParameters'];
	readonly pause: Pause | undefined;
}

async function call(
	caller: Caller,
	operation: Operation,
	parameters: Record<string, unknown>,
	options: CallOptions,
): Promise<unknown> {
	const {path, body} = encode(operation, parameters);
	const pausedMs = caller.pause?.remainingMs() ?? 0;
	if (pausedMs > 0) {
		throw tooMany(operation, pausedMs);
	}

	const answer = await ask(caller, operation, {path, body}, options);
	const json = decode(operation, answer);
	if (answer.status >= 300 || json.result === 'error') {
		const error = refusal(operation, answer, json);
		if (error instanceof ApiError && error.status === 429) {
			caller.pause?.begin((error.retryAfterSeconds ?? 1) * 1000);
		}

		throw error;
	}

	const result = operation.result.safeParse(json);
	if (!result.success) {
		const issue = result.error.issues[0];
		throw new ResponseError(operation.name, answer.status, `${issue?.path.join('.')}: ${issue?.message}`);
	}

	const ignored = json.ignored_parameters_unsupported;
	if (Array.isArray(ignored) && ignored.length > 0) {
		caller.onIgnoredParameters?.(operation.name, ignored.map(String));
	}

	return result.data;
}

/** What the service would say. */
function tooMany(operation: Operation, pausedMs: number): ApiError {
	const reason = 'The service has asked this account to wait';
	return new ApiError(operation.name, 'RATE_LIMIT_HIT', 429, reason, {'retry-after': pausedMs / 1000});
}

interface Encoded {
	readonly path: string;
	readonly body: string | FormData | undefined;
}

function encode(operation: Operation, parameters: Record<string, unknown>): Encoded {
	const inPath = new Set(pathParameters(operation.path));
	const form = new URLSearchParams();
	const files: Array<[name: string, file: File]> = [];
	for (const [name, value] of Object.entries(parameters)) {
		const parameter = operation.parameters[name];
		if (!parameter) {
			throw new TypeError(`${operation.name} has no parameter \`${name}\``);
		}

		if (value instanceof File) {
			files.push([name, value]);
		} else if (value !== undefined && !inPath.has(name)) {
			form.append(name, encodeValue(value, parameter.encoding));
		}
	}

	const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
	const fields = form.toString();
	if (operation.method !== 'GET') {
		return {path, body: files.length > 0 ? multipart(form, files) : fields};
	}

	return {path: fields ? `${path}?${fields}` : path, body: undefined};
}

function multipart(form: URLSearchParams, files: ReadonlyArray<[name: string, file: File]>): FormData {
	const parts = new FormData();
	for (const [name, value] of [...form, ...files]) {
		parts.append(name, value);
	}

	return parts;
}

interface Answer {
	readonly status: number;
	readonly retryAfter: string | undefined;
	readonly text: string;
}

async function ask(caller: Caller, operation: Operation, encoded: Encoded, options: CallOptions): Promise<Answer> {
	const timeoutMs = options.timeoutMs ?? caller.timeoutMs;
	const deadline = new AbortController();
	const timer = setTimeout(() => {
		deadline.abort(new Error(`Nothing came within ${timeoutMs} ms`));
	}, timeoutMs);
	const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
	try {
		const response = await caller.pool.request({
			method: operation.method,
			path: caller.root + encoded.path,
			headers:
				typeof encoded.body === 'string'
					? {...caller.headers, 'content-type': 'application/x-www-form-urlencoded'}
					: caller.headers,
			body: encoded.body ?? null,
			signal,
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		const length = Number(response.headers['content-length'] ?? 0);
		if (length > MAX_ANSWER_BYTES) {
			response.body.destroy();
			throw new ResponseError(operation.name, response.statusCode, `${length} bytes are more than we read`);
		}

		const retryAfter = response.headers['retry-after'];
		return {
			status: response.statusCode,
			retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
			text: await response.body.text(),
		};
	} catch (error) {
		if (error instanceof ResponseError) {
			throw error;
		}

		// An abort by the caller is the caller's own error.
		options.signal?.throwIfAborted();
		throw new NetworkError(operation.name, !neverArrived(error), {cause: error});
	} finally {
		clearTimeout(timer);
	}
}

const BEFORE_SENDING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function neverArrived(error: unknown): boolean {
	return error instanceof Error && 'code' in error && BEFORE_SENDING.has(String(error.code));
}

function decode(operation: Operation, answer: Answer): Record<string, unknown> {
	const json = parseObject(answer.text);
	if (json) {
		return json;
	}

	if (answer.status >= 400 && answer.status < 500) {
		return {};
	}

	throw new ResponseError(operation.name, answer.status, 'expected a JSON object, found something else');
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const json: unknown = JSON.parse(text);
		// A JSON object and nothing else has string keys and unknown values.
		return typeof json === 'object' && json !== null && !Array.isArray(json)
			? (json as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}

function refusal(operation: Operation, {status, retryAfter}: Answer, json: Record<string, unknown>): Error {
	const {result: _, msg, code, ...fields} = json;
	if (status >= 500) {
		return new ResponseError(operation.name, status, typeof msg === 'string' ? msg : 'the server failed');
	}

	if (retryAfter !== undefined && fields['retry-after'] === undefined) {
		fields['retry-after'] = Number(retryAfter);
	}

	const reason = typeof msg === 'string' && msg !== '' ? msg : (STATUS_CODES[status] ?? 'no reason given');
	return new ApiError(operation.name, typeof code === 'string' ? code : `HTTP_${status}`, status, reason, fields);
}
