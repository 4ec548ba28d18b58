// Makes a call fail in the way that a test asked for.

import type {Context} from 'koa';
import type {Clock} from '../clock.js';
import {ConnectionLost, RealmError} from '../errors.js';
import {answerJson} from '../http/envelope.js';
import type {CallFault} from './trouble.js';

interface TroubledCall {
	readonly ctx: Context;
	readonly clock: Clock;
	readonly trouble: CallFault | undefined;
	/** Runs the call and returns its answer. */
	run(): Promise<void>;
}

/** Runs the call, or not, and damages the answer. */
export async function causeTrouble({ctx, clock, trouble, run}: TroubledCall): Promise<void> {
	try {
		await spoil({ctx, clock, trouble, run});
	} catch (error) {
		if (!(error instanceof ConnectionLost)) {
			throw error;
		}

		cut(ctx);
	}
}

async function spoil({ctx, clock, trouble, run}: TroubledCall): Promise<void> {
	switch (trouble?.kind) {
		case undefined:
			return run();
		case '429':
			ctx.set('Retry-After', String(trouble.retry_after));
			throw new RealmError('API usage exceeded rate limit', 'RATE_LIMIT_HIT', 429, {
				'retry-after': trouble.retry_after,
			});
		case 'busy':
			// As a real server answers if rendering takes too long (service-facts.md 4.9).
			throw new RealmError('Unable to render message', 'BAD_REQUEST', 400);
		case '500':
			return answerJson(ctx, 500, {result: 'error', msg: 'Internal server error'});
		case '502-html':
			ctx.status = 502;
			ctx.type = 'text/html';
			ctx.body = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
			return;
		case 'silence':
			if (trouble.for_ms !== undefined) {
				await pause(clock, trouble.for_ms);
				return run();
			}

			// Koa does not answer. The caller's timeout or the end of the realm closes the connection.
			ctx.respond = false;
			ctx.state.isCut = true;
			return;
		case 'break-before':
			return cut(ctx);
		case 'accept-and-break':
			await run().catch(() => {});
			return cut(ctx);
		case 'unreadable':
			await run();
			ctx.body = '{"result": "succ';
			return;
	}
}

function pause(clock: Clock, ms: number): Promise<void> {
	return new Promise(resolve => {
		clock.after(ms, resolve);
	});
}

function cut(ctx: Context): void {
	ctx.respond = false;
	ctx.state.isCut = true;
	ctx.req.socket.destroy();
}
