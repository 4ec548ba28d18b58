// Deletes messages for everybody.

import {findChannel, subscriberIds} from '../channels/channels.js';
import {publishDeletion} from '../events/publish-edit.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import {checkMayDelete, findChangeable} from './edit-rights.js';
import {type MessageRow, receiverIds} from './rows.js';

export function deleteMessage(services: Services, account: Account, messageId: number): void {
	const {store} = services;
	store.transaction(() => {
		const message = findChangeable(store, account, messageId);
		checkMayDelete(services, account, message);
		removeMessages(services, message, [messageId]);
	});
}

/** Removes messages that stand in the same place, and tells whoever might have read them. */
export function removeMessages(services: Services, place: MessageRow, messageIds: readonly number[]): void {
	const {store} = services;
	const channel = place.channel_id === null ? undefined : findChannel(store, place.channel_id);
	const followers = channel?.history_public_to_subscribers ? subscriberIds(store, channel.id) : [];
	const userIds = new Set([...messageIds.flatMap(id => receiverIds(store, id)), ...followers]);

	for (const id of messageIds) {
		for (const table of ['user_messages', 'submessages', 'message_edits']) {
			store.run(`DELETE FROM ${table} WHERE message_id = ?`, id);
		}

		store.run('DELETE FROM messages WHERE id = ?', id);
	}

	store.afterCommit(() => publishDeletion(services, {userIds, messageIds, message: place}));
}
