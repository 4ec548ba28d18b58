// When a whole topic moves, people's policies for it move too.

import {mayReadChannel} from '../channels/access.js';
import type {ChannelRow} from '../channels/channels.js';
import {channelRecipientId} from '../messages/conversations.js';
import type {Move} from '../messages/edits/move.js';
import {topicKey} from '../messages/text.js';
import {findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {Policy} from './policy.js';
import {setTopicPolicy, topicPolicy} from './user-topics.js';

type TopicMove = Pick<Move, 'message' | 'messages' | 'from' | 'channel' | 'topic'>;

/** Whether no message stays in the topic. Call it before the move. */
export function movesWholeTopic(store: Store, {message, messages}: Pick<Move, 'message' | 'messages'>): boolean {
	return countMessages(store, message.recipient_id, message.topic) === messages.length;
}

/** Call it after the move. */
export function carryPolicies(services: Services, {message, messages, from, channel, topic}: TopicMove): void {
	const {store} = services;
	const source = {channel: from, topic: message.topic};
	const target = {channel: channel ?? from, topic: topic ?? message.topic};
	// If only the case changes, it is still the same topic.
	if (!channel && topicKey(target.topic) === message.topic_key) {
		return;
	}

	const isMerge = countMessages(store, channelRecipientId(store, target.channel.id), target.topic) > messages.length;
	for (const id of thinkers(store, [source, target])) {
		const account = findAccount(store, id);
		const [old, present] = [topicPolicy(store, {id}, source), topicPolicy(store, {id}, target)];
		const mayFollow = account !== undefined && mayReadChannel(store, account, target.channel);
		setTopicPolicy(services, {id}, {...source, isFirst: mayFollow}, Policy.none);
		if (mayFollow) {
			setTopicPolicy(services, {id}, target, isMerge ? merged(old, present) : old);
		}
	}
}

/** If two topics merge, the more visible policy wins. */
function merged(one: Policy, other: Policy): Policy {
	if (one === other) {
		return one;
	}

	const highest = one > other ? one : other;
	return highest === Policy.muted ? Policy.none : highest;
}

function thinkers(
	store: Store,
	places: ReadonlyArray<{readonly channel: ChannelRow; readonly topic: string}>,
): number[] {
	const rows = places.flatMap(({channel, topic}) =>
		store.all<{user_id: number}>(
			'SELECT user_id FROM user_topics WHERE channel_id = ? AND topic_key = ?',
			channel.id,
			topicKey(topic),
		),
	);
	return [...new Set(rows.map(row => row.user_id))];
}

function countMessages(store: Store, recipientId: number, topic: string): number {
	const row = store.get<{count: number}>(
		'SELECT count(*) AS count FROM messages WHERE recipient_id = ? AND topic_key = ?',
		recipientId,
		topicKey(topic),
	);
	return row?.count ?? 0;
}
