// What people have set for themselves.

import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';

const defaults = {
	enable_drafts_synchronization: true,
	send_private_typing_notifications: true,
	send_stream_typing_notifications: true,
	receives_typing_notifications: true,
	automatically_follow_topics_policy: 3,
	automatically_unmute_topics_in_muted_streams_policy: 2,
	automatically_follow_topics_where_mentioned: true,
};
export type Settings = typeof defaults;

export function readSetting<Name extends keyof Settings>(store: Store, {id}: Account, name: Name): Settings[Name] {
	const row = store.get<{value: string}>('SELECT value FROM user_settings WHERE user_id = ? AND name = ?', id, name);
	// Only writeSetting() writes values.
	return row ? (JSON.parse(row.value) as Settings[Name]) : defaults[name];
}

export function writeSetting<Name extends keyof Settings>(
	store: Store,
	{id}: Account,
	{name, value}: {name: Name; value: Settings[Name]},
): void {
	store.run(
		'INSERT INTO user_settings (user_id, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		id,
		name,
		JSON.stringify(value),
	);
}
