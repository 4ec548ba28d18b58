// Moves messages to another topic or channel, and posts notices.

import {mayReadChannel} from '../../channels/access.js';
import {type ChannelRow, isSubscribed, subscriberIds} from '../../channels/channels.js';
import {type Account, findAccount} from '../../people/accounts.js';
import type {Store} from '../../store/store.js';
import {channelRecipientId} from '../conversations.js';
import {historicalFlags} from '../flags.js';
import {keepRow, type MessageRow, receiverIds} from '../rows.js';
import {topicKey} from '../text.js';

export interface Move {
	readonly editor: Account;
	/** The message that the request names. */
	readonly message: MessageRow;
	/** All messages that move, by ID, before the move. */
	readonly messages: readonly MessageRow[];
	readonly from: ChannelRow;
	/** Absent: the topic stays. */
	readonly topic: string | undefined;
	/** Absent: the channel stays. */
	readonly channel: ChannelRow | undefined;
	readonly mode: string;
}

/** Moves. Returns the people who may not read the new conversation, with the messages that they lost. */
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

/** Deletes the rows of receivers who are not subscribed to the new channel. Returns the people who may not read it. */
function handOver(store: Store, messageId: number, {from, to}: {from: ChannelRow; to: ChannelRow}): number[] {
	const followers = from.history_public_to_subscribers ? subscriberIds(store, from.id) : [];
	const readers = new Set([...receiverIds(store, messageId), ...followers]);
	const losers = [...readers].filter(id => {
		const account = findAccount(store, id);
		return account && !mayReadChannel(store, account, to);
	});
	for (const userId of receiverIds(store, messageId).filter(id => !isSubscribed(store, id, to.id))) {
		store.run('DELETE FROM user_messages WHERE user_id = ? AND message_id = ?', userId, messageId);
	}

	// With protected history, only current subscribers may read the moved messages.
	for (const userId of to.history_public_to_subscribers ? [] : subscriberIds(store, to.id)) {
		keepRow(store, {userId, messageId, flags: historicalFlags});
	}

	return losers;
}
