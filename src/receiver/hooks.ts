// Requests from other systems: verifies each with the account's secret, and turns it into a delivery.

import {createHmac, hash, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {Verification} from '../bot/context/http.js';
import type {Work} from '../delivery/work.js';
import {WebhookError} from './errors.js';

/** An account that accepts requests. */
export interface Hooked {
	/** Section of the config file. */
	readonly name?: string;
	readonly email: string;
	readonly hooks?: readonly {readonly path: string; readonly verify: Verification; readonly secret: string}[];
}

/** A verified request, as a delivery. */
export interface Hooking<Account> {
	readonly account: Account;
	readonly work: Work;
}

/** A request before it is verified. */
export interface RawRequest {
	/** Section of the config file, and the rest of the path. */
	readonly name: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly query: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
	/** Milliseconds since 1970. */
	readonly at: number;
}

/** Undefined for an unknown path and for a wrong signature. Both take the same time. */
export type ReadHook<Account> = (request: RawRequest) => Hooking<Account> | undefined;

export function createHooks<Account extends Hooked>(accounts: readonly Account[]): ReadHook<Account> {
	const hooks = new Map(
		accounts.flatMap(account => {
			const name = (account.name ?? account.email).replace(/^realm:/, '');
			return (account.hooks ?? []).map(hook => [`${name}${hook.path}`, {account, ...hook}] as const);
		}),
	);

	return function readHook({name, path, headers, query, body, at}) {
		const hook = hooks.get(name + path);
		const isTrue = isVerified({verify: hook?.verify ?? 'hmac-sha256', secret: hook?.secret ?? 'nobody', headers, body});
		if (!hook || !isTrue) {
			return undefined;
		}

		const {account} = hook;
		const request = {path, headers: keptHeaders(headers), query: textsOf(query), body: body.toString('utf8'), at};
		return {account, work: {kind: 'http', id: deliveryId(headers, body, at), request}};
	};
}

function isVerified({
	verify,
	secret,
	headers,
	body,
}: {
	verify: Verification;
	secret: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}): boolean {
	switch (verify) {
		case 'gitlab':
			return isSame(headerOf(headers, 'x-gitlab-token'), secret);
		case 'token':
			return isSame(
				/^Bearer (.+)$/i.exec(headerOf(headers, 'authorization'))?.[1] ?? headerOf(headers, 'x-token'),
				secret,
			);
		default: {
			const signature = headerOf(
				headers,
				verify === 'github' ? 'x-hub-signature-256' : 'x-signature-256',
				'x-signature',
			);
			const digest = createHmac('sha256', secret).update(body).digest();
			const given = signature.replace(/^sha256=/, '');
			const isHex = isSame(given.toLowerCase(), digest.toString('hex'));
			return isSame(given, digest.toString('base64')) || isHex;
		}
	}
}

/** The header with the signature or secret of a request. */
export function signatureHeader(
	{verify, secret}: {verify: Verification; secret: string},
	body: string,
): Record<string, string> {
	const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
	return {
		github: {'x-hub-signature-256': signature},
		'hmac-sha256': {'x-signature-256': signature},
		gitlab: {'x-gitlab-token': secret},
		token: {authorization: `Bearer ${secret}`},
	}[verify];
}

/** In constant time, whatever their lengths. */
function isSame(given: string, expected: string): boolean {
	return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

function headerOf(headers: IncomingHttpHeaders, ...names: string[]): string {
	const found = names.map(name => headers[name]).find(value => typeof value === 'string');
	return typeof found === 'string' ? found : '';
}

const DELIVERY_IDS = [
	'x-github-delivery',
	'x-gitea-delivery',
	'idempotency-key',
	'x-gitlab-event-uuid',
	'webhook-id',
	'x-delivery-id',
	'x-request-id',
];

const HOUR_MS = 3_600_000;

/** A hash, because senders choose IDs of any length. */
function deliveryId(headers: IncomingHttpHeaders, body: Buffer, at: number): string {
	const named = headerOf(headers, ...DELIVERY_IDS);
	return named === '' ? `body ${hash('sha256', body)} ${Math.floor(at / HOUR_MS)}` : `id ${hash('sha256', named)}`;
}

/** Signatures, tokens and cookies are not stored. */
const SECRET = /token|signature|authorization|cookie|secret|key$/;

const MOST_HEADERS = 50;
const LONGEST_HEADER = 1_000;

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	const kept = Object.entries(headers).filter(
		([name]) => /^(x-|content-type$|user-agent$)/.test(name) && !SECRET.test(name),
	);
	return Object.fromEntries(
		kept.slice(0, MOST_HEADERS).map(([name, value]) => [name, String(value).slice(0, LONGEST_HEADER)]),
	);
}

function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(query)
			.filter(([name]) => !SECRET.test(name.toLowerCase()))
			.slice(0, MOST_HEADERS)
			.map(([name, value]) => [name, String(value).slice(0, LONGEST_HEADER)]),
	);
}

/** Bytes of a request. */
const LARGEST_BODY = 256 * 1024;

/** The body as it was signed. */
export async function readRaw(request: IncomingMessage): Promise<Buffer> {
	if (request.headers['content-encoding'] !== undefined) {
		throw new WebhookError(415, 'UNSUPPORTED_ENCODING', 'Expected a body without content-encoding.');
	}

	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > LARGEST_BODY) {
			throw new WebhookError(413, 'TOO_LARGE', `Expected a body of at most ${LARGEST_BODY} bytes, found more.`);
		}

		chunks.push(chunk);
	}

	return Buffer.concat(chunks);
}
