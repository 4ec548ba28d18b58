import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';
import {ProfileValues} from './profile-fields.js';

/** A user as in spec.md, "User object". Real servers leave out `bot_type` for humans. */
export const User = z.looseObject({
	user_id: z.int(),
	email: z.string(),
	delivery_email: z.string().nullable().optional(),
	full_name: z.string(),
	avatar_url: z.string().nullable().optional(),
	date_joined: z.string().optional(),
	timezone: z.string().optional(),
	/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
	role: z.int(),
	is_active: z.boolean(),
	is_admin: z.boolean().optional(),
	is_owner: z.boolean().optional(),
	is_guest: z.boolean().optional(),
	is_bot: z.boolean(),
	is_imported_stub: z.boolean().optional(),
	/** True if the profile was deleted. Absent otherwise. */
	is_deleted: z.boolean().optional(),
	bot_type: z.int().nullable().optional(),
	bot_owner_id: z.int().nullable().optional(),
	profile_data: z
		.record(z.string(), z.looseObject({value: z.unknown(), rendered_value: z.string().optional()}))
		.optional(),
});
export type User = z.infer<typeof User>;

const presentation = {
	client_gravatar: optional(z.boolean(), 'Whether `avatar_url` is null where the client can compute it', {
		default: true,
	}),
	include_custom_profile_fields: optional(z.boolean(), 'Adds `profile_data`', {default: false}),
};

export const getUsers = operation({
	name: 'getUsers',
	method: 'GET',
	path: '/users',
	about: 'List the users',
	callers: 'public',
	parameters: {
		...presentation,
		user_ids: optional(z.array(z.int()), 'Only these users', {since: 384, ignorable: true}),
	},
	result: z.looseObject({members: z.array(User)}),
});

export const getOwnUser = operation({
	name: 'getOwnUser',
	method: 'GET',
	path: '/users/me',
	about: 'Fetch your own account',
	callers: 'users',
	parameters: {},
	result: User.extend({max_message_id: z.int().optional()}),
});

export const getUser = operation({
	name: 'getUser',
	method: 'GET',
	path: '/users/{user_id}',
	about: 'Fetch a user',
	callers: 'users',
	since: 1,
	parameters: {user_id: required(z.int(), 'ID of the user'), ...presentation},
	result: z.looseObject({user: User}),
});

export const getUserByEmail = operation({
	name: 'getUserByEmail',
	method: 'GET',
	path: '/users/{email}',
	about: 'Fetch a user by email',
	callers: 'users',
	since: 39,
	parameters: {email: required(z.string(), 'Email of the user', {encoding: 'text'}), ...presentation},
	result: z.looseObject({user: User}),
});

export const createUser = operation({
	name: 'createUser',
	method: 'POST',
	path: '/users',
	about: 'Create a user',
	callers: 'administrators',
	parameters: {
		email: required(z.string(), 'Email'),
		password: required(z.string(), 'Password. The local realm ignores it'),
		full_name: required(z.string(), 'Name'),
	},
	/** Level 30 added the ID. */
	result: z.looseObject({user_id: z.int().optional()}),
});

const changes = {
	full_name: optional(z.string(), 'The new name', {encoding: 'text'}),
	role: optional(
		z.literal([100, 200, 300, 400, 600]),
		'100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
	),
	profile_data: optional(ProfileValues, 'Values of custom profile fields, each `{id, value}`; null removes one'),
	new_email: optional(z.string(), 'The new address; for owners who may change addresses', {since: 285}),
};

export const updateUser = operation({
	name: 'updateUser',
	method: 'PATCH',
	path: '/users/{user_id}',
	about: 'Change a user. Administrators may change everybody, others their own bots',
	callers: 'users',
	parameters: {
		user_id: required(z.int(), 'ID of the user'),
		...changes,
	},
	result: z.looseObject({}),
});

export const updateUserByEmail = operation({
	name: 'updateUserByEmail',
	method: 'PATCH',
	path: '/users/{email}',
	about: 'Change a user, by email. Administrators may change everybody, others their own bots',
	callers: 'users',
	since: 313,
	parameters: {
		email: required(z.string(), 'Email of the user', {encoding: 'text'}),
		...changes,
	},
	result: z.looseObject({}),
});

export const deactivateUser = operation({
	name: 'deactivateUser',
	method: 'DELETE',
	path: '/users/{user_id}',
	about: 'Deactivate a user and their bots. Only owners may deactivate owners',
	callers: 'users',
	parameters: {
		user_id: required(z.int(), 'ID of the user'),
		deactivation_notification_comment: optional(
			z.string().max(2000),
			'Text of an email to the user. By default none is sent',
			{since: 135},
		),
		actions: optional(
			z.object({
				delete_profile: z.boolean().optional(),
				delete_public_channel_messages: z.boolean().optional(),
				delete_private_channel_messages: z.boolean().optional(),
				delete_direct_messages: z.boolean().optional(),
			}),
			'What to delete of the user and their bots: `delete_profile`, `delete_public_channel_messages`, ' +
				'`delete_private_channel_messages`, `delete_direct_messages`',
			{since: 459},
		),
	},
	result: z.looseObject({}),
});

export const deactivateOwnUser = operation({
	name: 'deactivateOwnUser',
	method: 'DELETE',
	path: '/users/me',
	about: 'Deactivate your own account and the bots that you own',
	callers: 'users',
	parameters: {},
	result: z.looseObject({}),
});

export const reactivateUser = operation({
	name: 'reactivateUser',
	method: 'POST',
	path: '/users/{user_id}/reactivate',
	about: 'Reactivate a user. Administrators may reactivate everybody, others their own bots',
	callers: 'users',
	parameters: {user_id: required(z.int(), 'ID of the user')},
	result: z.looseObject({}),
});

const mutedUserId = required(z.int(), 'ID of the user');

export const muteUser = operation({
	name: 'muteUser',
	method: 'POST',
	path: '/users/me/muted_users/{muted_user_id}',
	about: 'Mute a user',
	callers: 'users',
	since: 48,
	parameters: {muted_user_id: mutedUserId},
	result: z.looseObject({}),
});

export const unmuteUser = operation({
	name: 'unmuteUser',
	method: 'DELETE',
	path: '/users/me/muted_users/{muted_user_id}',
	about: 'Unmute a user',
	callers: 'users',
	since: 48,
	parameters: {muted_user_id: mutedUserId},
	result: z.looseObject({}),
});
