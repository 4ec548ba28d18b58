// Trouble over HTTP: JSON bodies, for tests and for the buttons on the chat page.

import Router from '@koa/router';
import type {Context, Middleware, Next} from 'koa';
import bodyParser from 'koa-bodyparser';
import {z} from 'zod';
import {badRequest, RealmError} from '../errors.js';
import {answerSuccess, envelope} from '../http/envelope.js';
import {onlyLoopback} from '../http/loopback.js';
import type {Services} from '../services.js';
import {redeliver} from '../webhooks/redeliver.js';
import {CallTrouble, WebhookTrouble} from './trouble.js';

const Redelivery = z.strictObject({message_id: z.int(), bot: z.string().optional()});
const QueueExpiry = z.strictObject({queue_id: z.string()});
const ClockJump = z.strictObject({
	advance_ms: z
		.int()
		.min(0)
		.max(366 * 24 * 3_600_000),
});

export function troubleRoutes(services: Services): Middleware {
	const router = new Router({prefix: '/trouble'});
	router.use(envelope(services.log), onlyLoopback, requireJson, bodyParser({enableTypes: ['json']}));

	router.get('/', ctx => answerPending(ctx, services));

	router.delete('/', ctx => {
		services.trouble.clear();
		answerPending(ctx, services);
	});

	router.post('/webhooks', ctx => {
		services.trouble.addWebhook(read(WebhookTrouble, ctx));
		answerPending(ctx, services);
	});

	router.post('/calls', ctx => {
		services.trouble.addCall(read(CallTrouble, ctx));
		answerPending(ctx, services);
	});

	router.post('/redeliver', ctx => {
		const {message_id: messageId, bot} = read(Redelivery, ctx);
		answerSuccess(ctx, {deliveries: redeliver(services, messageId, bot)});
	});

	router.post('/expire-queue', ctx => {
		const {queue_id: queueId} = read(QueueExpiry, ctx);
		if (!services.queues.expire(queueId)) {
			throw badRequest(`Expected the ID of an open event queue, got ${queueId}`);
		}

		answerSuccess(ctx, {});
	});

	router.post('/clock', ctx => {
		services.clock.advance(read(ClockJump, ctx).advance_ms);
		answerPending(ctx, services);
	});

	return router.routes() as unknown as Middleware;
}

function answerPending(ctx: Context, {trouble, clock, queues}: Services): void {
	answerSuccess(ctx, {
		...trouble.pending(),
		clock_offset_ms: clock.offsetMs,
		now_ms: clock.now(),
		event_queues: queues.size,
	});
}

/** Other types may be sent by a form on any page; this one only after the browser asked. */
async function requireJson(ctx: Context, next: Next): Promise<void> {
	if (ctx.method === 'POST' && !ctx.is('application/json')) {
		throw new RealmError('Expected the content type application/json', 'BAD_REQUEST', 415);
	}

	await next();
}

function read<Schema extends z.ZodType>(schema: Schema, ctx: Context): z.output<Schema> {
	const result = schema.safeParse(ctx.request.body);
	if (result.success) {
		return result.data;
	}

	throw badRequest(`Unexpected trouble. ${z.prettifyError(result.error)}`);
}
