// Reads a JSON body of limited size, and says in words what is wrong with one that cannot be read.

import type {Middleware} from 'koa';
import bodyParser from 'koa-bodyparser';
import {WebhookError} from './errors.js';

/** Longest body that is read, in bytes, after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Leaves the parsed body in `ctx.request.body`, an object or a list. */
export function readJson(): Middleware {
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

		await parse(ctx, next);
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
		return new WebhookError(400, 'BAD_COMPRESSION', 'Expected a body that matches its content-encoding.');
	}

	if (error.type === 'request.aborted' || error.type === 'request.size.invalid') {
		return new WebhookError(400, 'CUT_SHORT', 'Expected as many bytes as content-length says, found fewer.');
	}

	return new WebhookError(400, 'BAD_JSON', 'Expected a JSON object, found invalid JSON.');
}

function shorten(text: string): string {
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
