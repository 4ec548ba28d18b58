// The API object of a message (spec.md, "Message object").

import type {Message} from '../../api/index.js';
import {topicLinks} from '../markdown/topic-links.js';
import {avatarUrl, findAccount} from '../people/accounts.js';
import {placeholder, shownEmail} from '../people/addresses.js';
import type {Store} from '../store/store.js';
import {memberIdsOf} from './conversations.js';
import {editsOf, presentEdits} from './edits/edit-history.js';
import {flagNames, historicalFlags} from './flags.js';
import type {MessageRow} from './rows.js';
import {displayTopic} from './text.js';

export interface Presentation {
	readonly applyMarkdown: boolean;
	readonly allowEmptyTopicName: boolean;
	readonly clientGravatar: boolean;
	/** Without login, addresses are hidden. */
	readonly withoutLogin?: boolean;
}

/** The message without flags. */
export function presentMessage(store: Store, row: MessageRow, how: Presentation): Message {
	const sender = {id: row.sender_id, email: row.sender_email};
	const senderEmail = how.withoutLogin ? placeholder(store, sender.id) : shownEmail(store, sender);

	return {
		id: row.id,
		type: row.channel_id === null ? 'private' : 'stream',
		sender_id: row.sender_id,
		sender_email: senderEmail,
		sender_full_name: row.sender_full_name,
		sender_realm_str: '',
		avatar_url: avatarUrl(
			{email: senderEmail, is_deleted: row.sender_is_deleted},
			{clientGravatar: how.clientGravatar && senderEmail === row.sender_email},
		),
		client: row.client,
		content: how.applyMarkdown ? row.rendered_content : row.content,
		content_type: how.applyMarkdown ? 'text/html' : 'text/x-markdown',
		recipient_id: row.recipient_id,
		...(row.channel_id !== null && {stream_id: row.channel_id}),
		display_recipient: row.channel_name ?? participants(store, row.member_ids ?? ''),
		subject: presentTopic(row, how),
		topic_links: topicLinks(store, row.topic),
		timestamp: row.timestamp,
		...presentEdits(editsOf(store, row.id), how),
		is_me_message: row.content.startsWith('/me '),
		reactions: store.all(
			'SELECT emoji_name, emoji_code, reaction_type, user_id FROM reactions WHERE message_id = ? ORDER BY id',
			row.id,
		),
		submessages: store.all(
			'SELECT id, message_id, sender_id, msg_type, content FROM submessages WHERE message_id = ? ORDER BY id',
			row.id,
		),
	};
}

/** The message with the reader's flags. */
export function presentForReader(store: Store, row: MessageRow, how: Presentation): Message {
	return {...presentMessage(store, row, how), flags: flagNames(row.flags ?? historicalFlags)};
}

/** The empty topic gets a name for callers that do not support it. */
export function presentTopic(
	row: {topic: string; channel_id: number | null},
	{allowEmptyTopicName}: {allowEmptyTopicName: boolean},
): string {
	return row.channel_id === null ? row.topic : displayTopic(row.topic, allowEmptyTopicName);
}

function participants(store: Store, memberIds: string) {
	const people = memberIdsOf(memberIds).flatMap(id => {
		const account = findAccount(store, id);
		return account
			? [{id, email: shownEmail(store, account), full_name: account.full_name, is_mirror_dummy: false}]
			: [];
	});
	return people.sort((one, other) => (one.email < other.email ? -1 : 1));
}
