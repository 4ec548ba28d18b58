import type {Payload} from '../api/index.js';
import type {Target} from '../queue/sends.js';

/** The conversation of a payload. */
export function conversationOf({message, bot_email}: Payload): Target {
	if (Array.isArray(message.display_recipient)) {
		const others = message.display_recipient.filter(({email}) => email.toLowerCase() !== bot_email.toLowerCase());
		return {dm: others.map(({id}) => id)};
	}

	return {channel: message.stream_id ?? message.display_recipient, topic: message.subject};
}
