// Calls of HTTP APIs other than the service's, for bots: with a time limit, through the host's proxy.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Dispatcher} from 'undici';
import {loadUndici} from './undici.js';

/** Options of `ctx.fetch()`: those of the standard `fetch`, and a time limit. */
export interface FetchOptions extends Omit<RequestInit, 'signal'> {
	/** Time for the whole call and its answer, in milliseconds. Default 10,000. */
	readonly timeoutMs?: number;
}

/** One attempt; a test may answer instead of the network. */
export type FetchOnce = (url: string, init: RequestInit) => Promise<Response>;

/** Bytes of an answer. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

const CONNECT_MS = 5_000;

/** Through the proxy where one is set; `noProxy` names hosts that are reached without it. */
export function createFetchOnce({proxy, noProxy = ''}: {proxy?: string | undefined; noProxy?: string} = {}): FetchOnce {
	const limits = {maxResponseSize: LARGEST_ANSWER, connect: {timeout: CONNECT_MS}};
	let dispatcher: Dispatcher | undefined;
	return async (url, init) => {
		const {Agent, EnvHttpProxyAgent, fetch} = loadUndici();
		dispatcher ??=
			proxy === undefined
				? new Agent(limits)
				: new EnvHttpProxyAgent({...limits, httpProxy: '', httpsProxy: proxy, noProxy});
		// The types of the two fetches differ in name alone.
		return (await fetch(url, {...init, dispatcher} as Parameters<typeof fetch>[1])) as unknown as Response;
	};
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MOST_ATTEMPTS = 3;
const FIRST_WAIT_MS = 200;

/** Reads may be done twice. */
const READS = new Set(['GET', 'HEAD']);
const MAY_PASS = new Set([502, 503, 504]);

/** Why a call of `ctx.fetch()` got no answer. The URL may hold a secret, so only its host is named. */
export class FetchError extends Error {
	override name = 'FetchError' as const;
}

/**
 * Calls until there is an answer, `timeoutMs` pass or `signal` fires. A read without an answer, or with 502, 503 or 504, is
 * tried up to three times.
 */
export async function fetchWithRetries(
	once: FetchOnce,
	url: string | URL,
	{timeoutMs = DEFAULT_TIMEOUT_MS, signal, ...init}: FetchOptions & {readonly signal: AbortSignal},
): Promise<Response> {
	const host = hostOf(url);
	const over = limit(
		signal,
		timeoutMs,
		new FetchError(`Expected an answer from ${host} within ${timeoutMs} ms, got none`),
	);
	const isRead = READS.has((init.method ?? 'GET').toUpperCase());
	for (let attempt = 1; ; attempt++) {
		const isLast = !isRead || attempt === MOST_ATTEMPTS;
		try {
			const response = await once(String(url), {...init, signal: over});
			if (isLast || !MAY_PASS.has(response.status)) {
				return response;
			}

			await response.body?.cancel();
		} catch (error) {
			if (over.aborted) {
				throw over.reason;
			}

			if (isLast) {
				throw new FetchError(`No answer from ${host}${codeOf(error)}`, {cause: error});
			}
		}

		await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, {signal: over}).catch(() => over.throwIfAborted());
	}
}

function hostOf(url: string | URL): string {
	if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new TypeError('Expected ctx.fetch() with a URL that begins with http:// or https://');
	}

	return new URL(url).host;
}

/**
 * Fires with `signal`, or after that time. `AbortSignal.any()` with a timeout may never fire on this Node, since the timeout is
 * collected as garbage (nodejs/node#57736).
 */
function limit(signal: AbortSignal, timeoutMs: number, reason: Error): AbortSignal {
	const stop = new AbortController();
	const timer = setTimeout(() => stop.abort(reason), timeoutMs);
	// It ends no later than the run, and keeps no process alive.
	timer.unref();
	if (signal.aborted) {
		stop.abort(signal.reason);
	} else {
		signal.addEventListener('abort', () => stop.abort(signal.reason), {once: true, signal: stop.signal});
	}

	return stop.signal;
}

function codeOf(error: unknown): string {
	const cause = error instanceof Error ? (error.cause ?? error) : undefined;
	return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}
