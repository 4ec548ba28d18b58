// The permissions of a group: their defaults, and the values that they may have.

import type {GroupSetting} from '../../api/index.js';
import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import {findGroup, type GroupRow, isInGroup, systemGroupId} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {checkUserIds} from './check-user-ids.js';

export const groupSettings = [
	'can_add_members_group',
	'can_join_group',
	'can_leave_group',
	'can_manage_group',
	'can_mention_group',
	'can_remove_members_group',
] as const;
export type GroupSettingName = (typeof groupSettings)[number];

/** Permissions that may be given to everyone, including guests. */
const opened: readonly GroupSettingName[] = ['can_leave_group', 'can_mention_group'];
const creators: readonly GroupSettingName[] = ['can_add_members_group', 'can_manage_group'];

export function readGroupSetting(store: Store, group: GroupRow, name: GroupSettingName): GroupSetting {
	const row = store.get<{value: string}>(
		'SELECT value FROM group_settings WHERE group_id = ? AND name = ?',
		group.id,
		name,
	);
	// Only writeGroupSetting() writes values, so the type is right.
	return row ? (JSON.parse(row.value) as GroupSetting) : usual(store, group, name);
}

export function writeGroupSetting(
	store: Store,
	groupId: number,
	{name, value}: {name: GroupSettingName; value: GroupSetting},
): void {
	store.run(
		'INSERT INTO group_settings (group_id, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		groupId,
		name,
		JSON.stringify(value),
	);
}

/** Whether a setting includes an account. */
export function isInSetting(store: Store, account: Account, value: GroupSetting): boolean {
	if (typeof value === 'number') {
		return isInGroup(store, account, value);
	}

	return value.direct_members.includes(account.id) || value.direct_subgroups.some(id => isInGroup(store, account, id));
}

/** The normal form of a value, for comparison: a single group is its ID. */
export function plainSetting(value: GroupSetting): GroupSetting {
	if (typeof value === 'number') {
		return value;
	}

	const [members, subgroups] = [ascending(value.direct_members), ascending(value.direct_subgroups)];
	const [only, ...more] = subgroups;
	return members.length === 0 && only !== undefined && more.length === 0
		? only
		: {direct_members: members, direct_subgroups: subgroups};
}

export function isSameSetting(one: GroupSetting, other: GroupSetting): boolean {
	return JSON.stringify(plainSetting(one)) === JSON.stringify(plainSetting(other));
}

/** Throws if the setting cannot have the value. */
export function checkSetting(store: Store, name: GroupSettingName, value: GroupSetting): void {
	checkSettingValue(store, {name, isForEveryone: opened.includes(name)}, value);
}

/** The same for any setting, of a group or of a channel. */
export function checkSettingValue(
	store: Store,
	{name, isForEveryone}: {readonly name: string; readonly isForEveryone: boolean},
	value: GroupSetting,
): void {
	if (typeof value !== 'number') {
		checkUserIds(store, value.direct_members);
	}

	for (const id of settingGroupIds(value)) {
		const group = findGroup(store, id);
		if (!group) {
			throw badRequest(typeof value === 'number' ? 'Invalid user group' : `Invalid user group ID: ${id}`);
		}

		if (group.deactivated) {
			throw badRequest('User group is deactivated.');
		}

		if (group.name === 'role:internet' || (group.name === 'role:everyone' && !isForEveryone)) {
			throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`);
		}
	}
}

/** The groups in a value. */
export function settingGroupIds(value: GroupSetting): readonly number[] {
	return typeof value === 'number' ? [value] : value.direct_subgroups;
}

function usual(store: Store, group: GroupRow, name: GroupSettingName): GroupSetting {
	const everyone = systemGroupId(store, 'role:everyone');
	const nobody = systemGroupId(store, 'role:nobody');
	if (group.is_system_group) {
		return nobody;
	}

	if (creators.includes(name) && group.creator_id !== null) {
		return {direct_members: [group.creator_id], direct_subgroups: []};
	}

	return opened.includes(name) ? everyone : nobody;
}

function ascending(ids: readonly number[]): number[] {
	return [...new Set(ids)].sort((one, other) => one - other);
}
