// The API for development tools, which the chat page uses too: JSON bodies, from this machine only. docs/realm.md describes it.
//
//   GET    /dev                      what has changed since the revision `after`, in brief
//   GET    /dev/exchanges            the latest exchanges with bots; `after`, `message_id`
//   GET    /dev/exchanges/:id        one exchange
//   *      /dev/faults/…             see trouble/routes.ts
//   GET    /dev/bots                 bots, and what their host reports about them
//   GET    /dev/deliveries           what the host's ledger says of a message: `message_id`
//   GET    /dev/due                  what bots will say or do later
//   POST   /dev/due/run, /cancel     `bot` and `id` of something that is due

import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import {z} from '../../api/zod.js';
import {badRequest, RealmError} from '../errors.js';
import {briefOf} from '../exchanges/exchange.js';
import {answerSuccess, envelope} from '../http/envelope.js';
import {jsonOnly, read} from '../http/json-body.js';
import {onlyLoopback} from '../http/loopback.js';
import {BotType, isBot, listAccounts} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Act, BotHost} from './bot-host.js';

/** The host of the bots, once it has registered with the realm. */
export type HostOf = () => BotHost | undefined;

const Since = z.object({after: z.coerce.number().int().min(0).default(0)});
const Wanted = Since.extend({message_id: z.coerce.number().int().optional()});
const OfMessage = z.object({message_id: z.coerce.number().int()});
const DueId = z.strictObject({bot: z.string(), id: z.string()});

export function devRoutes(services: Services, hostOf: HostOf): Middleware {
	const {exchanges, trouble} = services;
	const router = new Router({prefix: '/dev'});
	router.use(envelope(services.log), onlyLoopback, ...jsonOnly);

	router.get('/', ctx => {
		const {after} = readQuery(Since, ctx);
		answerSuccess(ctx, {
			// Of a realm that has restarted, revisions begin again.
			generation: services.generation,
			revision: exchanges.revision,
			exchanges: exchanges.list({after}).map(briefOf),
			faults: trouble.list(),
			bots_revision: hostOf()?.revision() ?? 0,
		});
	});

	router.get('/exchanges', ctx => {
		const {after, message_id: messageId} = readQuery(Wanted, ctx);
		answerSuccess(ctx, {revision: exchanges.revision, exchanges: exchanges.list({after, messageId})});
	});

	router.get('/exchanges/:id', ctx => {
		const exchange = exchanges.find(Number(ctx.params.id));
		if (!exchange) {
			throw notFound(`Expected the ID of a recorded exchange, got ${ctx.params.id}. The realm keeps the last 500`);
		}

		answerSuccess(ctx, {exchange});
	});

	router.get('/bots', ctx => {
		answerSuccess(ctx, presentBots(services, hostOf()));
	});

	router.get('/deliveries', async ctx => {
		const {message_id: messageId} = readQuery(OfMessage, ctx);
		const host = hostOf();
		const deliveries = await host?.deliveries(messageId).catch(refuseWithoutRedis);
		answerSuccess(ctx, {has_host: host !== undefined, deliveries: deliveries ?? []});
	});

	router.get('/due', async ctx => {
		const host = hostOf();
		const due = await host?.due().catch(refuseWithoutRedis);
		answerSuccess(ctx, {has_host: host !== undefined, due: due ?? []});
	});

	router.post('/due/run', async ctx => {
		const {bot, id} = read(DueId, ctx);
		finish(ctx, await hostOf()?.runNow(bot, id));
	});

	router.post('/due/cancel', async ctx => {
		const {bot, id} = read(DueId, ctx);
		finish(ctx, await hostOf()?.cancel(bot, id));
	});

	return router.routes() as unknown as Middleware;
}

function presentBots({store}: Services, host: BotHost | undefined) {
	const hosted = host?.bots();
	const accounts = listAccounts(store).filter(account => isBot(account) && account.is_active && !account.is_system_bot);
	return {
		has_host: host !== undefined,
		revision: host?.revision() ?? 0,
		loaded_at_ms: hosted?.loaded_at_ms ?? null,
		reload_ms: hosted?.reload_ms ?? null,
		reload_error: hosted?.reload_error ?? null,
		bots: accounts.map(({id, email, full_name, bot_type, payload_url}) => ({
			user_id: id,
			email,
			full_name,
			/** Where the realm posts webhooks; null if it posts none. */
			payload_url: bot_type === BotType.outgoingWebhook ? payload_url : null,
			hosted: hosted?.bots.find(bot => bot.email === email) ?? null,
		})),
	};
}

function finish(ctx: Context, act: Act | undefined): void {
	if (act === undefined) {
		throw badRequest('No bot host runs with this realm: `npm start` and `npm run dev` start one');
	}

	if (!act.done) {
		throw badRequest(act.reason);
	}

	answerSuccess(ctx, {});
}

function readQuery<Schema extends z.ZodType>(schema: Schema, ctx: Pick<Context, 'query'>): z.output<Schema> {
	const result = schema.safeParse(ctx.query);
	if (result.success) {
		return result.data;
	}

	throw badRequest(z.prettifyError(result.error));
}

function refuseWithoutRedis(): never {
	throw new RealmError('The bot host cannot answer: its Redis does not answer', 'BAD_REQUEST', 503);
}

function notFound(message: string): RealmError {
	return new RealmError(message, 'BAD_REQUEST', 404);
}
