// The errors of the receiver, and the one table that turns them into answers.

import type {Middleware} from 'koa';

/** A delivery that we refuse: who is at fault, and how to fix it. */
export class WebhookError extends Error {
	override name = 'WebhookError' as const;

	constructor(
		readonly status: 400 | 401 | 404 | 405 | 413 | 415 | 429 | 500 | 503,
		readonly code: string,
		message: string,
		options?: {cause: unknown},
	) {
		super(message, options);
	}
}

/** Fields of the answer to a refused request. */
interface Refusal {
	readonly result: 'error';
	readonly code: string;
	readonly msg: string;
}

/** Answers every error as a JSON object. Passes internal errors to `report` and answers them without detail. */
export function answerErrors(report: (error: unknown) => void): Middleware {
	return async function answerError(ctx, next) {
		try {
			await next();
		} catch (error) {
			const refusal = asWebhookError(error);
			if (refusal.status === 500) {
				report(error);
			}

			ctx.status = refusal.status;
			ctx.body = {result: 'error', code: refusal.code, msg: refusal.message} satisfies Refusal;
			// The next request would start with the rest of an unread body.
			if (!ctx.req.complete) {
				ctx.set('connection', 'close');
			}
		}
	};
}

function asWebhookError(error: unknown): WebhookError {
	if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL') {
		return new WebhookError(400, 'BAD_REQUEST', 'Expected a path, found no URL.');
	}

	return error instanceof WebhookError
		? error
		: new WebhookError(500, 'INTERNAL_ERROR', 'Something failed. See the log of the bot host.');
}
