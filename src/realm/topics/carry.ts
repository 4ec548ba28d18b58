// When a whole topic moves, what people think of it moves along.

import {mayReadChannel} from '../channels/access.js';
import type {ChannelRow} from '../channels/channels.js';
import {channelRecipientId} from '../messages/conversations.js';
import type {Move} from '../messages/move.js';
import {topicKey} from '../messages/text.js';
import {findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {Policy} from './policy.js';
import {setTopicPolicy, topicPolicy} from './user-topics.js';

type TopicMove = Pick<Move, 'message' | 'messages' | 'from' | 'channel' | 'topic'>;

/** Whether nothing of the topic stays. To be asked before the messages move. */
export function movesWholeTopic(store: Store, {message, messages}: Pick<Move, 'message' | 'messages'>): boolean {
	return countMessages(store, message.recipient_id, message.topic) === messages.length;
}

/** To be called after the messages moved. */
export function carryPolicies(services: Services, {message, messages, from, channel, topic}: TopicMove): void {
	const {store} = services;
	const source = {channel: from, topic: message.topic};
	const target = {channel: channel ?? from, topic: topic ?? message.topic};
	// A topic that changes its case is the same one.
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

/** Of two topics that become one, nobody misses what they wanted to see. */
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
