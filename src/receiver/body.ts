// Reads a JSON body of limited size, and says in words what is wrong with one that cannot be read.

import type {IncomingMessage} from 'node:http';
import type {Middleware} from 'koa';
import bodyParser from 'koa-bodyparser';
import {WebhookError} from './errors.js';

/** Longest body that is read, in bytes, after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What a decoder may hold, in bytes. */
const DECODER_BYTES = 16 * 1024 * 1024;

/** Of all bodies that are being read, in bytes. Nobody has proven who sends them. */
const MOST_READING = 64 * 1024 * 1024;

/** Leaves the parsed body in `ctx.request.body`, an object or a list. */
export function readJson(): Middleware {
	const makeRoom = createRoom();
	const parse = bodyParser({
		enableTypes: ['json'],
		jsonLimit: String(MAX_BODY_BYTES),
		onerror(error) {
			throw asWebhookError(error);
		},
	});

	return async function readJsonBody(ctx, next) {
		// The type that the service sends needs no parser of types.
		if (ctx.req.headers['content-type'] !== 'application/json' && !ctx.is('application/json')) {
			const found = ctx.get('content-type') || 'none';
			throw new WebhookError(
				415,
				'UNSUPPORTED_TYPE',
				`Expected content type application/json, found ${shorten(found)}.`,
			);
		}

		const leave = makeRoom(ctx.req);
		await parse(ctx, async () => {}).finally(leave);
		await next();
	};
}

/** Ends the connections whose bodies have been under way for longest: a service sends its few kilobytes at once. */
function createRoom(): (request: IncomingMessage) => () => void {
	const reading = new Map<IncomingMessage, number>();
	let bytes = 0;

	return function makeRoom(request) {
		const {'content-length': length, 'content-encoding': encoding} = request.headers;
		const size = encoding === undefined ? Math.min(Number(length ?? MAX_BODY_BYTES), MAX_BODY_BYTES) : DECODER_BYTES;
		const leave = () => {
			bytes -= reading.delete(request) ? size : 0;
		};
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

		return leave;
	};
}

interface ParserError extends Error {
	readonly status?: number;
	readonly type?: string;
	readonly code?: string;
}

function asWebhookError(error: ParserError): WebhookError {
	if (error.status === 413) {
		return new WebhookError(413, 'TOO_LARGE', `Expected a body of at most ${MAX_BODY_BYTES} bytes, found more.`);
	}

	if (error.status === 415) {
		return new WebhookError(
			415,
			'UNSUPPORTED_ENCODING',
			'Expected a body in UTF-8, plain or compressed by gzip, deflate or br.',
		);
	}

	if (error.code?.startsWith('Z_') || error.code?.startsWith('ERR_')) {
		return new WebhookError(400, 'BAD_COMPRESSION', 'Expected a body compressed as its content-encoding says.');
	}

	if (error.type === 'request.aborted' || error.type === 'request.size.invalid') {
		return new WebhookError(400, 'CUT_SHORT', 'Expected as many bytes as content-length says, found fewer.');
	}

	return new WebhookError(400, 'BAD_JSON', 'Expected a JSON object, found a body that is no valid JSON.');
}

function shorten(text: string): string {
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
