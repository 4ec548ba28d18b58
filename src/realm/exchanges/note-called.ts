// Notes which bots a message calls.

import type {MessageRow} from '../messages/rows.js';
import {type Account, BotType, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';

export function conversationOf({recipient_id: recipient, topic_key: topic}: MessageRow): string {
	return `${recipient} ${topic}`;
}

/** Bots that get webhooks, and generic bots that hear of the message because it mentions them or is a direct message to them. */
export function noteCalled(
	{store, exchanges}: Services,
	row: MessageRow,
	{posted, mentioned}: {posted: readonly Account[]; mentioned: Iterable<number>},
): void {
	const polling = [...mentioned]
		.map(id => findAccount(store, id))
		.filter((account): account is Account => account?.bot_type === BotType.generic);
	for (const {id: botId} of [...posted, ...polling]) {
		exchanges.noteCalled({botId, messageId: row.id, conversation: conversationOf(row)});
	}
}
