// Stores a message that has passed all checks, and publishes it.

import type {ChannelRow} from '../channels/channels.js';
import {publishMessage} from '../events/publish-message.js';
import type {Rendered} from '../markdown/markdown.js';
import {BotType, findAccount} from '../people/accounts.js';
import {findAlerted} from '../people/alert-words.js';
import {membersOf} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {raiseForMention, raiseForSender} from '../topics/automatic.js';
import type {Policy} from '../topics/policy.js';
import {topicPolicy} from '../topics/user-topics.js';
import {showUploads} from '../uploads/uploads.js';
import {queueWebhooks} from '../webhooks/triggers.js';
import {isFullClient} from './clients.js';
import {type Flag, flagBits} from './flags.js';
import {participantIds} from './mention-rights.js';
import type {Post} from './post.js';
import {keepRow} from './rows.js';
import {topicKey} from './text.js';

/** A message with a checked target and rendered text. */
export interface CheckedPost extends Post {
	readonly rendered: Rendered;
	readonly widget: string | undefined;
	readonly topic: string;
	readonly recipientId: number;
	/** Subscribers, or all members of the direct conversation. */
	readonly receiverIds: readonly number[];
	/** Absent for direct messages. */
	readonly channel: ChannelRow | undefined;
}

export interface Delivered {
	readonly id: number;
	/** The sender's new policy for the topic. Absent if it has not changed. */
	readonly newPolicy: Policy | undefined;
}

export function deliver(services: Services, post: CheckedPost): Delivered {
	const {store} = services;
	const messageId = insertMessage(services, post);
	const flags = receiverFlags(services, post);
	for (const [userId, names] of flags) {
		keepRow(store, {userId, messageId, flags: flagBits(names)});
	}

	showUploads(store, post.sender, {id: messageId, content: post.content});
	const newPolicy = raiseTopic(services, {messageId, post, flags});
	queueWebhooks(services, {messageId, post, receiverIds: [...flags.keys()]});
	store.afterCommit(() => publishMessage(services, {messageId, flags, channel: post.channel, echo: post.echo}));

	return {id: messageId, newPolicy};
}

/** Sender and mentioned people may follow or unmute the topic automatically. */
function raiseTopic(
	services: Services,
	{messageId, post, flags}: {messageId: number; post: CheckedPost; flags: ReadonlyMap<number, readonly Flag[]>},
): Policy | undefined {
	const {channel, topic, recipientId, sender} = post;
	if (!channel) {
		return undefined;
	}

	const before = topicPolicy(services.store, sender, {channel, topic});
	raiseForSender(services, sender, {channel, topic, recipientId, id: messageId});
	for (const [userId, names] of flags) {
		if (names.includes('mentioned')) {
			raiseForMention(services, userId, {channel, topic});
		}
	}

	const after = topicPolicy(services.store, sender, {channel, topic});
	return after === before ? undefined : after;
}

function insertMessage({store, clock}: Services, post: CheckedPost): number {
	const id = store.run(
		`INSERT INTO messages (sender_id, recipient_id, topic, topic_key, content, rendered_content, timestamp, client)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		post.sender.id,
		post.recipientId,
		post.topic,
		topicKey(post.topic),
		post.content,
		post.rendered.html,
		clock.seconds(),
		post.client,
	);
	if (post.widget !== undefined) {
		const sql = 'INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)';
		store.run(sql, id, post.sender.id, 'widget', post.widget);
	}

	return id;
}

/** The receivers of the message, and the flags for each (service-facts.md 7.6). */
function receiverFlags({store}: Services, post: CheckedPost): Map<number, Flag[]> {
	const {mentions} = post.rendered;
	const flagsFor = mentionFlags(store, post);
	const alerted = findAlerted(store, post.content);
	const isReadBySender = post.readBySender ?? isFullClient(post.client);
	const isReadBy = post.isReadBy ?? (id => id === post.sender.id && isReadBySender);
	// Generic bots also get messages that mention them by name in channels without a subscription.
	const calledBots = [...mentions.userIds].filter(
		id => post.channel && findAccount(store, id)?.bot_type === BotType.generic,
	);

	return new Map(
		[...new Set([...post.receiverIds, ...calledBots])].map(id => {
			const flags: Flag[] = isReadBy(id) ? ['read'] : [];
			const alert: Flag[] = alerted.has(id) ? ['has_alert_word'] : [];
			return [id, [...flags, ...flagsFor(id), ...alert]];
		}),
	);
}

/** The flags that a text sets on a message for each receiver. */
export function mentionFlags(
	store: Store,
	{rendered: {mentions}, channel, ...place}: Pick<CheckedPost, 'rendered' | 'channel' | 'recipientId' | 'topic'>,
): (userId: number) => Flag[] {
	const mentioned = new Set(mentions.userIds);
	for (const groupId of mentions.groupIds) {
		for (const member of membersOf(store, groupId)) {
			mentioned.add(member.id);
		}
	}

	// In a direct conversation, everybody is a participant.
	const participants = mentions.hasTopicWildcard && channel ? new Set(participantIds(store, place)) : undefined;

	return userId => {
		const flags: Flag[] = [];
		if (mentioned.has(userId)) {
			flags.push('mentioned');
		}

		if (mentions.hasChannelWildcard) {
			flags.push('stream_wildcard_mentioned');
		}

		if (mentions.hasTopicWildcard && (participants?.has(userId) ?? true)) {
			flags.push('topic_wildcard_mentioned');
		}

		return flags;
	};
}
