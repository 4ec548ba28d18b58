import {GroupSetting, GroupSettingChange} from '../group-setting.js';
import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** A user group as in spec.md, "User group object". Servers older than a permission leave it out. */
export const UserGroup = z.looseObject({
	id: z.int(),
	name: z.string(),
	description: z.string().optional(),
	date_created: z.int().nullable().optional(),
	creator_id: z.int().nullable().optional(),
	/** Direct members, without deactivated users. */
	members: z.array(z.int()),
	direct_subgroup_ids: z.array(z.int()),
	is_system_group: z.boolean().optional(),
	deactivated: z.boolean().optional(),
	can_add_members_group: GroupSetting.optional(),
	can_join_group: GroupSetting.optional(),
	can_leave_group: GroupSetting.optional(),
	can_manage_group: GroupSetting.optional(),
	can_mention_group: GroupSetting.optional(),
	can_remove_members_group: GroupSetting.optional(),
});
export type UserGroup = z.infer<typeof UserGroup>;

/** From this level on, bots have the same rights on groups as members. */
const botsSince = 496;

const userGroupId = required(z.int(), 'ID of the group');

export const getUserGroups = operation({
	name: 'getUserGroups',
	method: 'GET',
	path: '/user_groups',
	about: 'List the user groups',
	callers: 'members',
	botsSince,
	parameters: {
		include_deactivated_groups: optional(z.boolean(), 'Whether to include deactivated groups', {
			since: 290,
			formerly: {name: 'allow_deactivated', until: 294},
			default: false,
		}),
	},
	result: z.looseObject({user_groups: z.array(UserGroup)}),
});

export const createUserGroup = operation({
	name: 'createUserGroup',
	method: 'POST',
	path: '/user_groups/create',
	about: 'Create a user group',
	callers: 'members',
	botsSince,
	parameters: {
		name: required(z.string(), 'Name of the group'),
		members: required(z.array(z.int()), 'IDs of its first members'),
		description: required(z.string(), 'What it is for'),
		subgroups: optional(z.array(z.int()), 'IDs of the groups within it', {since: 311, default: []}),
		can_add_members_group: optional(GroupSetting, 'Who may add members', {since: 305}),
		can_join_group: optional(GroupSetting, 'Who may join', {since: 301}),
		can_leave_group: optional(GroupSetting, 'Who may leave', {since: 308}),
		can_manage_group: optional(GroupSetting, 'Who may manage it', {since: 283}),
		can_mention_group: optional(GroupSetting, 'Who may mention it', {since: 191}),
		can_remove_members_group: optional(GroupSetting, 'Who may remove members', {since: 324}),
	},
	result: z.looseObject({group_id: z.int().optional()}),
});

export const updateUserGroup = operation({
	name: 'updateUserGroup',
	method: 'PATCH',
	path: '/user_groups/{user_group_id}',
	about: 'Change a user group: name, description, permissions; or reactivate it',
	callers: 'members',
	botsSince,
	parameters: {
		user_group_id: userGroupId,
		name: optional(z.string(), 'New name'),
		description: optional(z.string(), 'New description'),
		can_add_members_group: optional(GroupSettingChange, 'Who may add members', {since: 305}),
		can_join_group: optional(GroupSettingChange, 'Who may join', {since: 301}),
		can_leave_group: optional(GroupSettingChange, 'Who may leave', {since: 308}),
		can_manage_group: optional(GroupSettingChange, 'Who may manage it', {since: 283}),
		can_mention_group: optional(GroupSettingChange, 'Who may mention it', {since: 191}),
		can_remove_members_group: optional(GroupSettingChange, 'Who may remove members', {since: 324}),
		deactivated: optional(z.literal(false), '`false` reactivates it', {since: 386}),
	},
	result: z.looseObject({}),
});

export const deactivateUserGroup = operation({
	name: 'deactivateUserGroup',
	method: 'POST',
	path: '/user_groups/{user_group_id}/deactivate',
	about: 'Deactivate a user group. Fails if the group is in use',
	callers: 'users',
	since: 290,
	parameters: {user_group_id: userGroupId},
	result: z.looseObject({}),
});

export const updateUserGroupMembers = operation({
	name: 'updateUserGroupMembers',
	method: 'POST',
	path: '/user_groups/{user_group_id}/members',
	about: 'Add and remove members of a user group, all of them or none',
	callers: 'members',
	botsSince,
	parameters: {
		user_group_id: userGroupId,
		add: optional(z.array(z.int()), 'IDs of users to add', {default: []}),
		delete: optional(z.array(z.int()), 'IDs of users to remove', {default: []}),
		add_subgroups: optional(z.array(z.int()), 'IDs of groups to add', {since: 311, default: []}),
		delete_subgroups: optional(z.array(z.int()), 'IDs of groups to remove', {since: 311, default: []}),
	},
	result: z.looseObject({}),
});

export const getUserGroupMembers = operation({
	name: 'getUserGroupMembers',
	method: 'GET',
	path: '/user_groups/{user_group_id}/members',
	about: 'List the IDs of the members of a user group',
	callers: 'members',
	botsSince,
	since: 127,
	parameters: {
		user_group_id: userGroupId,
		direct_member_only: optional(z.boolean(), 'Whether to leave out members of subgroups', {default: false}),
	},
	result: z.looseObject({members: z.array(z.int())}),
});

export const getIsUserGroupMember = operation({
	name: 'getIsUserGroupMember',
	method: 'GET',
	path: '/user_groups/{user_group_id}/members/{user_id}',
	about: 'Check whether a user is in a user group',
	callers: 'members',
	botsSince,
	since: 127,
	parameters: {
		user_group_id: userGroupId,
		user_id: required(z.int(), 'ID of the user'),
		direct_member_only: optional(z.boolean(), 'Whether to ignore membership through subgroups', {default: false}),
	},
	result: z.looseObject({is_user_group_member: z.boolean()}),
});

export const updateUserGroupSubgroups = operation({
	name: 'updateUserGroupSubgroups',
	method: 'POST',
	path: '/user_groups/{user_group_id}/subgroups',
	about: 'Add and remove subgroups of a user group, all of them or none',
	callers: 'members',
	botsSince,
	since: 127,
	parameters: {
		user_group_id: userGroupId,
		add: optional(z.array(z.int()), 'IDs of groups to add', {default: []}),
		delete: optional(z.array(z.int()), 'IDs of groups to remove', {default: []}),
	},
	result: z.looseObject({}),
});

export const getUserGroupSubgroups = operation({
	name: 'getUserGroupSubgroups',
	method: 'GET',
	path: '/user_groups/{user_group_id}/subgroups',
	about: 'List the IDs of the subgroups of a user group',
	callers: 'members',
	botsSince,
	since: 127,
	parameters: {
		user_group_id: userGroupId,
		direct_subgroup_only: optional(z.boolean(), 'Whether to leave out subgroups of subgroups', {default: false}),
	},
	result: z.looseObject({subgroups: z.array(z.int())}),
});
