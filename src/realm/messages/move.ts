// Takes messages to another topic or channel, and says so there.

import {mayReadChannel} from '../channels/access.js';
import {type ChannelRow, isSubscribed, subscriberIds} from '../channels/channels.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {channelRecipientId} from './conversations.js';
import {flagBits, historicalFlags} from './flags.js';
import {keepRow, type MessageRow, receiverIds} from './rows.js';
import {topicKey} from './text.js';

export interface Move {
	readonly editor: Account;
	/** The one that was named. */
	readonly message: MessageRow;
	/** All that move, by ID, as they were before. */
	readonly messages: readonly MessageRow[];
	readonly from: ChannelRow;
	/** Absent: each keeps its topic. */
	readonly topic: string | undefined;
	/** Absent: they stay in their channel. */
	readonly channel: ChannelRow | undefined;
	readonly mode: string;
}

/** Moves; answers who may not read in the new place, each with the messages that they could read until now. */
export function moveMessages(store: Store, {messages, from, topic, channel}: Move): Map<number, number[]> {
	const losers = new Map<number, number[]>();
	for (const {id, topic: old, recipient_id} of messages) {
		const name = topic ?? old;
		store.run(
			'UPDATE messages SET topic = ?, topic_key = ?, recipient_id = ? WHERE id = ?',
			name,
			topicKey(name),
			channel ? channelRecipientId(store, channel.id) : recipient_id,
			id,
		);
		for (const userId of channel ? handOver(store, id, {from, to: channel}) : []) {
			losers.set(userId, [...(losers.get(userId) ?? []), id]);
		}
	}

	return losers;
}

/** Takes the message from those who may not read in its new channel; answers who they are. */
function handOver(store: Store, messageId: number, {from, to}: {from: ChannelRow; to: ChannelRow}): number[] {
	const followers = from.history_public_to_subscribers ? subscriberIds(store, from.id) : [];
	const readers = new Set([...receiverIds(store, messageId), ...followers]);
	const losers = [...readers].filter(id => {
		const account = findAccount(store, id);
		return account && !mayReadChannel(store, account, to);
	});
	for (const userId of receiverIds(store, messageId).filter(id => !isSubscribed(store, id, to.id))) {
		// What one does not follow is not unread.
		const sql = 'UPDATE user_messages SET flags = flags | ? WHERE user_id = ? AND message_id = ?';
		store.run(sql, flagBits(['read']), userId, messageId);
	}

	for (const userId of losers) {
		store.run('DELETE FROM user_messages WHERE user_id = ? AND message_id = ?', userId, messageId);
	}

	// Where nobody reads what came before them, only those who are there now may read it.
	for (const userId of to.history_public_to_subscribers ? [] : subscriberIds(store, to.id)) {
		keepRow(store, {userId, messageId, flags: historicalFlags});
	}

	return losers;
}
