// Triggers besides mentions and direct messages. Only accounts that poll can see their events.

import {z} from '../api/zod.js';

/** What a bot may declare that only an account with `receive = events` can see. */
export const EVENT_TRIGGERS = ['channel_message', 'reaction', 'edit', 'join'] as const;
export type EventTrigger = (typeof EVENT_TRIGGERS)[number];

/** Ignores triggers of other versions. */
export const EventTriggers = z
	.array(z.string())
	.transform(names => EVENT_TRIGGERS.filter(name => names.includes(name)));
