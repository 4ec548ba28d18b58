// User groups: the system's own, which follow from roles, and those that people made.

import type {Store} from '../store/store.js';
import {type Account, Role} from './accounts.js';

export interface UserGroup {
	readonly id: number;
	readonly name: string;
	readonly description: string;
	readonly is_system_group: 0 | 1;
	readonly deactivated: 0 | 1;
	readonly date_created: number | null;
	readonly creator_id: number | null;
	readonly can_mention_group: number | null;
}

/** System groups and the least powerful role that belongs to them; null has no members. */
export const systemGroups = {
	'role:internet': Role.guest,
	'role:everyone': Role.guest,
	'role:members': Role.member,
	'role:fullmembers': Role.member,
	'role:moderators': Role.moderator,
	'role:administrators': Role.administrator,
	'role:owners': Role.owner,
	'role:nobody': null,
} as const;
export type SystemGroup = keyof typeof systemGroups;

export function systemGroupId(store: Store, name: SystemGroup): number {
	const group = findGroupByName(store, name);
	if (!group) {
		throw new Error(`Expected the system group ${name}, found none`);
	}

	return group.id;
}

export function findGroup(store: Store, id: number): UserGroup | undefined {
	return store.get<UserGroup>('SELECT * FROM user_groups WHERE id = ?', id);
}

export function findGroupByName(store: Store, name: string): UserGroup | undefined {
	return store.get<UserGroup>('SELECT * FROM user_groups WHERE name = ?', name);
}

/** Whether an account belongs to a group, by role, by itself or through subgroups. */
export function isInGroup(store: Store, account: Account, groupId: number): boolean {
	const group = findGroup(store, groupId);
	if (!group) {
		return false;
	}

	if (group.is_system_group) {
		const role = systemGroups[group.name as SystemGroup] ?? null;
		return role !== null && account.role <= role;
	}

	const members = store.get(
		'SELECT 1 AS found FROM group_members WHERE group_id = ? AND user_id = ?',
		groupId,
		account.id,
	);
	return members !== undefined || subgroupIds(store, groupId).some(id => isInGroup(store, account, id));
}

/** Active accounts in a group. */
export function membersOf(store: Store, groupId: number): Account[] {
	const accounts = store.all<Account>('SELECT * FROM accounts WHERE is_active = 1 ORDER BY id');
	return accounts.filter(account => isInGroup(store, account, groupId));
}

function subgroupIds(store: Store, groupId: number): number[] {
	const rows = store.all<{subgroup_id: number}>('SELECT subgroup_id FROM group_subgroups WHERE group_id = ?', groupId);
	return rows.map(row => row.subgroup_id);
}

/** A group as callers see it (spec.md, "User group object"). */
export function presentGroup(store: Store, group: UserGroup): Record<string, unknown> {
	const nobody = systemGroupId(store, 'role:nobody');

	return {
		id: group.id,
		name: group.name,
		description: group.description,
		date_created: group.date_created,
		creator_id: group.creator_id,
		members: membersOf(store, group.id).map(account => account.id),
		direct_subgroup_ids: subgroupIds(store, group.id),
		is_system_group: group.is_system_group === 1,
		deactivated: group.deactivated === 1,
		can_add_members_group: nobody,
		can_join_group: nobody,
		can_leave_group: nobody,
		can_manage_group: nobody,
		can_mention_group: group.can_mention_group ?? nobody,
		can_remove_members_group: nobody,
	};
}
