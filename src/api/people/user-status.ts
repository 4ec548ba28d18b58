import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

const MAX_STATUS_TEXT_LENGTH = 60;

export const updateStatus = operation({
	name: 'updateStatus',
	method: 'POST',
	path: '/users/me/status',
	about: 'Set your status',
	callers: 'humans',
	repeatable: true,
	parameters: {
		status_text: optional(
			z
				.string()
				.trim()
				.refine(text => [...text].length <= MAX_STATUS_TEXT_LENGTH, 'is too long (limit: 60 characters)'),
			'Text; empty removes it',
		),
		away: optional(z.boolean(), 'Deprecated: true turns the setting `presence_enabled` off, false on'),
		emoji_name: optional(z.string(), 'Emoji; empty removes it', {since: 86}),
		emoji_code: optional(z.string(), 'Code of the emoji, if the name is ambiguous', {since: 86}),
		reaction_type: optional(z.string(), 'Kind of the emoji, if the name is ambiguous', {since: 86}),
	},
	result: z.looseObject({}),
});

/** A user's status. Fields that the user did not set are left out. */
const Status = z.looseObject({
	status_text: z.string().optional(),
	away: z.boolean().optional(),
	emoji_name: z.string().optional(),
	emoji_code: z.string().optional(),
	reaction_type: z.string().optional(),
});

export const getUserStatus = operation({
	name: 'getUserStatus',
	method: 'GET',
	path: '/users/{user_id}/status',
	about: 'Fetch the status of a user',
	callers: 'users',
	since: 262,
	parameters: {user_id: required(z.int(), 'ID of the user')},
	result: z.looseObject({status: Status}),
});

/** Statuses by user ID. */
export const Statuses = z.record(z.string(), Status);
