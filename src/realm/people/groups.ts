// User groups: the system groups, which follow from roles, those that people created, and their members.

import type {Store} from '../store/store.js';
import {type Account, Role} from './accounts.js';

export interface GroupRow {
	readonly id: number;
	readonly name: string;
	readonly description: string;
	readonly is_system_group: 0 | 1;
	readonly deactivated: 0 | 1;
	readonly date_created: number | null;
	readonly creator_id: number | null;
}

/** Each system group: the role of its direct members, and its one subgroup. Null if there is none. */
export const systemGroups = {
	'role:internet': {role: null, subgroup: 'role:everyone'},
	'role:everyone': {role: Role.guest, subgroup: 'role:members'},
	'role:members': {role: Role.member, subgroup: 'role:fullmembers'},
	// The realm has no waiting period, so every member is a full member.
	'role:fullmembers': {role: Role.member, subgroup: 'role:moderators'},
	'role:moderators': {role: Role.moderator, subgroup: 'role:administrators'},
	'role:administrators': {role: Role.administrator, subgroup: 'role:owners'},
	'role:owners': {role: Role.owner, subgroup: null},
	'role:nobody': {role: null, subgroup: null},
} as const;
export type SystemGroup = keyof typeof systemGroups;

export function systemGroupId(store: Store, name: SystemGroup): number {
	const group = findGroupByName(store, name);
	if (!group) {
		throw new Error(`Expected the system group ${name}, found none`);
	}

	return group.id;
}

export function findGroup(store: Store, id: number): GroupRow | undefined {
	return store.get<GroupRow>('SELECT * FROM user_groups WHERE id = ?', id);
}

/** Compares without case, but only that of ASCII letters, as SQLite does. */
export function findGroupByName(store: Store, name: string): GroupRow | undefined {
	return (
		store.get<GroupRow>('SELECT * FROM user_groups WHERE name = ?', name) ??
		listGroups(store).find(group => group.name.toLowerCase() === name.toLowerCase())
	);
}

export function listGroups(store: Store): GroupRow[] {
	return store.all<GroupRow>('SELECT * FROM user_groups ORDER BY id');
}

/** Whether an account is in a group, directly or through subgroups. */
export function isInGroup(store: Store, account: Account, groupId: number): boolean {
	const group = findGroup(store, groupId);
	if (group?.is_system_group) {
		return !account.is_system_bot && rolesIn(group.name as SystemGroup).includes(account.role);
	}

	return groupAndSubgroupIds(store, groupId).some(id => isDirectMember(store, account, id));
}

/** Whether an account is a direct member: by its role, or because somebody added it. */
export function isDirectMember(store: Store, account: Account, groupId: number): boolean {
	const group = findGroup(store, groupId);
	if (group?.is_system_group) {
		return !account.is_system_bot && systemGroup(group).role === account.role;
	}

	const row = store.get('SELECT 1 AS found FROM group_members WHERE group_id = ? AND user_id = ?', groupId, account.id);
	return row !== undefined;
}

/** The groups that have an account as a direct member. */
export function directGroupIds(store: Store, account: Account): number[] {
	const groups = listGroups(store).filter(group => isDirectMember(store, account, group.id));
	return groups.map(group => group.id);
}

/** Active accounts in a group, directly or through subgroups. */
export function membersOf(store: Store, groupId: number): Account[] {
	const accounts = groupAndSubgroupIds(store, groupId).flatMap(id => directMembersOf(store, id));
	const byId = new Map(accounts.map(account => [account.id, account]));
	return [...byId.values()].sort((one, other) => one.id - other.id);
}

export function directMembersOf(store: Store, groupId: number): Account[] {
	const group = findGroup(store, groupId);
	if (group?.is_system_group) {
		const {role} = systemGroup(group);
		return role === null ? [] : inRole(store, role);
	}

	return store.all<Account>(
		`SELECT a.* FROM group_members m JOIN accounts a ON a.id = m.user_id
		WHERE m.group_id = ? AND a.is_active = 1 ORDER BY a.id`,
		groupId,
	);
}

export function directSubgroupIds(store: Store, groupId: number): number[] {
	const group = findGroup(store, groupId);
	if (group?.is_system_group) {
		const {subgroup} = systemGroup(group);
		return subgroup === null ? [] : [systemGroupId(store, subgroup)];
	}

	const rows = store.all<{subgroup_id: number}>(
		'SELECT subgroup_id FROM group_subgroups WHERE group_id = ? ORDER BY subgroup_id',
		groupId,
	);
	return rows.map(row => row.subgroup_id);
}

/** A group and all its subgroups, at any depth and without duplicates. */
export function groupAndSubgroupIds(store: Store, groupId: number): number[] {
	const ids = new Set([groupId]);
	// The loop also visits what is added in it.
	for (const id of ids) {
		for (const subgroup of directSubgroupIds(store, id)) {
			ids.add(subgroup);
		}
	}

	return [...ids];
}

function inRole(store: Store, role: number): Account[] {
	return store.all<Account>(
		'SELECT * FROM accounts WHERE role = ? AND is_active = 1 AND is_system_bot = 0 ORDER BY id',
		role,
	);
}

/** The roles of a system group and its subgroups. */
function rolesIn(name: SystemGroup | null): Array<number | null> {
	return name === null ? [] : [systemGroups[name].role, ...rolesIn(systemGroups[name].subgroup)];
}

function systemGroup(group: GroupRow): {readonly role: number | null; readonly subgroup: SystemGroup | null} {
	// Only names of this table are stored as system groups.
	return systemGroups[group.name as SystemGroup];
}
