import {Channel, Description, newChannelParameters} from './channels.js';
import {operation, optional, required} from './operation.js';
import {z} from './zod.js';

/** A user's choice. Null if the user's own settings for all channels decide. */
const wanted = z.boolean().nullable().optional();

/** A channel with one subscriber's settings for it (service-facts.md 3.3, "subscription / add"). */
export const Subscription = Channel.extend({
	color: z.string().optional(),
	is_muted: z.boolean().optional(),
	pin_to_top: z.boolean().optional(),
	desktop_notifications: wanted,
	audible_notifications: wanted,
	push_notifications: wanted,
	email_notifications: wanted,
	wildcard_mentions_notify: wanted,
	/** Only if requested. */
	subscribers: z.array(z.int()).optional(),
});
export type Subscription = z.infer<typeof Subscription>;

/** Names of channels by user ID; by email on servers before level 289. */
const NamesByUser = z.record(z.string(), z.array(z.string()));

/** Users by ID, or users by email. */
const principals = optional(
	z.union([z.array(z.string()), z.array(z.int())]),
	'IDs or emails of the users. Default: yourself',
);

export const getSubscriptions = operation({
	name: 'getSubscriptions',
	method: 'GET',
	path: '/users/me/subscriptions',
	about: 'List your subscriptions',
	callers: 'users',
	parameters: {
		include_subscribers: optional(z.boolean(), 'IDs of the subscribers of each', {default: false}),
	},
	result: z.looseObject({subscriptions: z.array(Subscription)}),
});

export const subscribe = operation({
	name: 'subscribe',
	method: 'POST',
	path: '/users/me/subscriptions',
	about: 'Subscribe yourself or others to channels, and create those that do not exist',
	callers: 'members',
	parameters: {
		subscriptions: required(
			z.array(
				z.looseObject({
					name: z.string(),
					color: z.string().nullish(),
					description: Description.nullish(),
				}),
			),
			'Names of the channels. Optional: a color such as `#a47462`, and a description for a new channel',
		),
		...newChannelParameters,
		principals,
		authorization_errors_fatal: optional(
			z.boolean(),
			'Whether the call fails if you may not subscribe to one of the channels',
			{default: true},
		),
	},
	result: z.looseObject({
		subscribed: NamesByUser,
		already_subscribed: NamesByUser,
		unauthorized: z.array(z.string()).optional(),
	}),
});

export const unsubscribe = operation({
	name: 'unsubscribe',
	method: 'DELETE',
	path: '/users/me/subscriptions',
	about: 'Unsubscribe yourself or others from channels',
	callers: 'users',
	parameters: {
		subscriptions: required(z.array(z.string()), 'Channels by name'),
		principals,
	},
	result: z.looseObject({removed: z.array(z.string()), not_removed: z.array(z.string())}),
});

export const updateSubscriptionSettings = operation({
	name: 'updateSubscriptionSettings',
	method: 'POST',
	path: '/users/me/subscriptions/properties',
	about: 'Change settings of your subscriptions',
	callers: 'users',
	repeatable: true,
	parameters: {
		subscription_data: required(
			z.array(z.looseObject({stream_id: z.int(), property: z.string(), value: z.union([z.boolean(), z.string()])})),
			'What to set: `is_muted`, `pin_to_top`, `color`, `desktop_notifications`, …',
		),
	},
	result: z.looseObject({}),
});

export const getSubscriptionStatus = operation({
	name: 'getSubscriptionStatus',
	method: 'GET',
	path: '/users/{user_id}/subscriptions/{stream_id}',
	about: 'Check whether a user is subscribed to a channel',
	callers: 'users',
	since: 12,
	parameters: {
		user_id: required(z.int(), 'ID of the user'),
		stream_id: required(z.int(), 'ID of the channel'),
	},
	result: z.looseObject({is_subscribed: z.boolean()}),
});
