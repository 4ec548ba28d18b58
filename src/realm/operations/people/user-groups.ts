import {badRequest, RealmError} from '../../errors.js';
import {groupToDeactivate, groupToManage, groupToRead} from '../../groups/access.js';
import {checkUserIds} from '../../groups/check-user-ids.js';
import {refuseGroupInUse} from '../../groups/in-use.js';
import {addMembers, insertMembers, removeMembers} from '../../groups/members.js';
import {checkFree, readGroupName} from '../../groups/name.js';
import {presentGroup} from '../../groups/present.js';
import {publishDeactivation, publishGroup, publishNewGroup} from '../../groups/publish.js';
import {
	checkSetting,
	groupSettings,
	isSameSetting,
	plainSetting,
	readGroupSetting,
	writeGroupSetting,
} from '../../groups/settings.js';
import {addSubgroups, checkSubgroups, insertSubgroups, removeSubgroups} from '../../groups/subgroups.js';
import {type Call, handler} from '../../http/handler.js';
import {findPerson} from '../../people/find-person.js';
import {
	directMembersOf,
	directSubgroupIds,
	type GroupRow,
	groupAndSubgroupIds,
	isDirectMember,
	isInGroup,
	listGroups,
	membersOf,
} from '../../people/groups.js';
import type {Services} from '../../services.js';

export const getUserGroups = handler('getUserGroups', ({services: {store}, parameters}) => {
	const groups = listGroups(store).filter(group => parameters.include_deactivated_groups || !group.deactivated);
	return {user_groups: groups.map(group => presentGroup(store, group))};
});

/** From this level on, the answer names the new group. */
const FIRST_LEVEL_WITH_ID = 317;

export const createUserGroup = handler('createUserGroup', ({services, caller, parameters}) => {
	const {store, clock, featureLevel} = services;
	const {description, members, subgroups} = parameters;
	const id = store.transaction(() => {
		checkUserIds(store, members);
		const name = readGroupName(parameters.name);
		const settings = groupSettings.flatMap(setting => {
			const value = parameters[setting];
			return value === undefined ? [] : [{name: setting, value}];
		});
		for (const {name: setting, value} of settings) {
			checkSetting(store, setting, value);
		}

		checkFree(store, name);
		checkSubgroups(store, subgroups);
		const groupId = store.run(
			'INSERT INTO user_groups (name, description, date_created, creator_id) VALUES (?, ?, ?, ?)',
			name,
			description,
			clock.seconds(),
			caller.id,
		);
		insertMembers(store, groupId, members);
		insertSubgroups(store, groupId, subgroups);
		for (const {name: setting, value} of settings) {
			writeGroupSetting(store, groupId, {name: setting, value: plainSetting(value)});
		}

		publishNewGroup(services, groupId);
		return groupId;
	});

	return featureLevel < FIRST_LEVEL_WITH_ID ? {} : {group_id: id};
});

type Changes = Call<'updateUserGroup'>['parameters'];

export const updateUserGroup = handler('updateUserGroup', ({services, caller, parameters}) => {
	const {user_group_id: id, ...changes} = parameters;
	if (Object.values(changes).every(value => value === undefined)) {
		throw badRequest('No new data supplied');
	}

	services.store.transaction(() => {
		const group = groupToManage(services.store, caller, id);
		changeTexts(services, group, parameters);
		changeSettings(services, group, parameters);
		if (group.deactivated && parameters.deactivated === false) {
			services.store.run('UPDATE user_groups SET deactivated = 0 WHERE id = ?', id);
			publishDeactivation(services, id);
		}
	});

	return {};
});

