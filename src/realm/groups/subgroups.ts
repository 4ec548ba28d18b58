// Adds and removes subgroups: all of the given ones or none, and never a cycle.

import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import {directSubgroupIds, findGroup, groupAndSubgroupIds} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {groupToFill} from './access.js';
import {publishGroup} from './publish.js';

export interface SubgroupChange {
	readonly groupId: number;
	readonly subgroupIds: readonly number[];
}

export function addSubgroups(services: Services, caller: Account, {groupId, subgroupIds}: SubgroupChange): void {
	const {store} = services;
	groupToFill(services, caller, {id: groupId, settings: ['can_add_members_group']});
	checkSubgroups(store, subgroupIds);
	const present = directSubgroupIds(store, groupId);
	const again = subgroupIds.find(id => present.includes(id));
	if (again !== undefined) {
		throw badRequest(`User group ${again} is already a subgroup of this group.`);
	}

	if (subgroupIds.some(id => groupAndSubgroupIds(store, id).includes(groupId))) {
		throw badRequest(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
	}

	insertSubgroups(store, groupId, subgroupIds);
	const ids = [...new Set(subgroupIds)];
	publishGroup(services, groupId, {op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: ids});
}

export function removeSubgroups(services: Services, caller: Account, {groupId, subgroupIds}: SubgroupChange): void {
	const {store} = services;
	groupToFill(services, caller, {id: groupId, settings: []});
	checkExistence(store, subgroupIds);
	const present = directSubgroupIds(store, groupId);
	const absent = subgroupIds.find(id => !present.includes(id));
	if (absent !== undefined) {
		throw badRequest(`User group ${absent} is not a subgroup of this group.`);
	}

	for (const id of subgroupIds) {
		store.run('DELETE FROM group_subgroups WHERE group_id = ? AND subgroup_id = ?', groupId, id);
	}

	const ids = [...new Set(subgroupIds)];
	publishGroup(services, groupId, {op: 'remove_subgroups', group_id: groupId, direct_subgroup_ids: ids});
}

/** Throws if an ID is not a group, or if the group is deactivated. */
export function checkSubgroups(store: Store, ids: readonly number[]): void {
	checkExistence(store, ids);
	if (ids.some(id => findGroup(store, id)?.deactivated)) {
		throw badRequest('User group is deactivated.');
	}
}

export function insertSubgroups(store: Store, groupId: number, subgroupIds: readonly number[]): void {
	for (const id of subgroupIds) {
		store.run('INSERT OR IGNORE INTO group_subgroups (group_id, subgroup_id) VALUES (?, ?)', groupId, id);
	}
}

function checkExistence(store: Store, ids: readonly number[]): void {
	const unknown = ids.find(id => !findGroup(store, id));
	if (unknown !== undefined) {
		throw badRequest(`Invalid user group ID: ${unknown}`);
	}
}
