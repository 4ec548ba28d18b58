// Payloads of our own making: what a bot does without a message is a delivery like any other.

import type {Payload} from '../api/index.js';

/** No service has such triggers. */
const OWN = 'bothy:';

/** Whether nobody wrote this payload: there is nobody who may flood, and nobody to answer. */
export function isOwnPayload({trigger}: Pick<Payload, 'trigger'>): boolean {
	return trigger.startsWith(OWN);
}

/** `data` and `seconds` tell one delivery from another; `content` is what it is about. */
export function ownPayload(
	kind: string,
	{email, data, seconds, content = data}: {email: string; data: string; seconds: number; content?: string},
): Payload {
	return {
		bot_email: email,
		bot_full_name: email,
		data,
		trigger: OWN + kind,
		token: '',
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
