// Reads a JSON body of limited size, and explains what is wrong with an unreadable one.

import type {IncomingMessage} from 'node:http';
import {promisify} from 'node:util';
import {brotliDecompress, unzip} from 'node:zlib';
import type {Context} from 'koa';
import {WebhookError} from './errors.js';

/** Maximum bytes of a body, before decompression and after. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Maximum bytes of all bodies being read. Their senders are not verified yet. */
const MOST_READING = 16 * 1024 * 1024;

/** Reads the decompressed bytes of a request's JSON body. */
export function createBodyReader(): (ctx: Context) => Promise<Buffer> {
	const makeRoom = createRoom();

	return async function readBody(ctx) {
		// Fast path for the content type that the service sends.
		if (ctx.req.headers['content-type'] !== 'application/json' && !ctx.is('application/json')) {
			const found = ctx.get('content-type') || 'none';
			throw new WebhookError(
				415,
				'UNSUPPORTED_TYPE',
				`Expected content type application/json, found ${shorten(found)}.`,
			);
		}

		const leave = makeRoom(ctx.req);
		const bytes = await readBytes(ctx.req).finally(leave);
		const encoding = ctx.req.headers['content-encoding'] ?? 'identity';
		return encoding === 'identity' ? bytes : decode(bytes, encoding);
	};
}

/** Ends the connections whose bodies have been under way for longest. A service sends its few kilobytes at once. */
function createRoom(): (request: IncomingMessage) => () => void {
	const reading = new Map<IncomingMessage, number>();
	let bytes = 0;

	return function makeRoom(request) {
		const size = Math.min(Number(request.headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES);
		reading.set(request, size);
		bytes += size;
		for (const [oldest, its] of reading) {
			if (bytes <= MOST_READING) {
				break;
			}

			reading.delete(oldest);
			bytes -= its;
			oldest.destroy();
		}

		return () => {
			bytes -= reading.delete(request) ? size : 0;
		};
	};
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		const listeners = {
			data(chunk: Buffer) {
				bytes += chunk.length;
				if (bytes > MAX_BODY_BYTES) {
					// The rest stays unread, so that the client can read the refusal.
					request.pause();
					stop();
					reject(tooLarge());
				} else {
					chunks.push(chunk);
				}
			},
			end() {
				stop();
				resolve(Buffer.concat(chunks));
			},
			error: refuse,
			close: refuse,
		};

		function refuse() {
			stop();
			reject(new WebhookError(400, 'CUT_SHORT', 'Expected as many bytes as content-length says, found fewer.'));
		}

		/** A refusal may wait for seconds, together with hundreds of others. Listeners of its request would keep the body in memory until then. */
		function stop() {
			for (const [event, listener] of Object.entries(listeners)) {
				request.off(event, listener);
			}
		}

		for (const [event, listener] of Object.entries(listeners)) {
			request.on(event, listener);
		}
	});
}

const DECODERS = new Map<string, (bytes: Buffer, limit: {maxOutputLength: number}) => Promise<Buffer>>([
	['gzip', promisify(unzip)],
	['deflate', promisify(unzip)],
	['br', promisify(brotliDecompress)],
]);

/** Decodes in one step, not as a stream: a decoder holds megabytes for as long as its input is withheld. */
async function decode(bytes: Buffer, encoding: string): Promise<Buffer> {
	const decoder = DECODERS.get(encoding);
	if (!decoder) {
		throw new WebhookError(
			415,
			'UNSUPPORTED_ENCODING',
			'Expected a body in UTF-8, plain or compressed by gzip, deflate or br.',
		);
	}

	try {
		return await decoder(bytes, {maxOutputLength: MAX_BODY_BYTES});
	} catch (error) {
		if (error instanceof RangeError) {
			throw tooLarge();
		}

		throw new WebhookError(400, 'BAD_COMPRESSION', 'Expected a body that matches its content-encoding.');
	}
}

/** An object or a list. */
export function parseJson(text: string): object {
	try {
		const body: unknown = text === '' ? {} : JSON.parse(text);
		if (typeof body === 'object' && body !== null) {
			return body;
		}
	} catch {
		// Reported below, without any of the text.
	}

	throw new WebhookError(400, 'BAD_JSON', 'Expected a JSON object, found invalid JSON.');
}

function tooLarge(): WebhookError {
	return new WebhookError(413, 'TOO_LARGE', `Expected a body of at most ${MAX_BODY_BYTES} bytes, found more.`);
}

function shorten(text: string): string {
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
