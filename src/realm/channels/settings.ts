// The permissions of a channel, and their defaults.

import type {GroupSetting} from '../../api/index.js';
import {checkSettingValue, isInSetting, plainSetting} from '../groups/settings.js';
import type {Account} from '../people/accounts.js';
import {type SystemGroup, systemGroupId} from '../people/groups.js';
import type {Store} from '../store/store.js';

const usual = {
	can_add_subscribers_group: 'role:nobody',
	can_remove_subscribers_group: 'role:administrators',
	can_administer_channel_group: 'role:nobody',
	can_delete_any_message_group: 'role:nobody',
	can_delete_own_message_group: 'role:nobody',
	can_move_messages_out_of_channel_group: 'role:nobody',
	can_move_messages_within_channel_group: 'role:nobody',
	can_create_topic_group: 'role:everyone',
	can_resolve_topics_group: 'role:nobody',
	can_send_message_group: 'role:everyone',
	can_subscribe_group: 'role:nobody',
} as const satisfies Record<string, SystemGroup>;
export type ChannelSettingName = keyof typeof usual;

// `usual` is a constant, so its keys are known.
export const channelSettings = Object.keys(usual) as ChannelSettingName[];

/** Permissions that may not be given to guests through a group of everybody. */
const closed: readonly ChannelSettingName[] = [
	'can_add_subscribers_group',
	'can_administer_channel_group',
	'can_delete_any_message_group',
	'can_subscribe_group',
];

export function readChannelSetting(store: Store, channelId: number, name: ChannelSettingName): GroupSetting {
	const row = store.get<{value: string}>(
		'SELECT value FROM channel_settings WHERE channel_id = ? AND name = ?',
		channelId,
		name,
	);
	// Only writeChannelSetting() writes values, so the type is right.
	return row ? (JSON.parse(row.value) as GroupSetting) : systemGroupId(store, usual[name]);
}

export function writeChannelSetting(
	store: Store,
	channelId: number,
	{name, value}: {readonly name: ChannelSettingName; readonly value: GroupSetting},
): void {
	store.run(
		'INSERT INTO channel_settings (channel_id, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		channelId,
		name,
		JSON.stringify(plainSetting(value)),
	);
}

/** Throws if the setting cannot have the value. */
export function checkChannelSetting(store: Store, name: ChannelSettingName, value: GroupSetting): void {
	checkSettingValue(store, {name, isForEveryone: !closed.includes(name)}, value);
}

/** Whether an account has a permission in a channel. */
export function isTrusted(store: Store, account: Account, channelId: number, name: ChannelSettingName): boolean {
	return isInSetting(store, account, readChannelSetting(store, channelId, name));
}

/** Channels with an explicit setting that gives the account one of these permissions. */
export function trustingChannelIds(store: Store, account: Account, names: readonly ChannelSettingName[]): number[] {
	const rows = store.all<{channel_id: number; value: string}>(
		`SELECT channel_id, value FROM channel_settings WHERE name IN (${names.map(() => '?').join(', ')})`,
		...names,
	);
	// Only writeChannelSetting() writes values.
	const trusting = rows.filter(({value}) => isInSetting(store, account, JSON.parse(value) as GroupSetting));
	return trusting.map(row => row.channel_id);
}
