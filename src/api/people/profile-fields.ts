// Fields that an organization adds to the profiles of its people (service-facts.md 6.2).

import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

export const ProfileField = z.looseObject({
	id: z.int(),
	name: z.string(),
	/** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns. */
	type: z.int(),
	hint: z.string().optional(),
	/** JSON text whose content depends on the type. Left out if the type needs none. */
	field_data: z.string().optional(),
	order: z.int().optional(),
	display_in_profile_summary: z.boolean().optional(),
	required: z.boolean().optional(),
	editable_by_user: z.boolean().optional(),
});
export type ProfileField = z.infer<typeof ProfileField>;

/** Values by field. Null removes a value; a list of IDs is for fields of the type users. */
export const ProfileValues = z.array(z.object({id: z.int(), value: z.union([z.string(), z.array(z.int()), z.null()])}));
export type ProfileValues = z.infer<typeof ProfileValues>;

export const getProfileFields = operation({
	name: 'getProfileFields',
	method: 'GET',
	path: '/realm/profile_fields',
	about: 'List the custom profile fields',
	callers: 'users',
	parameters: {},
	result: z.looseObject({custom_fields: z.array(ProfileField)}),
});

/** Options by key, each with `text` and `order`; an external account has `subtype`, and optionally `url_pattern`. */
const FieldData = z.record(z.string(), z.union([z.record(z.string(), z.string()), z.string()]));

/** The properties of a field besides its name and type. */
const details = {
	hint: optional(z.string().max(80), 'Help text for the field'),
	field_data: optional(FieldData, 'Options, or kind of external account'),
	display_in_profile_summary: optional(z.boolean(), 'Whether the summary of a profile shows it', {since: 146}),
	required: optional(z.boolean(), 'Whether people must fill it in', {since: 244}),
	editable_by_user: optional(z.boolean(), 'Whether people who are not administrators may fill it in', {since: 296}),
};

export const createProfileField = operation({
	name: 'createProfileField',
	method: 'POST',
	path: '/realm/profile_fields',
	about: 'Create a custom profile field',
	callers: 'administrators',
	parameters: {
		name: optional(z.string().max(40), 'Name; external accounts of a known kind have their own', {default: ''}),
		field_type: required(
			z.literal([1, 2, 3, 4, 5, 6, 7, 8], {
				error: ({input}) => (Number.isInteger(input) ? 'Invalid field type.' : undefined),
			}),
			'1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns',
		),
		...details,
	},
	result: z.looseObject({id: z.int()}),
});

export const updateProfileField = operation({
	name: 'updateProfileField',
	method: 'PATCH',
	path: '/realm/profile_fields/{field_id}',
	about: 'Change a custom profile field',
	callers: 'administrators',
	parameters: {
		field_id: required(z.int(), 'ID of the field'),
		name: optional(z.string().max(40), 'New name'),
		...details,
	},
	result: z.looseObject({}),
});

export const reorderProfileFields = operation({
	name: 'reorderProfileFields',
	method: 'PATCH',
	path: '/realm/profile_fields',
	about: 'Set the order of the custom profile fields',
	callers: 'administrators',
	parameters: {order: required(z.array(z.int()), 'IDs of all fields, the first one first')},
	result: z.looseObject({}),
});

export const deleteProfileField = operation({
	name: 'deleteProfileField',
	method: 'DELETE',
	path: '/realm/profile_fields/{field_id}',
	about: 'Delete a custom profile field and all its values',
	callers: 'administrators',
	parameters: {field_id: required(z.int(), 'ID of the field')},
	result: z.looseObject({}),
});

export const updateProfileData = operation({
	name: 'updateProfileData',
	method: 'PATCH',
	path: '/users/me/profile_data',
	about: 'Set custom profile fields of your own account',
	callers: 'humans',
	parameters: {data: required(ProfileValues, 'Values of custom profile fields, each `{id, value}`; null removes one')},
	result: z.looseObject({}),
});

export const removeProfileData = operation({
	name: 'removeProfileData',
	method: 'DELETE',
	path: '/users/me/profile_data',
	about: 'Remove custom profile fields of your own account',
	callers: 'humans',
	parameters: {data: required(z.array(z.int()), 'IDs of the fields')},
	result: z.looseObject({}),
});
