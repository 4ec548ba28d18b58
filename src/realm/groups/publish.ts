// Tells the queues what became of a group (service-facts.md 3.3).

import type {Account} from '../people/accounts.js';
import {findGroup, isDirectMember, listGroups} from '../people/groups.js';
import type {Services} from '../services.js';
import {presentGroup} from './present.js';

/** One event about a group; queues that know no deactivated groups hear nothing of theirs. */
export function publishGroup(
	{store, queues}: Services,
	groupId: number,
	event: {readonly op: string; readonly [field: string]: unknown},
): void {
	const isHidden = findGroup(store, groupId)?.deactivated === 1;
	store.afterCommit(() =>
		queues.publishEach('user_group', ({options}) => (isHidden && !options.deactivatedGroups ? undefined : event)),
	);
}

export function publishNewGroup(services: Services, groupId: number): void {
	publishGroup(services, groupId, {op: 'add', group: presentById(services, groupId)});
}

/** For queues that know no deactivated groups, one goes or comes. */
export function publishDeactivation({store, queues}: Services, groupId: number): void {
	const group = presentById({store}, groupId);
	const isOver = group?.deactivated === true;
	const gone = isOver ? {op: 'remove', group_id: groupId} : {op: 'add', group};
	const changed = {op: 'update', group_id: groupId, data: {deactivated: isOver}};
	store.afterCommit(() =>
		queues.publishEach('user_group', ({options}) => (options.deactivatedGroups ? changed : gone)),
	);
}

/** An account joined or left the system groups of its role. */
export function publishRole(services: Services, account: Account, op: 'add_members' | 'remove_members'): void {
	for (const group of listGroups(services.store)) {
		if (group.is_system_group && isDirectMember(services.store, account, group.id)) {
			publishGroup(services, group.id, {op, group_id: group.id, user_ids: [account.id]});
		}
	}
}

function presentById({store}: Pick<Services, 'store'>, groupId: number) {
	const group = findGroup(store, groupId);
	return group && presentGroup(store, group);
}
