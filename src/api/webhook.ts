// The outgoing webhook: the request that the service posts to a bot's receiver.

import {Message} from './messages/messages.js';
import {operation} from './operation.js';
import {z} from './zod.js';

/** Body of one outgoing webhook (spec.md, operation 21). Unknown fields and triggers pass. */
export const Payload = z.looseObject({
	bot_email: z.string(),
	bot_full_name: z.string(),
	/** The full raw Markdown, including the bot's mention. */
	data: z.string(),
	/** `mention` or `direct_message`; servers before feature level 201 say `private_message`. */
	trigger: z.string(),
	token: z.string(),
	message: Message,
});
export type Payload = z.infer<typeof Payload>;

export const serviceOutgoingWebhook = operation({
	name: 'serviceOutgoingWebhook',
	method: 'POST',
	path: '/service-outgoing-webhook',
	about: 'Fetch an example of the payload that the service posts to this bot',
	callers: 'bots',
	repeatable: true,
	parameters: {},
	result: Payload,
});

/** The name in the documentation of real servers. */
export const zulipOutgoingWebhook = operation({
	...serviceOutgoingWebhook,
	name: 'zulipOutgoingWebhook',
	path: '/zulip-outgoing-webhook',
});
