import type {GroupSetting} from '../../src/api/index.js';
import {ApiError} from '../../src/client/errors.js';
import type {Effect, Effects} from './effect.js';
import type {World} from './world.js';

// Alice made kitchen with Carla; Mona made helpers, with kitchen and garden within it; party is over.
const [KITCHEN, GARDEN, HELPERS, BOARD, PARTY] = [9, 10, 11, 12, 13];
const [MEMBERS, NOBODY] = [3, 8];
const [OLIVIA, ADAM, MONA, ALICE, BOB, CARLA, GUS] = [1, 2, 3, 4, 5, 6, 7];

interface Crew {
	readonly id: number;
	readonly name: string;
}

/** What somebody tries to do with a group of Carla alone, and what comes of it: where members may, where nobody may. */
interface Permission {
	readonly trial: (world: World, crew: Crew) => Promise<unknown>;
	readonly expected: readonly [unknown, unknown];
}

const permissions = {
	can_add_members_group: {
		async trial(world, {id}) {
			const bob = await world.as('bob');
			await unlessRefused(bob.updateUserGroupMembers({user_group_id: id, add: [ADAM]}));
			return membersIn(world, id);
		},
		expected: [[ADAM, CARLA], [CARLA]],
	},
	can_join_group: {
		async trial(world, {id}) {
			const bob = await world.as('bob');
			await unlessRefused(bob.updateUserGroupMembers({user_group_id: id, add: [BOB]}));
			return membersIn(world, id);
		},
		expected: [[BOB, CARLA], [CARLA]],
	},
	can_leave_group: {
		async trial(world, {id}) {
			const carla = await world.as('carla');
			await unlessRefused(carla.updateUserGroupMembers({user_group_id: id, delete: [CARLA]}));
			return membersIn(world, id);
		},
		expected: [[], [CARLA]],
	},
	can_manage_group: {
		async trial(world, {id}) {
			const bob = await world.as('bob');
			await unlessRefused(bob.updateUserGroup({user_group_id: id, description: 'Of Bob'}));
			return (await groupOf(world, id))?.description;
		},
		expected: ['Of Bob', ''],
	},
	can_mention_group: {
		async trial(world, {name}) {
			const [bob, carla] = [await world.as('bob'), await world.as('carla')];
			const events = await world.watch(carla, {event_types: ['message']});
			await unlessRefused(bob.sendMessage({type: 'direct', to: [CARLA], content: `@*${name}*`}));
			return (await events()).map(event => event.flags);
		},
		expected: [[['mentioned']], []],
	},
	can_remove_members_group: {
		async trial(world, {id}) {
			const bob = await world.as('bob');
			await unlessRefused(bob.updateUserGroupMembers({user_group_id: id, delete: [CARLA]}));
			return membersIn(world, id);
		},
		expected: [[], [CARLA]],
	},
} as const satisfies Record<string, Permission>;
type PermissionName = keyof typeof permissions;

/** Alice makes the crew with that permission. */
function created(permission: PermissionName): Effect<GroupSetting | undefined> {
	const {trial, expected} = permissions[permission];
	return {
		values: [MEMBERS, NOBODY],
		outcome: async (world, value) => trial(world, await createCrew(world, {[permission]: value})),
		expected,
	};
}

/** Alice changes that permission of the crew. */
function changed(permission: PermissionName): Effect<{new: GroupSetting} | undefined> {
	const {trial, expected} = permissions[permission];
	return {
		values: [{new: MEMBERS}, {new: NOBODY}],
		async outcome(world, value) {
			const crew = await createCrew(world);
			const alice = await world.as('alice');
			await alice.updateUserGroup({user_group_id: crew.id, [permission]: value});
			return trial(world, crew);
		},
		expected,
	};
}

async function createCrew(world: World, options: object = {}): Promise<Crew> {
	const alice = await world.as('alice');
	const name = 'crew';
	const {group_id} = await alice.createUserGroup({name, description: '', members: [CARLA], ...options});
	if (group_id === undefined) {
		throw new Error('Expected the ID of the new group, found none');
	}

	return {id: group_id, name};
}

async function unlessRefused(call: Promise<unknown>): Promise<void> {
	try {
		await call;
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
	}
}

/** The group as Mona sees it. */
async function groupOf(world: World, id: number) {
	const {user_groups} = await (await world.as('mona')).getUserGroups({include_deactivated_groups: true});
	return user_groups.find(group => group.id === id);
}

async function membersIn(world: World, id: number): Promise<readonly number[] | undefined> {
	return (await groupOf(world, id))?.members;
}

async function subgroupsIn(world: World, id: number): Promise<readonly number[] | undefined> {
	return (await groupOf(world, id))?.direct_subgroup_ids;
}

