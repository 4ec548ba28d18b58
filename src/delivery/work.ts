// The work of a delivery: a message of the service to answer, an event, a request, or something that Bothy itself starts. Stored
// as JSON text with a `kind`.

import {hash} from 'node:crypto';
import {Payload} from '../api/index.js';
import {z} from '../api/zod.js';
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

/** A verified request from another system. */
const HttpRequest = z.object({
	/** As the bot declares it: `/deploy`. */
	path: z.string(),
	/** Names in lower case. Without signatures and tokens. */
	headers: z.record(z.string(), z.string()),
	query: z.record(z.string(), z.string()),
	body: z.string(),
	/** When it arrived, in milliseconds since 1970. */
	at: z.number(),
});
export type HttpRequest = z.infer<typeof HttpRequest>;

/** The person who did what an event reports. */
const Doer = z.object({id: z.int(), email: z.string(), name: z.string()});
export type Doer = z.infer<typeof Doer>;

const Work = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('message'), payload: Payload}),
	z.object({
		kind: z.literal('cron'),
		handler: z.string(),
		/** The due time, milliseconds since 1970. */
		planned: z.number(),
		/** A person had it run, which is no due time. */
		byHand: z.literal(true).optional(),
	}),
	z.object({
		kind: z.literal('later'),
		...Planned.shape,
		planned: z.number(),
		byHand: z.literal(true).optional(),
		/** ID of the outbox entry that stored it. Unique. */
		send: z.string(),
	}),
	z.object({
		kind: z.literal('http'),
		/** Two requests with the same id are one delivery. */
		id: z.string(),
		request: HttpRequest,
	}),
	z.object({
		kind: z.literal('reaction'),
		/** Who added the emoji. */
		by: Doer,
		emoji: z.string(),
		code: z.string(),
		type: z.string(),
		/** The bot's message. */
		message: z.object({id: z.int(), text: z.string()}),
		here: Target,
	}),
	z.object({
		kind: z.literal('edit'),
		/** Who wrote and edited the message. */
		by: Doer,
		/** With the mention of the bot. */
		oldText: z.string(),
		newText: z.string(),
		/** Seconds since 1970. */
		at: z.number(),
		/** Id of the message, which had called the bot. */
		message: z.int(),
		here: Target,
		/** The bot's name in the texts. */
		fullName: z.string(),
	}),
	z.object({
		kind: z.literal('join'),
		/** Who joined the channel. */
		by: Doer,
		channel: z.object({id: z.int(), name: z.string()}),
		/** How often this person has joined, and in which list of members. The service gives a join no time and no number. */
		count: z.int(),
		generation: z.string(),
	}),
	z.object({
		kind: z.literal('sendFailed'),
		/** A message of a handler that could not be posted, and why. */
		send: z.string(),
		reason: z.string(),
		/** The message that the handler had answered. */
		answered: Payload,
	}),
]);
export type Work = z.infer<typeof Work>;

/** Work for an event of the service other than a message. */
export type EventWork = Extract<Work, {kind: 'reaction' | 'edit' | 'join'}>;

const KINDS: readonly string[] = Work.options.map(({shape}) => shape.kind.value);

/** This version cannot read the stored work. */
export class WorkError extends Error {
	override name = 'WorkError' as const;

	constructor(found: string, options?: {cause: unknown}) {
		super(`Expected stored work (${KINDS.join(', ')}), found ${found}`, options);
	}
}

/** A newer version of Bothy stored this kind of work. An older one leaves it to a process of that version. */
export class NewerWorkError extends WorkError {}

/** @throws WorkError */
export function readWork(text: string): Work {
	const stored = parseJson(text);
	const {data: tagged} = Tagged.safeParse(stored);
	if (tagged && !KINDS.includes(tagged.kind)) {
		throw new NewerWorkError(`the kind "${tagged.kind}", which a newer version of Bothy may know`);
	}

	const parsed = Work.safeParse(stored);
	if (!parsed.success) {
		const places = parsed.error.issues.slice(0, 3).map(({path, message}) => `\`${path.join('.')}\`: ${message}`);
		throw new WorkError(places.join('; '));
	}

	return parsed.data;
}

const Tagged = z.object({kind: z.string()});

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

/** Who wrote the message that calls the bot, or did what an event reports. Undefined if Bothy or another system asks. */
export function personOf(work: Work): number | undefined {
	switch (work.kind) {
		case 'message':
			return work.payload.message.sender_id;
		case 'reaction':
		case 'edit':
		case 'join':
			return work.by.id;
		default:
			return undefined;
	}
}

/** Whether nobody called the bot. Then nobody reads an apology, and nobody sees it type. */
export function isUnasked(work: Work): boolean {
	return work.kind !== 'message' || isOverheard(work.payload);
}

/** Whether the message does not call the bot: the bot sees it because it asked for all messages of its channels. */
export function isOverheard({trigger}: Pick<Payload, 'trigger'>): boolean {
	return trigger === 'channel_message';
}

/** The work in a word or two, without people's texts: for logs, metrics and the ledger. */
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
		case 'reaction':
			return `reaction :${work.emoji}:`;
		case 'edit':
			return `edit of message ${work.message}`;
		case 'join':
			return `join of channel ${work.channel.id}`;
		case 'sendFailed':
			return 'a send failed';
	}
}

/** Identifies the delivery of some work. If the work is a message, the ID begins with the message's ID. */
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
		case 'reaction':
			return ownRef(account, 'reaction', `${work.message.id} ${work.by.id} ${work.type} ${work.code}`);
		case 'edit':
			return ownRef(account, 'edit', JSON.stringify([work.message, work.at, work.oldText, work.newText]));
		case 'join':
			return ownRef(account, 'join', `${work.generation} ${work.channel.id} ${work.by.id} ${work.count}`);
	}
}

function ownRef(account: {site: string; email: string}, kind: string, what: string): DeliveryRef {
	return {account: accountTag(account), id: `${kind}-${hash('sha1', what).slice(0, 12)}`};
}
