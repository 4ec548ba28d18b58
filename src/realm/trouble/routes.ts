// Faults over HTTP: JSON bodies, for tests and for the buttons on the chat page. The same routes are below `/dev/faults`, which
// docs/realm.md describes.
//
//   GET    /trouble               pending faults, the clock, the number of event queues
//   DELETE /trouble               cancels all faults
//   DELETE /trouble/:id           cancels one pending fault
//   GET    /trouble/activity      when people last used a client, as their pings reported
//   POST   /trouble/webhooks      the next webhooks fail (`WebhookTrouble`)
//   POST   /trouble/calls         the next calls fail (`CallTrouble`)
//   POST   /trouble/shares        from now on, a share of all calls fails (`CallShare`)
//   DELETE /trouble/shares        ends all shares; answers with their counts
//   POST   /trouble/swaps         each of the next events arrives after the event that follows it (`EventSwap`)
//   POST   /trouble/redeliver     posts a message's webhooks again: `message_id`, optional `bot`
//   POST   /trouble/expire-queue  expires event queues: by `queue_id`, by `account`, or `all`
//   POST   /trouble/lose-queues   restarts without event queues: closes the polls that wait
//   POST   /trouble/organization  deactivates the organization, or ends that: `deactivated`
//   POST   /trouble/clock         moves the clock by `advance_ms`

import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import {z} from '../../api/zod.js';
import {badRequest, RealmError} from '../errors.js';
import {answerSuccess, envelope} from '../http/envelope.js';
import {jsonOnly, read} from '../http/json-body.js';
import {onlyLoopback} from '../http/loopback.js';
import {findAccountByEmail} from '../people/accounts.js';
import {readActivity} from '../people/presence.js';
import type {Services} from '../services.js';
import {redeliver} from '../webhooks/redeliver.js';
import {CallShare, CallTrouble, EventSwap, WebhookTrouble} from './trouble.js';

const Redelivery = z.strictObject({message_id: z.int(), bot: z.string().optional()});
const QueueExpiry = z
	.strictObject({
		queue_id: z.string().optional(),
		/** Email. */
		account: z.string().optional(),
		all: z.literal(true).optional(),
	})
	.refine(which => Object.keys(which).length === 1, 'Expected one of queue_id, account and all');
const Nothing = z.strictObject({});
const OrganizationState = z.strictObject({deactivated: z.boolean()});
const ClockJump = z.strictObject({
	advance_ms: z
		.int()
		.min(0)
		.max(366 * 24 * 3_600_000),
});

export function troubleRoutes(services: Services, prefix: '/trouble' | '/dev/faults'): Middleware {
	const router = new Router({prefix});
	router.use(envelope(services.log), onlyLoopback, ...jsonOnly);

	router.get('/', ctx => answerPending(ctx, services));

	router.get('/activity', ctx => answerSuccess(ctx, {activity: readActivity(services.store)}));

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

	router.post('/shares', ctx => {
		services.trouble.addShare(read(CallShare, ctx));
		answerPending(ctx, services);
	});

	router.delete('/shares', ctx => {
		const {shares} = services.trouble.pending();
		services.trouble.clearShares();
		answerSuccess(ctx, {shares});
	});

	router.delete('/:id', ctx => {
		if (!services.trouble.cancel(Number(ctx.params.id))) {
			throw new RealmError(`No pending fault has the ID ${ctx.params.id}`, 'BAD_REQUEST', 404);
		}

		answerPending(ctx, services);
	});

	router.post('/swaps', ctx => {
		services.trouble.addSwap(read(EventSwap, ctx));
		answerPending(ctx, services);
	});

	router.post('/redeliver', ctx => {
		const {message_id: messageId, bot} = read(Redelivery, ctx);
		answerSuccess(ctx, {deliveries: redeliver(services, messageId, bot)});
	});

	router.post('/expire-queue', ctx => {
		answerSuccess(ctx, {expired: expireQueues(services, read(QueueExpiry, ctx))});
	});

	router.post('/lose-queues', ctx => {
		read(Nothing, ctx);
		answerSuccess(ctx, {lost: services.queues.loseAll()});
	});

	router.post('/organization', ctx => {
		const {deactivated} = read(OrganizationState, ctx);
		services.store.run('UPDATE organization SET deactivated = ?', deactivated ? 1 : 0);
		answerPending(ctx, services);
	});

	router.post('/clock', ctx => {
		services.clock.advance(read(ClockJump, ctx).advance_ms);
		answerPending(ctx, services);
	});

	return router.routes() as unknown as Middleware;
}

function expireQueues(
	{store, queues}: Services,
	{queue_id: queueId, account, all}: z.infer<typeof QueueExpiry>,
): number {
	if (account !== undefined) {
		const owner = findAccountByEmail(store, account);
		if (!owner) {
			throw badRequest(`Expected the email of an account, got ${account}`);
		}

		return queues.expire(queue => queue.options.userId === owner.id);
	}

	const expired = queues.expire(queue => all === true || queue.id === queueId);
	if (queueId !== undefined && expired === 0) {
		throw badRequest(`Expected the ID of an open event queue, got ${queueId}`);
	}

	return expired;
}

function answerPending(ctx: Context, {trouble, clock, queues}: Services): void {
	answerSuccess(ctx, {
		...trouble.pending(),
		faults: trouble.list(),
		clock_offset_ms: clock.offsetMs,
		now_ms: clock.now(),
		event_queues: queues.size,
	});
}