function changeTexts(services: Services, group: GroupRow, {name: wanted, description}: Changes): void {
	const {store} = services;
	const name = wanted === undefined || wanted === group.name ? undefined : readGroupName(wanted);
	if (name !== undefined && name !== group.name) {
		checkFree(store, name, group.id);
		store.run('UPDATE user_groups SET name = ? WHERE id = ?', name, group.id);
		publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {name}});
	}

	if (description !== undefined && description !== group.description) {
		store.run('UPDATE user_groups SET description = ? WHERE id = ?', description, group.id);
		publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {description}});
	}
}

function changeSettings(services: Services, group: GroupRow, changes: Changes): void {
	const {store} = services;
	for (const name of groupSettings) {
		const change = changes[name];
		const present = readGroupSetting(store, group, name);
		if (change?.old !== undefined && !isSameSetting(change.old, present)) {
			throw new RealmError("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH');
		}

		if (change && !isSameSetting(change.new, present)) {
			checkSetting(store, name, change.new);
			const value = plainSetting(change.new);
			writeGroupSetting(store, group.id, {name, value});
			publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {[name]: value}});
		}
	}
}

export const deactivateUserGroup = handler('deactivateUserGroup', ({services, caller, parameters}) => {
	const {store} = services;
	const {id} = groupToDeactivate(store, caller, parameters.user_group_id);
	refuseGroupInUse(store, id);
	store.run('UPDATE user_groups SET deactivated = 1 WHERE id = ?', id);
	publishDeactivation(services, id);

	return {};
});

export const updateUserGroupMembers = handler('updateUserGroupMembers', ({services, caller, parameters}) => {
	const {user_group_id: groupId, add, delete: remove, add_subgroups, delete_subgroups} = parameters;
	if ([add, remove, add_subgroups, delete_subgroups].every(ids => ids.length === 0)) {
		throw badRequest('Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".');
	}

	services.store.transaction(() => {
		if (add.length > 0) {
			addMembers(services, caller, {groupId, userIds: add});
		}

		if (remove.length > 0) {
			removeMembers(services, caller, {groupId, userIds: remove});
		}

		if (add_subgroups.length > 0) {
			addSubgroups(services, caller, {groupId, subgroupIds: add_subgroups});
		}

		if (delete_subgroups.length > 0) {
			removeSubgroups(services, caller, {groupId, subgroupIds: delete_subgroups});
		}
	});

	return {};
});

export const getUserGroupMembers = handler('getUserGroupMembers', ({services: {store}, parameters}) => {
	const group = groupToRead(store, parameters.user_group_id);
	const members = parameters.direct_member_only ? directMembersOf(store, group.id) : membersOf(store, group.id);
	return {members: members.map(account => account.id)};
});

const FIRST_LEVEL_FOR_BOTS = 496;

export const getIsUserGroupMember = handler('getIsUserGroupMember', ({services: {store, featureLevel}, parameters}) => {
	const group = groupToRead(store, parameters.user_group_id);
	const account = findPerson(store, parameters.user_id, {withBots: featureLevel >= FIRST_LEVEL_FOR_BOTS});
	const isMember = parameters.direct_member_only ? isDirectMember : isInGroup;
	return {is_user_group_member: isMember(store, account, group.id)};
});

export const updateUserGroupSubgroups = handler('updateUserGroupSubgroups', ({services, caller, parameters}) => {
	const {user_group_id: groupId, add, delete: remove} = parameters;
	if (add.length === 0 && remove.length === 0) {
		throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
	}

	services.store.transaction(() => {
		if (add.length > 0) {
			addSubgroups(services, caller, {groupId, subgroupIds: add});
		}

		if (remove.length > 0) {
			removeSubgroups(services, caller, {groupId, subgroupIds: remove});
		}
	});

	return {};
});

export const getUserGroupSubgroups = handler('getUserGroupSubgroups', ({services: {store}, parameters}) => {
	const {id} = groupToRead(store, parameters.user_group_id);
	const subgroups = parameters.direct_subgroup_only
		? directSubgroupIds(store, id)
		: groupAndSubgroupIds(store, id).filter(each => each !== id);
	return {subgroups};
});
