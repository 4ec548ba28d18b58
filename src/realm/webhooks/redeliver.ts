import {subscriberIds} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {renderMarkdown} from '../markdown/markdown.js';
import {memberIdsOf} from '../messages/conversations.js';
import {findMessage} from '../messages/rows.js';
import {findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import {queueWebhooks} from './triggers.js';

/** Posts a message's webhooks again, as if their answers had been lost. Returns how many. */
export function redeliver(services: Services, messageId: number, botEmail: string | undefined): number {
	const {store} = services;
	const message = findMessage(store, messageId);
	const sender = message && findAccount(store, message.sender_id);
	if (!message || !sender) {
		throw badRequest(`Expected the ID of a message, got ${messageId}`);
	}

	const receiverIds =
		message.channel_id === null ? memberIdsOf(message.member_ids ?? '') : subscriberIds(store, message.channel_id);
	const channel = message.channel_id === null ? undefined : {};
	const rendered = renderMarkdown(store, message.content, sender);
	const isWanted = (bot: {email: string}) => bot.email.toLowerCase() === (botEmail ?? bot.email).toLowerCase();
	const count = queueWebhooks(services, {messageId, post: {sender, channel, rendered}, receiverIds}, isWanted);
	if (count === 0) {
		throw badRequest(`Expected a message that calls ${botEmail ?? 'a bot'}, got ${messageId}, which does not`);
	}

	return count;
}
