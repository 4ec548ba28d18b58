// Deliveries that stand for an event of the service besides a message that calls the bot. Accounts that poll have them.

import {z} from 'zod';
import type {Message, Payload} from '../api/index.js';

/** What a bot may declare that only an account with `receive = events` can see. */
export const EVENT_TRIGGERS = ['channel_message', 'reaction', 'edit', 'join'] as const;
export type EventTrigger = (typeof EVENT_TRIGGERS)[number];

export const EventTriggers = z
	.array(z.string())
	.transform(names => EVENT_TRIGGERS.filter(name => names.includes(name)));

/** An emoji on a message of the bot. Who gave it is the sender of the payload's message. */
const Reaction = z.object({emoji: z.string(), code: z.string(), type: z.string()});
export type Reaction = z.infer<typeof Reaction>;

/** Another text for a message that called the bot. The sender of the payload's message edited it, at `at` (seconds since 1970). */
const Edit = z.object({oldText: z.string(), newText: z.string(), at: z.number()});
export type Edit = z.infer<typeof Edit>;

export type EventWork =
	| ({readonly kind: 'reaction'; readonly payload: Payload} & Reaction)
	| ({readonly kind: 'edit'; readonly payload: Payload} & Edit)
	/** The sender of the payload's message joined its channel. */
	| {readonly kind: 'join'; readonly payload: Payload};

/** Undefined for a trigger that this version of Bothy does not know; `trigger` is without its mark. */
export function readEvent(trigger: string, payload: Payload): EventWork | undefined {
	switch (trigger) {
		case 'reaction':
			return {kind: trigger, payload, ...Reaction.parse(JSON.parse(payload.data))};
		case 'edit':
			return {kind: trigger, payload, ...Edit.parse(JSON.parse(payload.data))};
		case 'join':
			return {kind: trigger, payload};
		default:
			return undefined;
	}
}

/** The bot's account. */
export interface Receiver {
	readonly email: string;
	readonly full_name: string;
}

/** The person who did it. */
export interface Doer {
	readonly id: number;
	readonly email: string;
	readonly name: string;
}

/** `data` tells one event of a message from another, so it contains nothing that differs between two sources. */
export function eventPayload(
	trigger: string,
	{receiver, by, message, data}: {receiver: Receiver; by: Doer; message: Message; data: object},
): Payload {
	const {flags: _, ...withoutFlags} = message;
	return {
		bot_email: receiver.email,
		bot_full_name: receiver.full_name,
		data: JSON.stringify(data),
		trigger,
		token: '',
		message: {...withoutFlags, sender_id: by.id, sender_email: by.email, sender_full_name: by.name},
	};
}
