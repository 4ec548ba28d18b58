// Passes a delivery on to the host where its bot still runs. Reads the answer as the service would
// (service-facts.md 4.4).

import {request} from 'undici';
import type {Payload} from '../api/index.js';
import {cut, isTooLong, wellFormed} from './text.js';

export interface ForwardOptions {
	/** Where the old host takes webhooks. May contain a name and password for Basic auth. */
	readonly url: string;
	/** With the token that the old host expects. */
	readonly payload: Payload;
	readonly userAgent: string;
	readonly signal: AbortSignal;
	/** How long the old host may take, in milliseconds. Default 60,000. */
	readonly timeoutMs?: number;
}

/** The old host gave no answer that the service would accept. */
export class ForwardError extends Error {
	override name = 'ForwardError' as const;
	readonly code = 'forward';

	constructor(url: URL, found: string, options?: {cause: unknown}) {
		// Without the URL's password, and without a query, which may contain a secret too.
		super(`Expected a JSON object from ${url.origin}${url.pathname}, found ${found}`, options);
	}
}

/** Longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** What the old host answers. */
export interface Forwarded {
	readonly text: string;
	/** JSON text of what the service shows under it. */
	readonly widget?: string;
}

/**
 * The old host's answer, or undefined if it has nothing to post.
 *
 * @throws ForwardError if the forward fails, and the signal's reason if the signal fires.
 */
export async function forward({
	url: address,
	payload,
	userAgent,
	signal,
	timeoutMs = 60_000,
}: ForwardOptions): Promise<Forwarded | undefined> {
	const url = new URL(address);
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const response = await request(withoutAuth(url), {
			method: 'POST',
			headers: {'content-type': 'application/json', 'user-agent': userAgent, ...authOf(url)},
			body: JSON.stringify(payload),
			signal: AbortSignal.any([signal, timeout]),
			headersTimeout: 0,
			bodyTimeout: 0,
			// A kept-alive connection that the old host just closes would look like a failure of the host.
			reset: true,
		});
		const text = await readAnswer(response.body, url);
		if (response.statusCode < 200 || response.statusCode > 299) {
			throw new ForwardError(url, `HTTP ${response.statusCode}`);
		}

		return readReply(text, url);
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof ForwardError) {
			throw error;
		}

		const found = timeout.aborted ? `nothing within ${timeoutMs} ms` : `no answer (${reasonOf(error)})`;
		throw new ForwardError(url, found, {cause: error});
	}
}

function withoutAuth(url: URL): URL {
	const bare = new URL(url);
	bare.username = '';
	bare.password = '';
	return bare;
}

function authOf({username, password}: URL): Record<string, string> {
	if (username === '' && password === '') {
		return {};
	}

	const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
	return {authorization: `Basic ${Buffer.from(pair).toString('base64')}`};
}

async function readAnswer(body: AsyncIterable<Buffer>, url: URL): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) {
			throw new ForwardError(url, `more than ${MAX_ANSWER_BYTES} bytes`);
		}

		chunks.push(chunk);
	}

	return Buffer.concat(chunks).toString('utf8');
}

/** `""` is what bot servers before 2021 answered when they had nothing to post. */
function readReply(body: string, url: URL): Forwarded | undefined {
	const answer = parseJson(body, url);
	if (answer === '') {
		return undefined;
	}

	if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
		const kind = answer === null ? 'null' : Array.isArray(answer) ? 'a list' : `a ${typeof answer}`;
		throw new ForwardError(url, `JSON that is ${kind}`);
	}

	if ('response_not_required' in answer && answer.response_not_required) {
		return undefined;
	}

	// The older key takes precedence.
	const content = 'response_string' in answer ? answer.response_string : 'content' in answer ? answer.content : '';
	const text = typeof content === 'string' ? content : content === null ? '' : JSON.stringify(content);
	if (text.trim() === '') {
		return undefined;
	}

	const widget = 'response_string' in answer || !('widget_content' in answer) ? undefined : answer.widget_content;
	const said = cut(wellFormed(text));
	return typeof widget === 'string' && !isTooLong(widget) ? {text: said, widget: wellFormed(widget)} : {text: said};
}

function parseJson(body: string, url: URL): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new ForwardError(url, body === '' ? 'an empty body' : 'a body that is not JSON');
	}
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	return 'code' in error ? String(error.code) : error.message;
}