export const groups: Effects = {
	getUserGroups: {
		include_deactivated_groups: {
			values: [true, false],
			async outcome(world, include_deactivated_groups) {
				const alice = await world.as('alice');
				await (await world.as('olivia')).deactivateUserGroup({user_group_id: BOARD});
				const {user_groups} = await alice.getUserGroups({include_deactivated_groups});
				return user_groups.filter(group => !group.is_system_group).map(group => group.id);
			},
			expected: [
				[KITCHEN, GARDEN, HELPERS, BOARD, PARTY],
				[KITCHEN, GARDEN, HELPERS],
			],
		},
	},
	createUserGroup: {
		subgroups: {
			values: [[KITCHEN], undefined],
			outcome: async (world, subgroups) => subgroupsIn(world, (await createCrew(world, {subgroups})).id),
			expected: [[KITCHEN], []],
		},
		can_add_members_group: created('can_add_members_group'),
		can_join_group: created('can_join_group'),
		can_leave_group: created('can_leave_group'),
		can_manage_group: created('can_manage_group'),
		can_mention_group: created('can_mention_group'),
		can_remove_members_group: created('can_remove_members_group'),
	},
	updateUserGroup: {
		name: {
			values: ['cooks', undefined],
			async outcome(world, name) {
				const alice = await world.as('alice');
				await alice.updateUserGroup({user_group_id: KITCHEN, name, description: 'New'});
				return (await groupOf(world, KITCHEN))?.name;
			},
			expected: ['cooks', 'kitchen'],
		},
		description: {
			values: ['Who bakes', undefined],
			async outcome(world, description) {
				const alice = await world.as('alice');
				await alice.updateUserGroup({user_group_id: KITCHEN, name: 'cooks', description});
				return (await groupOf(world, KITCHEN))?.description;
			},
			expected: ['Who bakes', 'Who cooks'],
		},
		can_add_members_group: changed('can_add_members_group'),
		can_join_group: changed('can_join_group'),
		can_leave_group: changed('can_leave_group'),
		can_manage_group: changed('can_manage_group'),
		can_mention_group: changed('can_mention_group'),
		can_remove_members_group: changed('can_remove_members_group'),
		deactivated: {
			values: [false, undefined],
			async outcome(world, deactivated) {
				const alice = await world.as('alice');
				await alice.updateUserGroup({user_group_id: PARTY, description: 'Again', deactivated});
				return (await groupOf(world, PARTY))?.deactivated;
			},
			expected: [false, true],
		},
	},
	updateUserGroupMembers: {
		add: {
			values: [[BOB], [OLIVIA, GUS]],
			async outcome(world, add) {
				await (await world.as('alice')).updateUserGroupMembers({user_group_id: KITCHEN, add});
				return membersIn(world, KITCHEN);
			},
			expected: [
				[ALICE, BOB, CARLA],
				[OLIVIA, ALICE, CARLA, GUS],
			],
		},
		delete: {
			values: [[ALICE], [ALICE, CARLA]],
			async outcome(world, remove) {
				await (await world.as('olivia')).updateUserGroupMembers({user_group_id: KITCHEN, delete: remove});
				return membersIn(world, KITCHEN);
			},
			expected: [[CARLA], []],
		},
		add_subgroups: {
			values: [[GARDEN], [BOARD]],
			async outcome(world, add_subgroups) {
				await (await world.as('alice')).updateUserGroupMembers({user_group_id: KITCHEN, add_subgroups});
				return subgroupsIn(world, KITCHEN);
			},
			expected: [[GARDEN], [BOARD]],
		},
		delete_subgroups: {
			values: [[KITCHEN], [GARDEN]],
			async outcome(world, delete_subgroups) {
				await (await world.as('mona')).updateUserGroupMembers({user_group_id: HELPERS, delete_subgroups});
				return subgroupsIn(world, HELPERS);
			},
			expected: [[GARDEN], [KITCHEN]],
		},
	},
	getUserGroupMembers: {
		direct_member_only: {
			values: [true, false],
			async outcome(world, direct_member_only) {
				const alice = await world.as('alice');
				await alice.updateUserGroupMembers({user_group_id: KITCHEN, add: [OLIVIA]});
				return (await alice.getUserGroupMembers({user_group_id: HELPERS, direct_member_only})).members;
			},
			expected: [[MONA], [OLIVIA, MONA, ALICE, BOB, CARLA, GUS]],
		},
	},
	getIsUserGroupMember: {
		direct_member_only: {
			values: [true, false],
			async outcome(world, direct_member_only) {
				const alice = await world.as('alice');
				await alice.updateUserGroupMembers({user_group_id: KITCHEN, add: [OLIVIA]});
				const question = {user_group_id: HELPERS, user_id: OLIVIA, direct_member_only};
				return (await alice.getIsUserGroupMember(question)).is_user_group_member;
			},
			expected: [false, true],
		},
	},
	updateUserGroupSubgroups: {
		add: {
			values: [[GARDEN], [BOARD]],
			async outcome(world, add) {
				await (await world.as('alice')).updateUserGroupSubgroups({user_group_id: KITCHEN, add});
				return subgroupsIn(world, KITCHEN);
			},
			expected: [[GARDEN], [BOARD]],
		},
		delete: {
			values: [[KITCHEN], [GARDEN]],
			async outcome(world, remove) {
				await (await world.as('mona')).updateUserGroupSubgroups({user_group_id: HELPERS, delete: remove});
				return subgroupsIn(world, HELPERS);
			},
			expected: [[GARDEN], [KITCHEN]],
		},
	},
	getUserGroupSubgroups: {
		direct_subgroup_only: {
			values: [true, false],
			async outcome(world, direct_subgroup_only) {
				const alice = await world.as('alice');
				await alice.updateUserGroupSubgroups({user_group_id: KITCHEN, add: [BOARD]});
				const {subgroups} = await alice.getUserGroupSubgroups({user_group_id: HELPERS, direct_subgroup_only});
				return subgroups.toSorted((one, other) => one - other);
			},
			expected: [
				[KITCHEN, GARDEN],
				[KITCHEN, GARDEN, BOARD],
			],
		},
	},
};
