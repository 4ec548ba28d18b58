// Finds a group, and throws if the caller lacks the right to use it this way (service-facts.md 6.9).

import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import {findGroup, type GroupRow, isInGroup, systemGroupId} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type GroupSettingName, isInSetting, readGroupSetting} from './settings.js';

/** From this level on, members and subgroups of a deactivated group can be changed. */
const FIRST_LEVEL_THAT_CHANGES_DEACTIVATED = 391;

/** Finds a group whose members the caller may read. */
export function groupToRead(store: Store, id: number): GroupRow {
	const group = groupOf(store, id);
	refuseDeactivated(group);
	return group;
}

/** Finds a group that the caller may manage, deactivated or not. */
export function groupToManage(store: Store, caller: Account, id: number): GroupRow {
	const group = groupOf(store, id);
	checkMayChange(store, caller, {group, settings: []});
	return group;
}

/** Finds a group that the caller may deactivate. */
export function groupToDeactivate(store: Store, caller: Account, id: number): GroupRow {
	const group = groupToRead(store, id);
	checkMayChange(store, caller, {group, settings: []});
	return group;
}

/** Finds a group whose members the caller may change, because of managing it or of one of these settings. */
export function groupToFill(
	{store, featureLevel}: Services,
	caller: Account,
	{id, settings}: {id: number; settings: readonly GroupSettingName[]},
): GroupRow {
	const group = groupOf(store, id);
	if (featureLevel < FIRST_LEVEL_THAT_CHANGES_DEACTIVATED) {
		refuseDeactivated(group);
	}

	checkMayChange(store, caller, {group, settings});
	return group;
}

function groupOf(store: Store, id: number): GroupRow {
	const group = findGroup(store, id);
	if (!group) {
		throw badRequest('Invalid user group');
	}

	return group;
}

function refuseDeactivated(group: GroupRow): void {
	if (group.deactivated) {
		throw badRequest('User group is deactivated.');
	}
}

function checkMayChange(
	store: Store,
	caller: Account,
	{group, settings}: {group: GroupRow; settings: readonly GroupSettingName[]},
): void {
	const managesAll = isInGroup(store, caller, systemGroupId(store, 'role:owners'));
	const enough: readonly GroupSettingName[] = ['can_manage_group', ...settings];
	const isAllowed = managesAll || enough.some(name => isInSetting(store, caller, readGroupSetting(store, group, name)));
	if (group.is_system_group || !isAllowed) {
		throw badRequest('Insufficient permission');
	}
}
