// The body of an outgoing webhook (service-facts.md 4.2).

import type {Message, Payload} from '../../api/index.js';
import {presentMessage} from '../messages/present.js';
import type {MessageRow} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';

/** Webhooks contain raw text, the unchanged topic, and always an avatar. */
const asPosted = {applyMarkdown: false, allowEmptyTopicName: true, clientGravatar: false};

/** The payload's `message`: raw, with the rendered text added. */
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

/** The payload in Slack's format (service-facts.md 4.5). */
export function makeSlackForm(
	bot: Pick<Account, 'id'>,
	{message, token, trigger, site}: {message: Message; token: string; trigger: string; site: string},
): URLSearchParams {
	const time = String(message.timestamp);
	return new URLSearchParams({
		token,
		team_id: 'T1',
		team_domain: new URL(site).host,
		channel_id: `C${message.stream_id}`,
		channel_name: String(message.display_recipient),
		thread_ts: time,
		timestamp: time,
		user_id: `U${message.sender_id}`,
		user_name: message.sender_full_name,
		text: message.content,
		trigger_word: trigger,
		service_id: String(bot.id),
	});
}
