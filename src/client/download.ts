// Reads files that people attached to messages, with an account's own rights.

import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import {loadUndici} from './undici.js';

/** A file could not be read. */
export class FileError extends Error {
	override name = 'FileError' as const;

	constructor(
		/** What the service answered; 0 when the file is larger than was asked for. */
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

export interface DownloadOptions {
	/** Bytes. Default 25 MiB. */
	readonly maxBytes?: number;
}

/** Default limit of a download. */
const LARGEST_FILE = 25 * 1024 * 1024;

/** How to request a file. */
export interface FileCaller {
	readonly dispatcher: Dispatcher;
	/** Base URL of the organization. */
	readonly site: string;
	/** Names and values by turns. */
	readonly headers: readonly string[];
	readonly signal?: AbortSignal | undefined;
}

/**
 * The file behind a link of a message, as it comes in.
 *
 * @throws FileError when there is none, when the account may not read it, or, while it is read, when it is too large.
 */
export async function download(
	link: string,
	caller: FileCaller,
	{maxBytes = LARGEST_FILE}: DownloadOptions = {},
): Promise<Response> {
	const {dispatcher, headers, signal} = caller;
	const {origin, pathname, search} = fileUrl(link, caller.site);
	const path = pathname + search;
	const asked = {method: 'GET' as const, ...(signal && {signal})};
	let answer: Dispatcher.ResponseData = await dispatcher.request({...asked, headers: [...headers], origin, path});
	const {location} = answer.headers;
	if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
		await answer.body.dump();
		// The service redirects to a signed link on another host. Never send the account's key there.
		answer = await loadUndici().request(new URL(location, origin), asked);
	}

	const {statusCode: status, body} = answer;
	if (status !== 200) {
		await body.dump();
		throw new FileError(status, reasonOf(status));
	}

	const declared = Number(answer.headers['content-length'] ?? 0);
	if (declared > maxBytes) {
		// What is not read is no error of anybody's.
		body.on('error', () => {}).destroy();
		throw tooLarge(maxBytes);
	}

	const type = String(answer.headers['content-type'] ?? 'application/octet-stream');
	return new Response(Readable.toWeb(Readable.from(limited(body, maxBytes))) as ReadableStream<Uint8Array>, {
		headers: {'content-type': type, ...(declared > 0 && {'content-length': String(declared)})},
	});
}

function fileUrl(link: string, site: string): URL {
	const base = new URL(`${site.replace(/\/$/, '')}/`);
	const url = URL.canParse(link, base.href) ? new URL(link, base.href) : undefined;
	if (!url || url.origin !== base.origin || !/\/user_uploads\/./.test(url.pathname)) {
		// The account's key goes nowhere else.
		throw new TypeError(
			'Expected ctx.download() with a link to a file of the service, such as /user_uploads/2/ab/notes.txt',
		);
	}

	return url;
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) {
			throw tooLarge(maxBytes);
		}

		yield chunk;
	}
}

function tooLarge(maxBytes: number): FileError {
	return new FileError(0, `Expected a file of at most ${maxBytes} bytes (maxBytes), found a larger one`);
}

function reasonOf(status: number): string {
	return status === 403
		? 'The bot may not read this file. A bot of the type Outgoing webhook reads no files from direct messages, groups and ' +
				'private channels with protected history: ask for the file in a public channel, or use a Generic bot with `receive = events`.'
		: `Expected a file, the service answered ${status}`;
}

/** A link in Markdown to a file. */
export function linkTo(name: string, url: string): string {
	return `[${name.replace(/[[\]\\\n]/g, ' ')}](${url})`;
}
