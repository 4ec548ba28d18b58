import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** Modern format. Older servers may leave out one of the two. */
const ModernPresence = z.looseObject({
	active_timestamp: z.int().optional(),
	idle_timestamp: z.int().optional(),
});

/** Legacy format of one client, or of all clients combined. */
const LegacyClient = z.looseObject({
	client: z.string().optional(),
	/** `active` or `idle`. Only the presence of one user has `offline`. */
	status: z.string(),
	timestamp: z.int(),
	pushable: z.boolean().optional(),
});

/** Who was present when: by user ID in the modern format, by email and client in the legacy one. */
export const Presences = z.record(z.string(), z.union([ModernPresence, z.record(z.string(), LegacyClient)]));

export const updatePresence = operation({
	name: 'updatePresence',
	method: 'POST',
	path: '/users/me/presence',
	about: 'Report that you are present, and fetch the presence of others',
	callers: 'humans',
	repeatable: true,
	orderBefore: {
		level: 442,
		first: ['status', 'ping_only', 'new_user_input', 'slim_presence', 'last_update_id', 'history_limit_days'],
	},
	parameters: {
		history_limit_days: optional(z.int(), 'Days of presence in the answer; ignored if `last_update_id` is above 0', {
			since: 288,
			ignorable: true,
			default: 14,
		}),
		last_update_id: optional(z.int(), '-1 for the first call, then the latest `presence_last_update_id`', {since: 263}),
		new_user_input: optional(z.boolean(), 'Whether the user is actively using the client', {default: false}),
		ping_only: optional(z.boolean(), 'Whether to report only, without the presence of others', {default: false}),
		slim_presence: optional(z.boolean(), 'Deprecated: the modern format without `last_update_id`', {default: false}),
		status: required(z.enum(['active', 'idle']), 'Whether you are using the device'),
	},
	result: z.looseObject({
		/** Real servers leave it out with `ping_only`. */
		presence_last_update_id: z.int().optional(),
		server_timestamp: z.number().optional(),
		presences: Presences.optional(),
	}),
});

export const getUserPresence = operation({
	name: 'getUserPresence',
	method: 'GET',
	path: '/users/{user_id_or_email}/presence',
	about: 'Fetch the presence of a user',
	callers: 'users',
	parameters: {
		user_id_or_email: required(z.union([z.int(), z.string()]), 'ID or email of the user', {encoding: 'either'}),
	},
	result: z.looseObject({
		presence: z.looseObject({
			aggregated: LegacyClient.optional(),
			website: LegacyClient.optional(),
			active_timestamp: z.int().optional(),
			idle_timestamp: z.int().optional(),
		}),
		server_timestamp: z.number().optional(),
	}),
});

export const getRealmPresence = operation({
	name: 'getRealmPresence',
	method: 'GET',
	path: '/realm/presence',
	about: 'Fetch the presence of everybody, in the legacy format',
	callers: 'users',
	parameters: {},
	result: z.looseObject({presences: Presences, server_timestamp: z.number().optional()}),
});
