// The body of an outgoing webhook (service-facts.md 4.2).

import type {Message, Payload} from '../../api/index.js';
import {presentMessage} from '../messages/present.js';
import type {MessageRow} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';

/** Webhooks have raw text, the topic as it is, and always an avatar. */
const asPosted = {applyMarkdown: false, allowEmptyTopicName: true, clientGravatar: false};

/** The payload's `message`: raw, and rendered beside it. */
export function postedMessage(store: Store, row: MessageRow): Message {
	const {content: rendered_content} = presentMessage(store, row, {...asPosted, applyMarkdown: true});
	return {...presentMessage(store, row, asPosted), rendered_content};
}

export function makePayload(
	bot: Pick<Account, 'email' | 'full_name'>,
	{message, token, trigger}: {message: Message; token: string; trigger: string},
): Payload {
	return {
		data: message.content,
		message,
		bot_email: bot.email,
		bot_full_name: bot.full_name,
		token,
		trigger,
	};
}
