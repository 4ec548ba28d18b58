// The part of the initial state about the caller's messages: unread, starred, and direct conversations.

import {memberIdsOf} from '../messages/conversations.js';
import {flagBits} from '../messages/flags.js';
import {displayTopic} from '../messages/text.js';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';

interface ReceivedRow {
	readonly id: number;
	readonly sender_id: number;
	readonly flags: number;
	readonly channel_id: number | null;
	readonly member_ids: string | null;
	readonly topic: string;
}

const MOST_UNREAD = 50_000;
const MOST_CONVERSATIONS = 1000;

export function starredMessages(store: Store, {id}: Account): number[] {
	const sql = 'SELECT message_id FROM user_messages WHERE user_id = ? AND flags & ? ORDER BY message_id';
	return store.all<{message_id: number}>(sql, id, flagBits(['starred'])).map(row => row.message_id);
}

/** The newest message of each direct conversation, newest first. */
export function recentConversations(store: Store, {id}: Account) {
	const rows = store.all<{max_id: number; member_ids: string}>(
		`SELECT max(m.id) AS max_id, r.member_ids FROM user_messages um
		JOIN messages m ON m.id = um.message_id JOIN recipients r ON r.id = m.recipient_id
		WHERE um.user_id = ? AND r.channel_id IS NULL GROUP BY r.id ORDER BY max_id DESC LIMIT ?`,
		id,
		MOST_CONVERSATIONS,
	);
	return rows.map(row => ({
		max_message_id: row.max_id,
		user_ids: memberIdsOf(row.member_ids).filter(each => each !== id),
	}));
}

/** Unread messages by conversation. Of channels, only those that the account is subscribed to. */
export function unreadMessages(
	store: Store,
	{id}: Account,
	{allowEmptyTopicName}: {readonly allowEmptyTopicName: boolean},
) {
	const rows = store.all<ReceivedRow>(
		`SELECT m.id, m.sender_id, um.flags, r.channel_id, r.member_ids, m.topic FROM user_messages um
		JOIN messages m ON m.id = um.message_id JOIN recipients r ON r.id = m.recipient_id
		LEFT JOIN subscriptions s ON s.user_id = um.user_id AND s.channel_id = r.channel_id
		WHERE um.user_id = ? AND NOT um.flags & ? AND (r.channel_id IS NULL OR s.user_id IS NOT NULL)
		ORDER BY m.id DESC LIMIT ?`,
		id,
		flagBits(['read']),
		MOST_UNREAD,
	);
	const others = (row: ReceivedRow) => memberIdsOf(row.member_ids ?? '').filter(each => each !== id);
	const channels = rows.filter(row => row.channel_id !== null);
	const direct = rows.filter(row => row.channel_id === null);
	const mention = flagBits(['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']);

	return {
		pms: group(
			direct.filter(row => others(row).length < 2),
			row => {
				const [other = id] = others(row);
				return {other_user_id: other, sender_id: other};
			},
		).sort((one, other) => one.other_user_id - other.other_user_id),
		streams: group(channels, row => ({
			stream_id: row.channel_id ?? 0,
			topic: displayTopic(row.topic, allowEmptyTopicName),
		})).sort((one, other) => one.stream_id - other.stream_id || compare(one.topic, other.topic)),
		huddles: group(
			direct.filter(row => others(row).length > 1),
			row => ({user_ids_string: memberIdsOf(row.member_ids ?? '').join(',')}),
		).sort((one, other) => compare(one.user_ids_string, other.user_ids_string)),
		mentions: rows
			.filter(row => row.flags & mention)
			.map(row => row.id)
			.sort((one, other) => one - other),
		count: rows.length,
		old_unreads_missing: rows.length === MOST_UNREAD,
	};
}

function group<Place extends object>(rows: readonly ReceivedRow[], placeOf: (row: ReceivedRow) => Place) {
	const groups = new Map<string, Place & {unread_message_ids: number[]}>();
	for (const row of rows.toReversed()) {
		const place = placeOf(row);
		const key = JSON.stringify(place).toLowerCase();
		const known = groups.get(key) ?? {...place, unread_message_ids: []};
		groups.set(key, known);
		known.unread_message_ids.push(row.id);
	}

	return [...groups.values()];
}

function compare(one: string, other: string): number {
	return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}
