// What a delivery has a bot do: answer a message, or one of the things that Bothy itself asks for. The latter are stored in a
// payload as well, with a trigger that no service has; only this file knows how.

import {z} from 'zod';
import type {Payload} from '../api/index.js';
import {Target} from '../queue/sends.js';
import {type EventWork, readEvent} from './event-work.js';

const OWN = 'bothy:';

/** A handler that a bot planned with `ctx.later()`. */
export const Planned = z.object({
	name: z.string(),
	data: z.unknown().optional(),
	/** The conversation in which it was planned. */
	from: Target.optional(),
	/** Id of the entry that keeps it: tells it from every other. */
	send: z.string().optional(),
});
export type Planned = z.infer<typeof Planned>;

/** A request of another system, checked. */
export const HttpRequest = z.object({
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

const Failure = z.object({send: z.string(), reason: z.string()});

export type Work =
	| {readonly kind: 'message'; readonly payload: Payload}
	| {readonly kind: 'cron'; readonly handler: string; readonly planned: Date}
	| ({readonly kind: 'later'; readonly planned: Date} & Planned)
	| {readonly kind: 'http'; readonly request: HttpRequest}
	| EventWork
	/** What a handler had said could not be posted; `answered` is the message that it had answered. */
	| ({readonly kind: 'sendFailed'; readonly answered: Payload} & z.infer<typeof Failure>);

/** What a newer version of Bothy stored. It is left to a process of that version. */
export class UnknownWork extends Error {
	override name = 'UnknownWork' as const;

	constructor(trigger: string) {
		super(`A newer version of Bothy stored this delivery (\`${trigger}\`), and this version cannot run it`);
	}
}

/** @throws UnknownWork */
export function readWork(payload: Payload): Work {
	try {
		return read(payload);
	} catch {
		throw new UnknownWork(payload.trigger);
	}
}

function read(payload: Payload): Work {
	const {trigger, data, message} = payload;
	const planned = new Date(message.timestamp * 1000);
	switch (trigger) {
		case `${OWN}cron`:
			return {kind: 'cron', handler: data, planned};
		case `${OWN}later`:
			return {kind: 'later', ...Planned.parse(JSON.parse(data)), planned};
		case `${OWN}http`:
			return {kind: 'http', request: HttpRequest.parse(JSON.parse(message.content))};
		case `${OWN}failed`:
			return {kind: 'sendFailed', ...Failure.parse(JSON.parse(data)), answered: {...payload, data: message.content}};
		default: {
			const event = isOwnPayload(payload) ? readEvent(trigger.slice(OWN.length), payload) : undefined;
			if (isOwnPayload(payload) && !event) {
				throw new UnknownWork(trigger);
			}

			return event ?? {kind: 'message', payload};
		}
	}
}

/** Whether Bothy made this payload: nobody may flood with it, and nobody reads an apology for it. */
export function isOwnPayload({trigger}: Pick<Payload, 'trigger'>): boolean {
	return trigger.startsWith(OWN);
}

/** Whether a person did it, who may do it only so often. */
export function isByPerson(payload: Payload): boolean {
	return !isOwnPayload(payload) || readEvent(payload.trigger.slice(OWN.length), payload) !== undefined;
}

/** Whether nobody called the bot: then nobody reads an apology, and nobody sees it type. */
export function isUnasked(payload: Pick<Payload, 'trigger'>): boolean {
	return isOwnPayload(payload) || payload.trigger === 'channel_message';
}

/** The payload of one due time, milliseconds since 1970. */
export function cronPayload({email, handler, planned}: {email: string; handler: string; planned: number}): Payload {
	return ownPayload('cron', {email, data: handler, seconds: Math.floor(planned / 1000)});
}

/** The payload of a planned handler whose time has come; `text` is that of its entry. */
export function laterPayload(entry: {email: string; send: string; text: string; dueAt: number}): Payload {
	const planned = {...Planned.parse(JSON.parse(entry.text)), send: entry.send} satisfies Planned;
	const seconds = Math.floor(entry.dueAt / 1000);
	return ownPayload('later', {email: entry.email, data: JSON.stringify(planned), seconds});
}

/** The payload of a request; two with the same `id` are one delivery. */
export function httpPayload({email, id, request}: {email: string; id: string; request: HttpRequest}): Payload {
	return ownPayload('http', {email, data: `${request.path} ${id}`, seconds: 0, content: JSON.stringify(request)});
}

/** Undefined where nobody had asked: for what Bothy made itself. */
export function failurePayload(answered: Payload, failure: z.infer<typeof Failure>): Payload | undefined {
	return isOwnPayload(answered)
		? undefined
		: {...answered, trigger: `${OWN}failed`, data: JSON.stringify(failure), token: ''};
}

/** `data` and `seconds` tell one delivery from another. */
function ownPayload(
	kind: string,
	{email, data, seconds, content = data}: {email: string; data: string; seconds: number; content?: string},
): Payload {
	return {
		bot_email: email,
		bot_full_name: email,
		data,
		trigger: OWN + kind,
		token: '',
		// Nobody wrote it, and nobody is answered.
		message: {
			id: seconds,
			type: 'private',
			sender_id: 0,
			sender_email: email,
			sender_full_name: email,
			sender_realm_str: '',
			avatar_url: null,
			client: 'Bothy',
			content,
			content_type: 'text/x-markdown',
			display_recipient: [],
			recipient_id: 0,
			subject: '',
			timestamp: seconds,
			is_me_message: false,
			reactions: [],
			submessages: [],
			topic_links: [],
		},
	};
}
