// Database rows of messages, with their sender and conversation.

import {readingSettings} from '../channels/access.js';
import {trustingChannelIds} from '../channels/settings.js';
import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import {isGuest} from '../people/accounts.js';
import type {Store} from '../store/store.js';

export interface MessageRow {
	readonly id: number;
	readonly sender_id: number;
	/** The real address. */
	readonly sender_email: string;
	readonly sender_full_name: string;
	readonly sender_is_deleted: 0 | 1;
	readonly recipient_id: number;
	/** Null for direct messages. */
	readonly channel_id: number | null;
	readonly channel_name: string | null;
	/** Null for channel messages. */
	readonly member_ids: string | null;
	readonly topic: string;
	readonly topic_key: string;
	readonly content: string;
	readonly rendered_content: string;
	readonly timestamp: number;
	readonly client: string;
	/** The reader's flags. Null if the reader has no row for the message. */
	readonly flags: number | null;
}

const columns = `m.*, s.email AS sender_email, s.full_name AS sender_full_name,
	s.is_deleted AS sender_is_deleted, r.channel_id, r.member_ids, c.name AS channel_name`;

const tables = `messages m
	JOIN accounts s ON s.id = m.sender_id
	JOIN recipients r ON r.id = m.recipient_id
	LEFT JOIN channels c ON c.id = r.channel_id`;

/** Finds a message. Checks no permission. */
export function findMessage(store: Store, id: number): MessageRow | undefined {
	return store.get<MessageRow>(`SELECT ${columns}, NULL AS flags FROM ${tables} WHERE m.id = ?`, id);
}

/** All messages of a sender, oldest first. */
export function messagesFrom(store: Store, senderId: number): MessageRow[] {
	return store.all<MessageRow>(
		`SELECT ${columns}, NULL AS flags FROM ${tables} WHERE m.sender_id = ? ORDER BY m.id`,
		senderId,
	);
}

/** Messages that are older than their channel's retention. */
export function expiredMessages(store: Store, now: number): MessageRow[] {
	return store.all<MessageRow>(
		`SELECT ${columns}, NULL AS flags FROM ${tables}
		WHERE c.message_retention_days > 0 AND m.timestamp < ? - c.message_retention_days * 24 * 3600 ORDER BY m.id`,
		now,
	);
}

/** An additional SQL condition, with its values. */
export interface Condition {
	readonly sql: string;
	readonly values: ReadonlyArray<string | number>;
}

export interface Selection {
	readonly conditions: readonly Condition[];
	readonly newestFirst?: boolean;
	readonly limit: number;
}

/** Messages that `reader` may read and that match all conditions (service-facts.md 7.6, 7.10). */
export function selectMessages(store: Store, reader: Account, selection: Selection): MessageRow[] {
	const where = selection.conditions.map(condition => `AND (${condition.sql})`).join(' ');

	return store.all<MessageRow>(
		`SELECT ${columns}, um.flags FROM ${tables}
		LEFT JOIN user_messages um ON um.message_id = m.id AND um.user_id = ?
		LEFT JOIN subscriptions sub ON sub.channel_id = c.id AND sub.user_id = ?
		LEFT JOIN user_topics ut ON ut.channel_id = c.id AND ut.topic_key = m.topic_key AND ut.user_id = ?
		WHERE ${visible(store, reader)} ${where}
		ORDER BY m.id ${selection.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`,
		reader.id,
		reader.id,
		reader.id,
		...selection.conditions.flatMap(condition => condition.values),
		selection.limit,
	);
}

/** Finds a message that `reader` may read. Any other message looks as if it did not exist. */
export function findReadable(store: Store, reader: Account, id: number): MessageRow {
	const [row] = selectMessages(store, reader, {conditions: [{sql: 'm.id = ?', values: [id]}], limit: 1});
	if (!row) {
		throw badRequest('Invalid message(s)');
	}

	return row;
}

function visible(store: Store, reader: Account): string {
	const isPublic = isGuest(reader) ? 'c.is_web_public' : '(c.is_web_public OR NOT c.invite_only)';
	const entered = isGuest(reader) ? [] : trustingChannelIds(store, reader, readingSettings);
	const isOpen = `${isPublic} OR sub.user_id IS NOT NULL OR c.id IN (${entered.join(', ')})`;
	const isReadable = 'c.history_public_to_subscribers OR um.user_id IS NOT NULL';

	return `CASE WHEN c.id IS NULL THEN um.user_id IS NOT NULL ELSE (${isOpen}) AND (${isReadable}) END`;
}

/** The newest direct message to an account, even if the account has no row for it. */
export function newestDirectMessage(store: Store, userId: number): MessageRow | undefined {
	return store.get<MessageRow>(
		`SELECT ${columns}, NULL AS flags FROM ${tables}
		WHERE ',' || r.member_ids || ',' LIKE ? ORDER BY m.id DESC LIMIT 1`,
		`%,${userId},%`,
	);
}

/** Stores a message for one receiver. Outgoing-webhook and embedded bots have no such rows (service-facts.md 4.8). */
export function keepRow(store: Store, row: {userId: number; messageId: number; flags: number}): void {
	store.run(
		`INSERT OR IGNORE INTO user_messages (user_id, message_id, flags)
		SELECT id, ?, ? FROM accounts WHERE id = ? AND coalesce(bot_type, 0) NOT IN (3, 4)`,
		row.messageId,
		row.flags,
		row.userId,
	);
}

/** IDs of the accounts with a row for the message. */
export function receiverIds(store: Store, messageId: number): number[] {
	const rows = store.all<{user_id: number}>('SELECT user_id FROM user_messages WHERE message_id = ?', messageId);
	return rows.map(row => row.user_id);
}

/** ID of the newest message; -1 if there is none. */
export function maxMessageId(store: Store): number {
	return store.get<{id: number | null}>('SELECT max(id) AS id FROM messages')?.id ?? -1;
}

/** ID of the newest message that an account received; -1 if there is none. */
export function maxReceivedId(store: Store, {id}: Account): number {
	const sql = 'SELECT max(message_id) AS id FROM user_messages WHERE user_id = ?';
	return store.get<{id: number | null}>(sql, id)?.id ?? -1;
}

/** The topics of a channel that `reader` may read, newest first, in the spelling of their newest message. */
export function selectTopics(store: Store, reader: Account, channelId: number) {
	return store.all<{topic: string; channel_id: number; max_id: number}>(
		`SELECT m.topic, c.id AS channel_id, max(m.id) AS max_id FROM ${tables}
		LEFT JOIN user_messages um ON um.message_id = m.id AND um.user_id = ?
		LEFT JOIN subscriptions sub ON sub.channel_id = c.id AND sub.user_id = ?
		WHERE r.channel_id = ? AND ${visible(store, reader)}
		GROUP BY m.topic_key ORDER BY max_id DESC`,
		reader.id,
		reader.id,
		channelId,
	);
}

/** Messages that an account sent after the message with that ID, oldest first. Checks no permission. */
export function messagesBy(store: Store, senderId: number, afterId: number): MessageRow[] {
	return store.all<MessageRow>(
		`SELECT ${columns}, NULL AS flags FROM ${tables} WHERE m.sender_id = ? AND m.id > ? ORDER BY m.id`,
		senderId,
		afterId,
	);
}
