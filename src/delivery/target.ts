// Where a message goes.

import type {Payload} from '../api/index.js';
import {z} from '../api/zod.js';

/** A conversation: a channel (by name or ID) and topic, or people by user ID or by email. */
export const Target = z.union([
	z.strictObject({channel: z.union([z.string().min(1), z.int()]), topic: z.string()}),
	z.strictObject({dm: z.union([z.array(z.int()).min(1), z.array(z.email()).min(1)])}),
]);
export type Target = z.infer<typeof Target>;

/** The conversation of a payload. */
export function conversationOf({message, bot_email}: Pick<Payload, 'message' | 'bot_email'>): Target {
	if (Array.isArray(message.display_recipient)) {
		const others = message.display_recipient.filter(({email}) => email.toLowerCase() !== bot_email.toLowerCase());
		return {dm: others.map(({id}) => id)};
	}

	return {channel: message.stream_id ?? message.display_recipient, topic: message.subject};
}
