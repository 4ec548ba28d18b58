// Compresses the text of an answer for a browser, which may be on a slow line.

import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import type {Context, Next} from 'koa';

const compress = promisify(gzip);

/** A shorter answer arrives about as fast as it is. */
const MIN_CHARACTERS = 4_096;

export async function compressAnswer(ctx: Context, next: Next): Promise<void> {
	await next();
	const text: unknown = ctx.body;
	// Without `respond`, nobody gets the answer.
	if (typeof text === 'string' && text.length >= MIN_CHARACTERS && ctx.respond !== false) {
		ctx.vary('Accept-Encoding');
		if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
			ctx.set('Content-Encoding', 'gzip');
			ctx.body = await compress(text);
		}
	}
}
