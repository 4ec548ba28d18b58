import {z} from 'zod';
import {operation, optional, required} from './operation.js';

/** ID of a user group, or people and groups by ID (spec.md, "Group-setting value"). */
export const GroupSetting = z.union([
	z.int(),
	z.looseObject({direct_members: z.array(z.int()), direct_subgroups: z.array(z.int())}),
]);

export type GroupSetting = z.infer<typeof GroupSetting>;

/** A channel as spec.md, "Channel object", has it. */
export const Channel = z.looseObject({
	stream_id: z.int(),
	name: z.string(),
	is_archived: z.boolean().optional(),
	description: z.string(),
	rendered_description: z.string(),
	date_created: z.int(),
	creator_id: z.int().nullable().optional(),
	invite_only: z.boolean(),
	is_web_public: z.boolean(),
	stream_post_policy: z.int().optional(),
	is_announcement_only: z.boolean().optional(),
	message_retention_days: z.int().nullable(),
	history_public_to_subscribers: z.boolean(),
	topics_policy: z.string().optional(),
	first_message_id: z.int().nullable(),
	folder_id: z.int().nullable().optional(),
	is_recently_active: z.boolean().optional(),
	can_add_subscribers_group: GroupSetting.optional(),
	can_remove_subscribers_group: GroupSetting.optional(),
	can_administer_channel_group: GroupSetting.optional(),
	can_delete_any_message_group: GroupSetting.optional(),
	can_delete_own_message_group: GroupSetting.optional(),
	can_move_messages_out_of_channel_group: GroupSetting.optional(),
	can_move_messages_within_channel_group: GroupSetting.optional(),
	can_create_topic_group: GroupSetting.optional(),
	can_resolve_topics_group: GroupSetting.optional(),
	can_send_message_group: GroupSetting.optional(),
	can_subscribe_group: GroupSetting.optional(),
	subscriber_count: z.int().optional(),
	stream_weekly_traffic: z.int().nullable().optional(),
	is_default: z.boolean().optional(),
});
export type Channel = z.infer<typeof Channel>;

export const getStreams = operation({
	name: 'getStreams',
	method: 'GET',
	path: '/streams',
	about: 'List the channels',
	callers: 'users',
	parameters: {
		include_public: optional(z.boolean(), 'Public channels', {default: true}),
		include_web_public: optional(z.boolean(), 'Web-public channels', {default: false}),
		include_subscribed: optional(z.boolean(), 'Channels one is subscribed to', {default: true}),
		exclude_archived: optional(z.boolean(), 'Leaves archived channels out', {since: 315, default: true}),
		include_all: optional(z.boolean(), 'All channels whose metadata one may see', {since: 356, default: false}),
		include_default: optional(z.boolean(), 'Default channels of the organization', {default: false}),
		include_owner_subscribed: optional(z.boolean(), "For bots: the owner's channels", {default: false}),
		include_can_access_content: optional(z.boolean(), 'Channels whose messages one may read', {
			since: 356,
			default: false,
		}),
		include_all_active: optional(z.boolean(), 'Deprecated: use `include_all`', {default: false}),
	},
	result: z.looseObject({streams: z.array(Channel)}),
});

export const getStreamTopics = operation({
	name: 'getStreamTopics',
	method: 'GET',
	path: '/users/me/{stream_id}/topics',
	about: 'List the topics in a channel, latest first',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		allow_empty_topic_name: optional(z.boolean(), 'Whether an empty topic stays empty', {
			since: 334,
			ignorable: true,
			default: false,
		}),
	},
	result: z.looseObject({topics: z.array(z.looseObject({name: z.string(), max_id: z.int()}))}),
});

export const updateSubscriptionSettings = operation({
	name: 'updateSubscriptionSettings',
	method: 'POST',
	path: '/users/me/subscriptions/properties',
	about: 'Mute channels that one is subscribed to, or no longer',
	callers: 'users',
	repeatable: true,
	parameters: {
		subscription_data: required(
			z.array(z.looseObject({stream_id: z.int(), property: z.string(), value: z.boolean()})),
			'What to set; the property is `is_muted`',
		),
	},
	result: z.looseObject({}),
});

export const getStreamId = operation({
	name: 'getStreamId',
	method: 'GET',
	path: '/get_stream_id',
	about: 'Find the ID of a channel by its name',
	callers: 'users',
	parameters: {
		stream: required(z.string(), 'Name of the channel'),
	},
	result: z.looseObject({stream_id: z.int()}),
});

export const getSubscribers = operation({
	name: 'getSubscribers',
	method: 'GET',
	path: '/streams/{stream_id}/members',
	about: 'List the IDs of the subscribers of a channel',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
	},
	result: z.looseObject({subscribers: z.array(z.int())}),
});

export const getSubscriptions = operation({
	name: 'getSubscriptions',
	method: 'GET',
	path: '/users/me/subscriptions',
	about: 'List the channels one is subscribed to',
	callers: 'users',
	parameters: {
		include_subscribers: optional(z.boolean(), 'IDs of the subscribers of each', {default: false}),
	},
	result: z.looseObject({subscriptions: z.array(Channel)}),
});
