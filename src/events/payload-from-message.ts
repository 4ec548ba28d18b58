// Decides whether a message that came as an event calls a bot, as the service does it for webhooks, and makes the payload
// that its webhook would have.

import type {Message, Payload} from '../api/index.js';

/** The account that reads. */
export interface Reader {
	readonly email: string;
	readonly user_id: number;
	readonly full_name: string;
}

/** Undefined for what calls nobody. Whether its sender is a bot, which never calls one, is not to be seen here. */
export function payloadFromMessage(message: Message, flags: readonly string[], reader: Reader): Payload | undefined {
	const trigger = triggerOf(message, flags);
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

/** Wildcards have flags of their own and call nobody; a silent mention has none. */
function triggerOf({type}: Message, flags: readonly string[]): string | undefined {
	if (type === 'private') {
		return 'direct_message';
	}

	return flags.includes('mentioned') ? 'mention' : undefined;
}
