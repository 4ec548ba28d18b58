// Formats all answers and errors of the API (service-facts.md 1.1).

import type {Context, Next} from 'koa';
import {RealmError} from '../errors.js';
import type {LogLine} from '../services.js';

export function answerJson(ctx: Context, status: number, body: object): void {
	ctx.status = status;
	ctx.type = 'application/json';
	ctx.body = `${JSON.stringify(body)}\n`;
}

export function answerSuccess(ctx: Context, fields: object): void {
	answerJson(ctx, 200, {result: 'success', msg: '', ...fields});
}

export function answerError(ctx: Context, error: RealmError): void {
	// Other 401s answer a login form, where the header would make the browser ask for credentials again.
	if (error.status === 401 && error.code === 'UNAUTHORIZED') {
		ctx.set('WWW-Authenticate', 'Basic realm="zulip"');
	}

	answerJson(ctx, error.status, {result: 'error', msg: error.message, code: error.code, ...error.fields});
}

/** Turns any thrown error into an answer, and forbids caching. */
export function envelope(log: (line: LogLine) => void) {
	return async function envelope(ctx: Context, next: Next): Promise<void> {
		ctx.set('Cache-Control', 'max-age=0, no-cache, no-store, must-revalidate, private');
		ctx.set('Expires', new Date().toUTCString());
		ctx.set('X-Content-Type-Options', 'nosniff');
		try {
			await next();
		} catch (error) {
			if (error instanceof RealmError) {
				answerError(ctx, error);
				return;
			}

			answerUnexpected(ctx, error, log);
		}
	};
}

function answerUnexpected(ctx: Context, error: unknown, log: (line: LogLine) => void): void {
	// Errors of the body reader (too large, cut off) have a status.
	const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
	if (status >= 400 && status < 500) {
		answerError(ctx, new RealmError('Malformed request', 'BAD_REQUEST', status));
		return;
	}

	log({event: 'error', method: ctx.method, path: ctx.path, error});
	answerJson(ctx, 500, {result: 'error', msg: 'Internal server error'});
}
