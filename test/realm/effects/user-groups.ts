import {effects, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

// Alice made kitchen with Carla; Mona made helpers, with kitchen and garden within it; party is over.
const [KITCHEN, GARDEN, HELPERS, BOARD, PARTY] = [9, 10, 11, 12, 13];
const [MEMBERS, NOBODY] = [3, 8];
const [OLIVIA, ADAM, MONA, ALICE, BOB, CARLA, GUS] = [1, 2, 3, 4, 5, 6, 7];

/** Alice makes a group of Carla alone. */
async function createCrew({alice}: World, given: Partial<Given<'createUserGroup'>> = {}): Promise<number> {
	const {group_id: id = 0} = await alice.createUserGroup({name: 'crew', description: '', members: [CARLA], ...given});
	return id;
}

/** The group as Mona sees it. */
async function groupOf({mona}: World, id: number) {
	const {user_groups} = await mona.getUserGroups({include_deactivated_groups: true});
	return user_groups.find(group => group.id === id);
}

/** What somebody tries to do with the crew, and what comes of it. */
const trials = {
	async can_add_members_group(world: World, id: number) {
		await unlessRefused(world.bob.updateUserGroupMembers({user_group_id: id, add: [ADAM]}));
		return (await groupOf(world, id))?.members;
	},
	async can_join_group(world: World, id: number) {
		await unlessRefused(world.bob.updateUserGroupMembers({user_group_id: id, add: [BOB]}));
		return (await groupOf(world, id))?.members;
	},
	async can_leave_group(world: World, id: number) {
		await unlessRefused(world.carla.updateUserGroupMembers({user_group_id: id, delete: [CARLA]}));
		return (await groupOf(world, id))?.members;
	},
	async can_manage_group(world: World, id: number) {
		await unlessRefused(world.bob.updateUserGroup({user_group_id: id, description: 'Of Bob'}));
		return (await groupOf(world, id))?.description;
	},
	async can_mention_group({bob, carla, watch}: World) {
		const events = await watch(carla, {event_types: ['message']});
		await unlessRefused(bob.sendMessage({type: 'direct', to: [CARLA], content: '@*crew*'}));
		return (await events()).map(event => event.flags);
	},
	async can_remove_members_group(world: World, id: number) {
		await unlessRefused(world.bob.updateUserGroupMembers({user_group_id: id, delete: [CARLA]}));
		return (await groupOf(world, id))?.members;
	},
};

/** What comes of each trial where members may, and where nobody may. */
const outcomes = {
	can_add_members_group: [[ADAM, CARLA], [CARLA]],
	can_join_group: [[BOB, CARLA], [CARLA]],
	can_leave_group: [[], [CARLA]],
	can_manage_group: ['Of Bob', ''],
	can_mention_group: [[['mentioned']], []],
	can_remove_members_group: [[], [CARLA]],
} as const;

const permissions = (Object.keys(trials) as (keyof typeof trials)[]).flatMap(name => [
	...effects('createUserGroup', {[name]: [MEMBERS, NOBODY, ...outcomes[name]]}, async (world, given) =>
		trials[name](world, await createCrew(world, given)),
	),
	...effects('updateUserGroup', {[name]: [{new: MEMBERS}, {new: NOBODY}, ...outcomes[name]]}, async (world, given) => {
		const id = await createCrew(world);
		await world.alice.updateUserGroup({user_group_id: id, ...given});
		return trials[name](world, id);
	}),
]);

export const userGroups = [
	...permissions,
	...effects(
		'getUserGroups',
		{include_deactivated_groups: [true, false, [KITCHEN, GARDEN, HELPERS, BOARD, PARTY], [KITCHEN, GARDEN, HELPERS]]},
		async ({alice, olivia}, given) => {
			await olivia.deactivateUserGroup({user_group_id: BOARD});
			const {user_groups} = await alice.getUserGroups(given);
			return user_groups.filter(group => !group.is_system_group).map(group => group.id);
		},
	),
	...effects(
		'createUserGroup',
		{subgroups: [[KITCHEN], undefined, [KITCHEN], []]},
		async (world, given) => (await groupOf(world, await createCrew(world, given)))?.direct_subgroup_ids,
	),
	...effects(
		'updateUserGroup',
		{
			name: ['cooks', undefined, ['cooks', 'Who cooks'], ['kitchen', 'Who cooks']],
			description: ['Who bakes', undefined, ['kitchen', 'Who bakes'], ['kitchen', 'Who cooks']],
		},
		async (world, given) => {
			await world.alice.updateUserGroup({user_group_id: KITCHEN, can_leave_group: {new: MEMBERS}, ...given});
			const group = await groupOf(world, KITCHEN);
			return [group?.name, group?.description];
		},
	),
	...effects('updateUserGroup', {deactivated: [false, undefined, false, true]}, async (world, given) => {
		await world.alice.updateUserGroup({user_group_id: PARTY, description: 'Again', ...given});
		return (await groupOf(world, PARTY))?.deactivated;
	}),
	...effects(
		'updateUserGroupMembers',
		{
			add: [[BOB], [OLIVIA, GUS], [ALICE, BOB, CARLA], [OLIVIA, ALICE, CARLA, GUS]],
			delete: [[ALICE], [ALICE, CARLA], [CARLA], []],
		},
		async (world, given) => {
			await world.olivia.updateUserGroupMembers({user_group_id: KITCHEN, ...given});
			return (await groupOf(world, KITCHEN))?.members;
		},
	),
	...effects('updateUserGroupMembers', {add_subgroups: [[GARDEN], [BOARD]]}, async (world, given) => {
		await world.alice.updateUserGroupMembers({user_group_id: KITCHEN, ...given});
		return (await groupOf(world, KITCHEN))?.direct_subgroup_ids;
	}),
	...effects(
		'updateUserGroupMembers',
		{delete_subgroups: [[KITCHEN], [GARDEN], [GARDEN], [KITCHEN]]},
		async (world, given) => {
			await world.mona.updateUserGroupMembers({user_group_id: HELPERS, ...given});
			return (await groupOf(world, HELPERS))?.direct_subgroup_ids;
		},
	),
	...effects('updateUserGroupSubgroups', {add: [[GARDEN], [BOARD]]}, async (world, given) => {
		await world.alice.updateUserGroupSubgroups({user_group_id: KITCHEN, ...given});
		return (await groupOf(world, KITCHEN))?.direct_subgroup_ids;
	}),
	...effects('updateUserGroupSubgroups', {delete: [[KITCHEN], [GARDEN], [GARDEN], [KITCHEN]]}, async (world, given) => {
		await world.mona.updateUserGroupSubgroups({user_group_id: HELPERS, ...given});
		return (await groupOf(world, HELPERS))?.direct_subgroup_ids;
	}),
	...effects(
		'getUserGroupMembers',
		{direct_member_only: [true, false, [MONA], [OLIVIA, MONA, ALICE, BOB, CARLA, GUS]]},
		async ({alice}, given) => {
			await alice.updateUserGroupMembers({user_group_id: KITCHEN, add: [OLIVIA]});
			return (await alice.getUserGroupMembers({user_group_id: HELPERS, ...given})).members;
		},
	),
	...effects('getIsUserGroupMember', {direct_member_only: [true, false, false, true]}, async ({alice}, given) => {
		await alice.updateUserGroupMembers({user_group_id: KITCHEN, add: [OLIVIA]});
		const question = {user_group_id: HELPERS, user_id: OLIVIA, ...given};
		return (await alice.getIsUserGroupMember(question)).is_user_group_member;
	}),
	...effects(
		'getUserGroupSubgroups',
		{direct_subgroup_only: [true, false, [KITCHEN, GARDEN], [KITCHEN, GARDEN, BOARD]]},
		async ({alice}, given) => {
			await alice.updateUserGroupSubgroups({user_group_id: KITCHEN, add: [BOARD]});
			const {subgroups} = await alice.getUserGroupSubgroups({user_group_id: HELPERS, ...given});
			return subgroups.toSorted((one, other) => one - other);
		},
	),
];
