// Deletes a message for everybody.

import {findChannel, subscriberIds} from '../channels/channels.js';
import {publishDeletion} from '../events/publish-edit.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import {checkMayDelete, findChangeable} from './edit-rights.js';
import {receiverIds} from './rows.js';

export function deleteMessage(services: Services, account: Account, messageId: number): void {
	const {store} = services;
	store.transaction(() => {
		const message = findChangeable(store, account, messageId);
		checkMayDelete(services, account, message);
		const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
		const followers = channel?.history_public_to_subscribers ? subscriberIds(store, channel.id) : [];
		const userIds = new Set([...receiverIds(store, messageId), ...followers]);

		for (const table of ['user_messages', 'submessages', 'message_edits']) {
			store.run(`DELETE FROM ${table} WHERE message_id = ?`, messageId);
		}

		store.run('DELETE FROM messages WHERE id = ?', messageId);
		store.afterCommit(() => publishDeletion(services, {userIds, messageIds: [messageId], message}));
	});
}
