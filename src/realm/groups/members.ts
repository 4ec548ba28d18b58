// Adds and removes members of groups: all of the given ones, or none.

import {silentMention} from '../channels/notices.js';
import {badRequest} from '../errors.js';
import {sendMessage} from '../messages/send.js';
import {type Account, findAccount, findNotificationBot, isBot} from '../people/accounts.js';
import {findGroup, isDirectMember} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {groupToFill} from './access.js';
import {checkUserIds} from './check-user-ids.js';
import {publishGroup} from './publish.js';

export interface MemberChange {
	readonly groupId: number;
	readonly userIds: readonly number[];
}

export function addMembers(services: Services, caller: Account, {groupId, userIds}: MemberChange): void {
	const {store} = services;
	const isSelf = isOnly(caller, userIds);
	groupToFill(services, caller, {
		id: groupId,
		settings: isSelf ? ['can_join_group', 'can_add_members_group'] : ['can_add_members_group'],
	});
	checkUserIds(store, userIds);
	const present = userIds.find(id => isMember(store, groupId, id));
	if (present !== undefined) {
		throw badRequest(`User ${present} is already a member of this group`);
	}

	insertMembers(store, groupId, userIds);
	publishGroup(services, groupId, {op: 'add_members', group_id: groupId, user_ids: [...new Set(userIds)]});
	noticeMembership(services, caller, {groupId, userIds}, 'added you to');
}

export function removeMembers(services: Services, caller: Account, {groupId, userIds}: MemberChange): void {
	const {store} = services;
	const isSelf = isOnly(caller, userIds);
	groupToFill(services, caller, {
		id: groupId,
		settings: isSelf ? ['can_leave_group', 'can_remove_members_group'] : ['can_remove_members_group'],
	});
	checkUserIds(store, userIds);
	const absent = userIds.find(id => !isMember(store, groupId, id));
	if (absent !== undefined) {
		throw badRequest(`There is no member '${absent}' in this user group`);
	}

	for (const id of userIds) {
		store.run('DELETE FROM group_members WHERE group_id = ? AND user_id = ?', groupId, id);
	}

	publishGroup(services, groupId, {op: 'remove_members', group_id: groupId, user_ids: [...new Set(userIds)]});
	noticeMembership(services, caller, {groupId, userIds}, 'removed you from');
}

/** Notifies people that somebody else has added or removed them. */
function noticeMembership(
	services: Services,
	caller: Account,
	{groupId, userIds}: MemberChange,
	deed: 'added you to' | 'removed you from',
): void {
	const sender = findNotificationBot(services.store);
	const group = findGroup(services.store, groupId);
	const people = [...new Set(userIds)].flatMap(id => findAccount(services.store, id) ?? []);
	for (const person of people.filter(each => each.id !== caller.id && !isBot(each))) {
		if (sender && group) {
			sendMessage(services, {
				sender,
				client: 'Internal',
				destination: {kind: 'direct', accounts: [person]},
				content: `${silentMention(caller)} ${deed} the group @_*${group.name}*.`,
			});
		}
	}
}

export function insertMembers(store: Store, groupId: number, userIds: readonly number[]): void {
	for (const id of userIds) {
		store.run('INSERT OR IGNORE INTO group_members (group_id, user_id) VALUES (?, ?)', groupId, id);
	}
}

function isOnly(caller: Account, userIds: readonly number[]): boolean {
	return userIds.every(id => id === caller.id);
}

function isMember(store: Store, groupId: number, userId: number): boolean {
	const account = findAccount(store, userId);
	return account !== undefined && isDirectMember(store, account, groupId);
}
