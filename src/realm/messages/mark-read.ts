// Marks many messages as read at once, and lists who has read a message.

import {mayReadChannel} from '../channels/access.js';
import {type ChannelRow, findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {type Account, findAccount} from '../people/accounts.js';
import {isMutedUser} from '../people/muted-users.js';
import {readSetting} from '../people/settings.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {flagBits} from './flags.js';
import type {Condition, MessageRow} from './rows.js';

const read = flagBits(['read']);

export function channelToRead(store: Store, caller: Account, id: number): ChannelRow {
	const channel = findChannel(store, id);
	if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return channel;
}

export function inChannel({id}: Pick<ChannelRow, 'id'>): Condition {
	return {sql: 'r.channel_id = ?', values: [id]};
}

/** Marks all unread messages that match. Publishes an event only if there were any. */
export function markAsRead(
	{store, queues}: Services,
	reader: Pick<Account, 'id'>,
	{conditions, isAll = false}: {readonly conditions: readonly Condition[]; readonly isAll?: boolean},
): void {
	const where = ['um.user_id = ?', `NOT um.flags & ${read}`, ...conditions.map(({sql}) => sql)].join(' AND ');
	const rows = store.all<{id: number}>(
		`SELECT m.id FROM user_messages um JOIN messages m ON m.id = um.message_id
		JOIN recipients r ON r.id = m.recipient_id WHERE ${where} ORDER BY m.id`,
		reader.id,
		...conditions.flatMap(({values}) => values),
	);
	if (rows.length === 0) {
		return;
	}

	const messages = rows.map(({id}) => id);
	store.transaction(() => {
		for (const id of messages) {
			const sql = `UPDATE user_messages SET flags = flags | ${read} WHERE user_id = ? AND message_id = ?`;
			store.run(sql, reader.id, id);
		}

		store.afterCommit(() =>
			queues.publishTo(reader.id, {
				type: 'update_message_flags',
				op: 'add',
				operation: 'add',
				flag: 'read',
				messages: isAll ? [] : messages,
				all: isAll,
			}),
		);
	});
}

/** Leaves out the sender, people who hide their read receipts, and people who have muted the sender or are muted by the sender. */
export function readerIds(store: Store, message: MessageRow): number[] {
	const rows = store.all<{user_id: number}>(
		`SELECT user_id FROM user_messages WHERE message_id = ? AND flags & ${read} ORDER BY user_id`,
		message.id,
	);
	const sender = {id: message.sender_id};
	return rows.flatMap(({user_id: id}) => {
		const reader = findAccount(store, id);
		const isHidden = isMutedUser(store, sender, id) || isMutedUser(store, {id}, sender.id);
		const says = reader?.is_active === 1 && readSetting(store, reader, 'send_read_receipts');
		return says && id !== sender.id && !isHidden ? [id] : [];
	});
}
