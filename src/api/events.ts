import {operation, optional, required} from './operation.js';
import {Presences} from './people/presence.js';
import {UserGroup} from './people/user-groups.js';
import {Statuses} from './people/user-status.js';
import {z} from './zod.js';

/** Any event. Unknown types and their fields pass (service-facts.md 3.3). */
export const Event = z.looseObject({id: z.int(), type: z.string()});
export type Event = z.infer<typeof Event>;

export const register = operation({
	name: 'register',
	method: 'POST',
	path: '/register',
	about: 'Open an event queue, and fetch the current state',
	callers: 'users',
	parameters: {
		event_types: optional(z.array(z.string()), 'Types of events to receive. Default: all'),
		fetch_event_types: optional(z.array(z.string()), 'Types of state to return. Default: as `event_types`'),
		apply_markdown: optional(z.boolean(), 'Message events as HTML', {default: false}),
		client_gravatar: optional(z.boolean(), 'Whether `avatar_url` is null where the client can compute it', {
			default: true,
		}),
		all_public_streams: optional(z.boolean(), 'Whether to include messages of public channels without a subscription'),
		narrow: optional(z.array(z.tuple([z.string(), z.string()])), 'Filter on message events', {default: []}),
		include_subscribers: optional(z.union([z.boolean(), z.literal('partial')]), 'Subscribers in the state', {
			encoding: 'either',
			valuesSince: {partial: 412},
			default: false,
		}),
		slim_presence: optional(z.boolean(), 'Presence keyed by user ID', {default: false}),
		presence_history_limit_days: optional(z.int(), 'Days of presence in the state', {
			since: 288,
			ignorable: true,
			default: 14,
		}),
		client_capabilities: optional(
			z.looseObject({
				notification_settings_null: z.boolean(),
				bulk_message_deletion: z.boolean().optional(),
				include_deactivated_groups: z.boolean().optional(),
				archived_channels: z.boolean().optional(),
				empty_topic_name: z.boolean().optional(),
				stream_typing_notifications: z.boolean().optional(),
				simplified_presence_events: z.boolean().optional(),
				linkifier_url_template: z.boolean().optional(),
				user_settings_object: z.boolean().optional(),
			}),
			'What the client understands',
		),
		queue_lifespan_secs: optional(z.int(), 'Seconds without a poll after which the queue expires; 0 means 600', {
			default: 0,
		}),
	},
	result: z.looseObject({
		queue_id: z.string(),
		last_event_id: z.int(),
		zulip_version: z.string().optional(),
		zulip_feature_level: z.int().optional(),
		max_message_id: z.int().optional(),
		max_message_length: z.int().optional(),
		max_topic_length: z.int().optional(),
		realm_empty_topic_display_name: z.string().optional(),
		event_queue_longpoll_timeout_seconds: z.int().optional(),
		server_presence_ping_interval_seconds: z.int().optional(),
		server_presence_offline_threshold_seconds: z.int().optional(),
		presences: Presences.optional(),
		presence_last_update_id: z.int().optional(),
		server_timestamp: z.number().optional(),
		realm_bots: z.array(z.looseObject({user_id: z.int()})).optional(),
		user_status: Statuses.optional(),
		user_settings: z.record(z.string(), z.unknown()).optional(),
		realm_user_settings_defaults: z.record(z.string(), z.unknown()).optional(),
		user_topics: z
			.array(
				z.looseObject({
					stream_id: z.int(),
					topic_name: z.string(),
					visibility_policy: z.int(),
					last_updated: z.int().optional(),
				}),
			)
			.optional(),
		muted_topics: z.array(z.tuple([z.string(), z.string()], z.int())).optional(),
		realm_user_groups: z.array(UserGroup).optional(),
		subscriptions: z.array(z.looseObject({stream_id: z.int(), name: z.string()})).optional(),
	}),
});

export const getEvents = operation({
	name: 'getEvents',
	method: 'GET',
	path: '/events',
	about: 'Wait for the next events of a queue',
	callers: 'users',
	// After a failure, a poller asks for an immediate answer.
	repeatable: false,
	parameters: {
		queue_id: required(z.string(), 'ID of the queue, from `register`'),
		last_event_id: required(z.int(), 'ID of the last event that you have received; -1 for the first call'),
		dont_block: optional(z.boolean(), 'Whether to answer at once, even without events', {default: false}),
	},
	result: z.looseObject({events: z.array(Event)}),
});

export const deleteQueue = operation({
	name: 'deleteQueue',
	method: 'DELETE',
	path: '/events',
	about: 'Delete an event queue',
	callers: 'users',
	repeatable: true,
	parameters: {queue_id: required(z.string(), 'ID of the queue, from `register`')},
	result: z.looseObject({}),
});
