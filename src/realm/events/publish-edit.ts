// Publishes events about changed, moved and deleted messages (service-facts.md 3.3).

import {type ChannelRow, findChannel, isSubscribed} from '../channels/channels.js';
import type {Rendered} from '../markdown/markdown.js';
import {topicLinks} from '../markdown/topic-links.js';
import type {Move} from '../messages/edits/move.js';
import {flagBits, flagNames} from '../messages/flags.js';
import {type MessageRow, receiverIds} from '../messages/rows.js';
import {displayTopic} from '../messages/text.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

/** A new text. */
export interface NewText {
	readonly content: string;
	readonly rendered: Rendered;
}

export interface EditPublication {
	readonly editor: Account;
	/** The message before the change. */
	readonly message: MessageRow;
	readonly text: NewText | undefined;
	readonly move: Move | undefined;
	readonly timestamp: number;
	/** Accounts that may not read the new conversation, with the messages that they lost. */
	readonly losers: ReadonlyMap<number, readonly number[]>;
}

export function publishEdit({store, queues}: Services, edit: EditPublication): void {
	const {editor, message, text, move, timestamp, losers} = edit;
	const flags = flagsByReceiver(store, message.id);
	const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
	const place = text &&
		message.channel_id !== null && {stream_id: message.channel_id, stream_name: message.channel_name};
	const common = {
		user_id: editor.id,
		edit_timestamp: timestamp,
		message_id: message.id,
		message_ids: move ? move.messages.map(({id}) => id) : [message.id],
		rendering_only: false,
		...place,
		...(text && {
			orig_content: message.content,
			orig_rendered_content: message.rendered_content,
			content: text.content,
			rendered_content: text.rendered.html,
			is_me_message: text.content.startsWith('/me '),
		}),
	};

	const moved = new Set(common.message_ids.flatMap(id => receiverIds(store, id)));
	store.afterCommit(() => {
		queues.publishEach('update_message', ({options: {userId, emptyTopicName}}) => {
			const hears = moved.has(userId) || (channel && followsHistory(store, userId, channel));
			if (!hears || losers.has(userId)) {
				return undefined;
			}

			return {
				...common,
				flags: flagNames(flags.get(userId) ?? flagBits(['read'])),
				...(move && moveFields(store, move, emptyTopicName)),
			};
		});
		for (const [userId, messageIds] of losers) {
			publishDeletion({queues}, {userIds: new Set([userId]), messageIds, message});
		}
	});
}

function moveFields(store: Store, {message, from, topic, channel, mode}: Move, allowEmptyTopicName: boolean) {
	return {
		stream_id: from.id,
		stream_name: from.name,
		orig_subject: displayTopic(message.topic, allowEmptyTopicName),
		...(topic !== undefined && {
			subject: displayTopic(topic, allowEmptyTopicName),
			topic_links: topicLinks(store, topic),
		}),
		...(channel && {new_stream_id: channel.id}),
		propagate_mode: mode,
	};
}

export interface Deletion {
	readonly userIds: ReadonlySet<number>;
	readonly messageIds: readonly number[];
	/** One of the messages, before the deletion. */
	readonly message: MessageRow;
}

/** One event for all messages if the client supports that, else one for each. */
export function publishDeletion({queues}: Pick<Services, 'queues'>, {userIds, messageIds, message}: Deletion): void {
	const placeFor = (allowEmptyTopicName: boolean) =>
		message.channel_id === null
			? {message_type: 'private'}
			: {
					message_type: 'stream',
					stream_id: message.channel_id,
					topic: displayTopic(message.topic, allowEmptyTopicName),
				};
	queues.publishEach('delete_message', ({options}) =>
		options.bulkDeletion && userIds.has(options.userId)
			? {message_ids: messageIds, ...placeFor(options.emptyTopicName)}
			: undefined,
	);
	for (const id of messageIds) {
		queues.publishEach('delete_message', ({options}) =>
			!options.bulkDeletion && userIds.has(options.userId)
				? {message_id: id, ...placeFor(options.emptyTopicName)}
				: undefined,
		);
	}
}

/** Whether an account may read a channel's history from before its subscription, and so gets its events. */
function followsHistory(store: Store, userId: number, channel: ChannelRow): boolean {
	return channel.history_public_to_subscribers === 1 && isSubscribed(store, userId, channel.id);
}

function flagsByReceiver(store: Store, messageId: number): Map<number, number> {
	const rows = store.all<{user_id: number; flags: number}>(
		'SELECT user_id, flags FROM user_messages WHERE message_id = ?',
		messageId,
	);
	return new Map(rows.map(row => [row.user_id, row.flags]));
}
