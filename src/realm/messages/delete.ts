// Deletes messages for everybody.

import {findChannel, subscriberIds} from '../channels/channels.js';
import {isTrusted} from '../channels/settings.js';
import {RealmError} from '../errors.js';
import {publishDeletion} from '../events/publish-edit.js';
import {type Account, isAdministrator} from '../people/accounts.js';
import type {Services} from '../services.js';
import {checkMayDelete, findChangeable} from './edits/edit-rights.js';
import {channelToRead, inChannel} from './mark-read.js';
import {type MessageRow, receiverIds, selectMessages} from './rows.js';
import {topicKey} from './text.js';

export function deleteMessage(services: Services, account: Account, messageId: number): void {
	const {store} = services;
	store.transaction(() => {
		const message = findChangeable(store, account, messageId);
		checkMayDelete(services, account, message);
		removeMessages(services, message, [messageId]);
	});
}

/** All messages of a topic that the account may read. Throws unless the account may delete any message there. */
export function removeTopic(
	services: Services,
	account: Account,
	{channelId, topic}: {readonly channelId: number; readonly topic: string},
): void {
	const {store} = services;
	const mayDelete = isAdministrator(account) || isTrusted(store, account, channelId, 'can_delete_any_message_group');
	if (!mayDelete) {
		throw new RealmError('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
	}

	const channel = channelToRead(store, account, channelId);

	const conditions = [inChannel(channel), {sql: 'm.topic_key = ?', values: [topicKey(topic)]}];
	const rows = selectMessages(store, account, {conditions, limit: Number.MAX_SAFE_INTEGER});
	const [place] = rows;
	if (place) {
		store.transaction(() =>
			removeMessages(
				services,
				place,
				rows.map(({id}) => id),
			),
		);
	}
}

/** Removes messages of one conversation, and notifies everybody who might have read them. */
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
