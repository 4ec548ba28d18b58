// Deliveries that stand for an event of the service besides a message that calls the bot. Accounts that poll have them.

import {z} from 'zod';

/** What a bot may declare that only an account with `receive = events` can see. */
export const EVENT_TRIGGERS = ['channel_message'] as const;
export type EventTrigger = (typeof EVENT_TRIGGERS)[number];

export const EventTriggers = z
	.array(z.string())
	.transform(names => EVENT_TRIGGERS.filter(name => names.includes(name)));
