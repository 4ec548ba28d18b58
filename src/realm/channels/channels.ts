// Finds channels and their subscribers.

import type {Store} from '../store/store.js';

export interface ChannelRow {
	readonly id: number;
	readonly name: string;
	readonly description: string;
	readonly date_created: number;
	readonly creator_id: number | null;
	readonly is_archived: 0 | 1;
	readonly invite_only: 0 | 1;
	readonly is_web_public: 0 | 1;
	readonly is_default: 0 | 1;
	readonly history_public_to_subscribers: 0 | 1;
	readonly topics_policy: string;
	/** Null: the organization's default; -1: no limit. */
	readonly message_retention_days: number | null;
}

export function findChannel(store: Store, id: number): ChannelRow | undefined {
	return store.get<ChannelRow>('SELECT * FROM channels WHERE id = ?', id);
}

/** Names are trimmed and compared without case, but only that of ASCII letters, as SQLite does. */
export function findChannelByName(store: Store, name: string): ChannelRow | undefined {
	const wanted = name.trim();
	return (
		store.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', wanted) ??
		listChannels(store).find(channel => channel.name.toLowerCase() === wanted.toLowerCase())
	);
}

export function listChannels(store: Store): ChannelRow[] {
	return store.all<ChannelRow>('SELECT * FROM channels ORDER BY name');
}

export function isSubscribed(store: Store, userId: number, channelId: number): boolean {
	const row = store.get('SELECT 1 AS found FROM subscriptions WHERE user_id = ? AND channel_id = ?', userId, channelId);
	return row !== undefined;
}

/** IDs of active subscribers. */
export function subscriberIds(store: Store, channelId: number): number[] {
	const rows = store.all<{id: number}>(
		`SELECT a.id FROM subscriptions s JOIN accounts a ON a.id = s.user_id
		WHERE s.channel_id = ? AND a.is_active = 1 ORDER BY a.id`,
		channelId,
	);
	return rows.map(row => row.id);
}

/** Keeps the settings of an earlier subscription. */
export function insertSubscription(store: Store, userId: number, channelId: number, color?: string): void {
	store.run(
		`INSERT INTO all_subscriptions (user_id, channel_id, color) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET is_over = 0`,
		userId,
		channelId,
		color ?? colors[channelId % colors.length] ?? '#76ce90',
	);
}

export function endSubscription(store: Store, userId: number, channelId: number): void {
	store.run('UPDATE all_subscriptions SET is_over = 1 WHERE user_id = ? AND channel_id = ?', userId, channelId);
}

/** Whether an account was subscribed earlier and has left. */
export function wasSubscribed(store: Store, userId: number, channelId: number): boolean {
	const sql = 'SELECT 1 AS found FROM all_subscriptions WHERE user_id = ? AND channel_id = ? AND is_over';
	return store.get(sql, userId, channelId) !== undefined;
}

/** Whether an account has muted a channel that it is subscribed to. */
export function isMuted(store: Store, userId: number, channelId: number): boolean {
	const sql = 'SELECT is_muted FROM subscriptions WHERE user_id = ? AND channel_id = ?';
	return store.get<{is_muted: 0 | 1}>(sql, userId, channelId)?.is_muted === 1;
}

const colors = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55'];
