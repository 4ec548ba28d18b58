// Publishes events about groups (service-facts.md 3.3).

import {findGroup} from '../people/groups.js';
import type {Services} from '../services.js';
import {presentGroup} from './present.js';

/** Publishes an event about a group. Queues that do not know deactivated groups get none about those. */
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

/** Queues that do not know deactivated groups get a deletion or a creation instead. */
export function publishDeactivation({store, queues}: Services, groupId: number): void {
	const group = presentById({store}, groupId);
	const isOver = group?.deactivated === true;
	const gone = isOver ? {op: 'remove', group_id: groupId} : {op: 'add', group};
	const changed = {op: 'update', group_id: groupId, data: {deactivated: isOver}};
	store.afterCommit(() =>
		queues.publishEach('user_group', ({options}) => (options.deactivatedGroups ? changed : gone)),
	);
}

/** Publishes an account's change of system groups, after it was created, deactivated, or given another role. */
export function publishMemberships(
	services: Services,
	userId: number,
	{before, after}: {before: readonly number[]; after: readonly number[]},
): void {
	const [first = [], ...others] = before.filter(each => !after.includes(each)).map(id => [id]);
	const leave = (id: number) => publishGroup(services, id, {op: 'remove_members', group_id: id, user_ids: [userId]});
	first.forEach(leave);
	for (const id of after.filter(each => !before.includes(each))) {
		publishGroup(services, id, {op: 'add_members', group_id: id, user_ids: [userId]});
	}

	others.flat().forEach(leave);
}

function presentById({store}: Pick<Services, 'store'>, groupId: number) {
	const group = findGroup(store, groupId);
	return group && presentGroup(store, group);
}
