// The demo organization's people and groups by ID, and what several tests of groups ask for.

import {at, type Caller, type Json} from './raw-request.js';

export const people = {olivia: 1, adam: 2, mona: 3, alice: 4, bob: 5, carla: 6, gus: 7} as const;

/** Members who are only there to be many. */
export const crowd = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/** Kitchen and garden stand within helpers; party is deactivated. */
export const groups = {
	internet: 1,
	everyone: 2,
	members: 3,
	fullmembers: 4,
	moderators: 5,
	administrators: 6,
	owners: 7,
	nobody: 8,
	kitchen: 9,
	garden: 10,
	helpers: 11,
	board: 12,
	party: 13,
} as const;

/** One group as the list has it, deactivated ones too. */
export async function groupOf(caller: Caller, id: number): Promise<Json> {
	const {json} = await caller.get('/api/v1/user_groups?include_deactivated_groups=true');
	const list = at(json, 'user_groups');
	return (Array.isArray(list) ? list.find(group => at(group, 'id') === id) : undefined) ?? null;
}

export async function subgroupsOf(caller: Caller, id: number): Promise<Json> {
	return at(await groupOf(caller, id), 'direct_subgroup_ids');
}

export async function membersOf(caller: Caller, id: number): Promise<Json> {
	return at(await groupOf(caller, id), 'members');
}
