// What a delivery has a bot do: answer a message of the service, or one of the things that Bothy itself asks for. Stored as JSON
// text, with `kind` telling which.

import {hash} from 'node:crypto';
import {z} from 'zod';
import {Payload} from '../api/index.js';
import {accountTag} from '../redis/account-key.js';
import {type DeliveryRef, deliveryRef} from './ref.js';
import {Target} from './target.js';

/** A handler that a bot planned with `ctx.later()`. */
export const Planned = z.object({
	name: z.string(),
	data: z.unknown().optional(),
	/** The conversation in which it was planned. */
	from: Target.optional(),
});
export type Planned = z.infer<typeof Planned>;

/** A request of another system, checked. */
const HttpRequest = z.object({
	/** As the bot declares it: `/deploy`. */
	path: z.string(),
	/** Names in lower case; without what proves the sender. */
	headers: z.record(z.string(), z.string()),
	query: z.record(z.string(), z.string()),
	body: z.string(),
	/** When it came, milliseconds since 1970. */
	at: z.number(),
});
export type HttpRequest = z.infer<typeof HttpRequest>;

const Work = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('message'), payload: Payload}),
	z.object({
		kind: z.literal('cron'),
		handler: z.string(),
		/** The due time, milliseconds since 1970. */
		planned: z.number(),
	}),
	z.object({
		kind: z.literal('later'),
		...Planned.shape,
		planned: z.number(),
		/** Id of the entry that kept it: tells it from every other. */
		send: z.string(),
	}),
	z.object({
		kind: z.literal('http'),
		/** Two requests with the same id are one delivery. */
		id: z.string(),
		request: HttpRequest,
	}),
	z.object({
		kind: z.literal('sendFailed'),
		/** What a handler had said and could not be posted, and why. */
		send: z.string(),
		reason: z.string(),
		/** The message that the handler had answered. */
		answered: Payload,
	}),
]);
export type Work = z.infer<typeof Work>;

/** What is stored is no work that this version can read. */
export class WorkError extends Error {
	override name = 'WorkError' as const;

	constructor(found: string, options?: {cause: unknown}) {
		super(
			`Expected stored work (${Work.options.map(({shape}) => shape.kind.value).join(', ')}), found ${found}`,
			options,
		);
	}
}

/** @throws WorkError */
export function readWork(text: string): Work {
	const parsed = Work.safeParse(parseJson(text));
	if (!parsed.success) {
		const places = parsed.error.issues.slice(0, 3).map(({path, message}) => `\`${path.join('.')}\`: ${message}`);
		throw new WorkError(places.join('; '));
	}

	return parsed.data;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new WorkError('text that is not JSON', {cause: error});
	}
}

export function workText(work: Work): string {
	return JSON.stringify(work);
}

/** The text of a message whose payload is JSON text already. */
export function messageText(payload: string): string {
	return `{"kind":"message","payload":${payload}}`;
}

/** The message that a reply to this work answers. */
export function answeredBy(work: Work): Payload | undefined {
	switch (work.kind) {
		case 'message':
			return work.payload;
		case 'sendFailed':
			return work.answered;
		default:
			return undefined;
	}
}

/** What runs, in a word or two without what people wrote: for logs, metrics and the ledger. */
export function describeWork(work: Work): string {
	switch (work.kind) {
		case 'message':
			return `message ${work.payload.message.id}`;
		case 'cron':
			return `cron ${work.handler}`;
		case 'later':
			return `later ${work.name}`;
		case 'http':
			return `http ${work.request.path}`;
		case 'sendFailed':
			return 'a send failed';
	}
}

/** Identifies the delivery of some work. Only the id of one that answers a message begins with the message's id. */
export function workRef(account: {site: string; email: string}, work: Work): DeliveryRef {
	switch (work.kind) {
		case 'message':
			return deliveryRef(account, work.payload);
		case 'sendFailed':
			return deliveryRef(account, {...work.answered, data: `${work.send} ${work.answered.data}`});
		case 'cron':
			return ownRef(account, 'cron', `${Math.floor(work.planned / 1000)} ${work.handler}`);
		case 'later':
			return ownRef(account, 'later', `${work.send} ${Math.floor(work.planned / 1000)}`);
		case 'http':
			return ownRef(account, 'http', `${work.request.path} ${work.id}`);
	}
}

function ownRef(account: {site: string; email: string}, kind: string, what: string): DeliveryRef {
	return {account: accountTag(account), id: `${kind}-${hash('sha1', what).slice(0, 12)}`};
}
