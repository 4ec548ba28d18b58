// A payload as the service posts it, with what a test wants different.

import type {Payload} from '../../src/api/index.js';

interface Differences {
	readonly text?: string;
	readonly token?: string;
	readonly trigger?: string;
	readonly botEmail?: string;
	readonly botName?: string;
	readonly renderedContent?: string;
	readonly messageId?: number;
	readonly message?: Partial<Payload['message']>;
}

export function payload(differences: Differences = {}): Payload {
	const text = differences.text ?? '@**Echo** hello';
	return {
		bot_email: differences.botEmail ?? 'echo-bot@chat.example.com',
		bot_full_name: differences.botName ?? 'Echo',
		data: text,
		trigger: differences.trigger ?? 'mention',
		token: differences.token ?? 'correctcorrectcorrectcorrectcorr',
		message: {
			id: differences.messageId ?? 4711,
			type: 'stream',
			sender_id: 9,
			sender_email: 'user9@chat.example.com',
			sender_full_name: 'Alice Ahn',
			sender_realm_str: '',
			avatar_url: 'https://chat.example.com/avatar/9',
			client: 'website',
			content: text,
			content_type: 'text/x-markdown',
			display_recipient: 'general',
			recipient_id: 12,
			stream_id: 3,
			subject: 'lunch',
			topic_links: [],
			timestamp: 1_790_000_000,
			is_me_message: false,
			reactions: [],
			submessages: [],
			rendered_content: differences.renderedContent ?? '<p>hello</p>',
			...differences.message,
		},
	};
}
