// Decides whether a message from an event calls a bot, by the service's rules for webhooks, and builds the payload
// that the webhook would have.

import type {Message, Payload} from '../api/index.js';

/** The account that receives the message. */
export interface Reader {
	readonly email: string;
	readonly user_id: number;
	readonly full_name: string;
}

/**
 * Undefined if the message does not call the bot. Cannot check whether the sender is a bot; bots never call one.
 * `allSince`: all messages after this one call the bot, also without a mention.
 */
export function payloadFromMessage(
	message: Message,
	flags: readonly string[],
	{reader, allSince = Number.POSITIVE_INFINITY}: {reader: Reader; allSince?: number | undefined},
): Payload | undefined {
	const trigger = triggerOf(message, flags) ?? (message.id > allSince ? 'channel_message' : undefined);
	if (message.sender_id === reader.user_id || trigger === undefined) {
		return undefined;
	}

	const {flags: _, ...withoutFlags} = message;
	return {
		bot_email: reader.email,
		bot_full_name: reader.full_name,
		data: message.content,
		trigger,
		token: '',
		message: withoutFlags,
	};
}

/** Wildcards have flags of their own and call no bot. A silent mention has no flag. */
function triggerOf({type}: Message, flags: readonly string[]): string | undefined {
	if (type === 'private') {
		return 'direct_message';
	}

	return flags.includes('mentioned') ? 'mention' : undefined;
}
