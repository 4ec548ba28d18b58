// Takes messages to another topic or channel, and says so there.

import {mayReadChannel} from '../channels/access.js';
import {type ChannelRow, subscriberIds} from '../channels/channels.js';
import {RealmError} from '../errors.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {channelRecipientId} from './conversations.js';
import {isResolving} from './edit-history.js';
import {historicalFlags} from './flags.js';
import type {Post} from './post.js';
import {keepRow, type MessageRow, receiverIds} from './rows.js';
import {sendMessage} from './send.js';
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
	for (const userId of losers) {
		store.run('DELETE FROM user_messages WHERE user_id = ? AND message_id = ?', userId, messageId);
	}

	// Where nobody reads what came before them, only those who are there now may read it.
	for (const userId of to.history_public_to_subscribers ? [] : subscriberIds(store, to.id)) {
		keepRow(store, {userId, messageId, flags: historicalFlags});
	}

	return losers;
}

/** Leaves a notice where people will look for the messages. */
export function announceMove(
	services: Services,
	{editor, message, messages, from, channel, topic}: Move,
	{noticeInOldPlace, noticeInNewPlace}: {noticeInOldPlace: boolean; noticeInNewPlace: boolean},
): void {
	const notifier = services.store.get<Account>('SELECT * FROM accounts WHERE is_system_bot = 1 LIMIT 1');
	if (!notifier || (!channel && topic !== undefined && isResolving(message.topic, topic))) {
		return;
	}

	const oldPlace = {channel: from, topic: message.topic};
	const newPlace = {channel: channel ?? from, topic: topic ?? message.topic};
	const what = messages.length === 1 ? 'a message' : `${messages.length} messages`;
	const who = `@_**${editor.full_name}|${editor.id}**`;
	const say = (place: Place, content: string) =>
		sendWherePossible(services, {
			sender: notifier,
			client: 'Internal',
			destination: {kind: 'channel', channel: {id: place.channel.id}, topic: place.topic},
			content,
			bypassesAccess: true,
		});
	if (noticeInOldPlace) {
		say(oldPlace, `${who} moved ${what} from here to ${linkTo(newPlace)}.`);
	}

	if (noticeInNewPlace) {
		say(newPlace, `${who} moved ${what} here from ${linkTo(oldPlace)}.`);
	}
}

/** A topic that the channel takes no more can be left, but not written in. */
function sendWherePossible(services: Services, post: Post): void {
	try {
		sendMessage(services, post);
	} catch (error) {
		if (!(error instanceof RealmError)) {
			throw error;
		}
	}
}

interface Place {
	readonly channel: ChannelRow;
	readonly topic: string;
}

function linkTo({channel, topic}: Place): string {
	return topic === '' ? `#**${channel.name}**` : `#**${channel.name}>${topic}**`;
}
