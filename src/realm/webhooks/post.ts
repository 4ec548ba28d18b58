// Posts one webhook and returns the outcome. Knows nothing of bots or messages.

import http from 'node:http';
import https from 'node:https';
import type {Duplex} from 'node:stream';
import {unzipSync} from 'node:zlib';
import type {Clock} from '../clock.js';

export type Outcome =
	/** The receiver answered; redirects have been followed. */
	| {readonly kind: 'answer'; readonly status: number; readonly body: Buffer; readonly type: string}
	| {readonly kind: 'timeout'; readonly afterMs: number}
	/** `within`: the connection broke after the head of the answer, which is included. */
	| {readonly kind: 'broken'; readonly within?: string}
	/** Not posted: the receiver's format does not support the message. */
	| {readonly kind: 'unfit'; readonly reason: string}
	/** Another attempt cannot succeed. */
	| {readonly kind: 'failed'; readonly type: string; readonly reason: string}
	/** The realm stopped it. */
	| {readonly kind: 'stopped'};

export interface WebhookRequest {
	readonly url: string;
	readonly userAgent: string;
	readonly body: string;
	readonly contentType: string;
	/** Time limit for the connection, and for each read. */
	readonly timeoutMs: number;
	readonly clock: Clock;
	readonly stop: AbortSignal;
	/** Cuts the connection after the request was written. */
	readonly isCutAfterWriting: boolean;
	/** Opens the connection. Default: over the network. */
	readonly connect: (() => Duplex) | undefined;
}

const MAX_REDIRECTS = 30;

export async function postWebhook(request: WebhookRequest): Promise<Outcome> {
	let url: string = request.url;
	let method: 'GET' | 'POST' = 'POST';
	for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
		const target = readUrl(url);
		if (!target) {
			return {kind: 'failed', type: 'InvalidURL', reason: `Expected an http or https URL, got ${url}`};
		}

		const outcome = await exchange(request, target, method);
		if (outcome.kind !== 'answer' || !isRedirect(outcome.status) || outcome.location === undefined) {
			return outcome;
		}

		url = URL.canParse(outcome.location, target.href) ? new URL(outcome.location, target).href : outcome.location;
		// 307 and 308 repeat the request unchanged; the others become a GET of the new URL.
		method = outcome.status === 307 || outcome.status === 308 ? method : 'GET';
	}

	return {kind: 'failed', type: 'TooManyRedirects', reason: `Exceeded ${MAX_REDIRECTS} redirects.`};
}

function readUrl(url: string): URL | undefined {
	const target = URL.canParse(url) ? new URL(url) : undefined;
	return target && ['http:', 'https:'].includes(target.protocol) ? target : undefined;
}

function isRedirect(status: number): boolean {
	return [301, 302, 303, 307, 308].includes(status);
}

type Answer = Outcome & {readonly location?: string | undefined};

function exchange(request: WebhookRequest, target: URL, method: 'GET' | 'POST'): Promise<Answer> {
	return new Promise(resolve => {
		const {clock, timeoutMs, stop} = request;
		const {request: open} = target.protocol === 'https:' ? https : http;
		const body = method === 'POST' ? request.body : '';
		const outgoing = open(target, {
			method,
			...(request.connect ? {createConnection: request.connect} : {agent: false}),
			headers: {
				'User-Agent': request.userAgent,
				Accept: '*/*',
				'Accept-Encoding': 'gzip, deflate',
				...(method === 'POST' && {
					'Content-Type': request.contentType,
					'Content-Length': Buffer.byteLength(body),
				}),
			},
		});

		let cancel = () => {};
		const end = (outcome: Answer) => {
			cancel();
			stop.removeEventListener('abort', halt);
			outgoing.destroy();
			resolve(outcome);
		};
		const halt = () => end({kind: 'stopped'});
		const wait = () => {
			cancel();
			cancel = clock.after(timeoutMs, () => end({kind: 'timeout', afterMs: timeoutMs}));
		};

		wait();
		stop.addEventListener('abort', halt);
		let breakOff: (() => void) | undefined;
		outgoing.on('error', error => (breakOff ? breakOff() : end(asOutcome(error))));
		outgoing.on('response', response => {
			const chunks: Buffer[] = [];
			breakOff = () => end({kind: 'broken', within: incompleteRead(response, Buffer.concat(chunks).length)});
			wait();
			response.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				wait();
			});
			response.on('error', breakOff);
			response.on('aborted', breakOff);
			response.on('end', () => {
				end(readAnswer(response, Buffer.concat(chunks)));
			});
		});
		if (request.isCutAfterWriting) {
			outgoing.on('finish', () => end({kind: 'broken'}));
		}

		if (stop.aborted) {
			halt();
			return;
		}

		outgoing.end(body);
	});
}

function readAnswer({statusCode: status = 0, headers}: http.IncomingMessage, sent: Buffer): Answer {
	const {'content-type': type = '', 'content-encoding': encoding = '', location} = headers;
	try {
		const isCompressed = /^(?:gzip|deflate)$/i.test(encoding) && sent.length > 0;
		return {kind: 'answer', status, body: isCompressed ? unzipSync(sent) : sent, type, location};
	} catch (error) {
		// In the words of the service's own HTTP library.
		const what = `'Received response with content-encoding: ${encoding}, but failed to decode it.'`;
		const why = `error('Error -3 while decompressing data: ${error instanceof Error ? error.message : ''}')`;
		return {kind: 'failed', type: 'ContentDecodingError', reason: `(${what}, ${why})`};
	}
}

/** In the words of the service's own HTTP library. */
function incompleteRead({headers}: http.IncomingMessage, length: number): string {
	const expected = headers['content-length'];
	const more = expected === undefined ? '' : `, ${Number(expected) - length} more expected`;
	const read = `IncompleteRead(${length} bytes read${more})`;
	return `('Connection broken: ${read}', ${read})`;
}

/** Without TLS, or with an invalid certificate, another attempt cannot succeed. Any other error may be temporary. */
function asOutcome(error: Error & {code?: string}): Outcome {
	const isTls = /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(error.code ?? '');
	return isTls ? {kind: 'failed', type: 'SSLError', reason: error.message} : {kind: 'broken'};
}
