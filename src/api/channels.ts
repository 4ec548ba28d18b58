import {GroupSetting, GroupSettingChange} from './group-setting.js';
import {operation, optional, required} from './operation.js';
import {z} from './zod.js';

/** A channel as in spec.md, "Channel object". */
export const Channel = z.looseObject({
	stream_id: z.int(),
	name: z.string(),
	is_archived: z.boolean().optional(),
	description: z.string().optional(),
	rendered_description: z.string().optional(),
	date_created: z.int().optional(),
	creator_id: z.int().nullable().optional(),
	invite_only: z.boolean(),
	is_web_public: z.boolean().optional(),
	stream_post_policy: z.int().optional(),
	is_announcement_only: z.boolean().optional(),
	message_retention_days: z.int().nullable().optional(),
	history_public_to_subscribers: z.boolean(),
	topics_policy: z.string().optional(),
	first_message_id: z.int().nullable().optional(),
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
		include_public: optional(z.boolean(), 'Whether to include public channels', {default: true}),
		include_web_public: optional(z.boolean(), 'Whether to include web-public channels', {default: false}),
		include_subscribed: optional(z.boolean(), 'Whether to include channels you are subscribed to', {default: true}),
		exclude_archived: optional(z.boolean(), 'Whether to leave out archived channels', {since: 315, default: true}),
		include_all: optional(z.boolean(), 'Whether to include all channels whose metadata you may see', {
			since: 356,
			default: false,
		}),
		include_default: optional(z.boolean(), 'Whether to include default channels of the organization', {default: false}),
		include_owner_subscribed: optional(z.boolean(), "Whether to include the channels of the bot's owner", {
			default: false,
		}),
		include_can_access_content: optional(z.boolean(), 'Whether to include channels whose messages you may read', {
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
			since: 340,
			ignorable: true,
			default: false,
		}),
	},
	result: z.looseObject({topics: z.array(z.looseObject({name: z.string(), max_id: z.int()}))}),
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

export const getStreamById = operation({
	name: 'getStreamById',
	method: 'GET',
	path: '/streams/{stream_id}',
	about: 'Fetch one channel',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
	},
	result: z.looseObject({stream: Channel}),
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

export const getStreamEmailAddress = operation({
	name: 'getStreamEmailAddress',
	method: 'GET',
	path: '/streams/{stream_id}/email_address',
	about: 'Get the address to which mail for a channel goes',
	callers: 'users',
	since: 226,
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		sender_id: optional(z.int(), 'You, or a bot of yours: posts the mail', {since: 335}),
	},
	result: z.looseObject({email: z.string()}),
});

const MAX_DESCRIPTION_LENGTH = 1024;

export const Description = z
	.string()
	.refine(
		text => [...text].length <= MAX_DESCRIPTION_LENGTH,
		`is too long (limit: ${MAX_DESCRIPTION_LENGTH} characters)`,
	);

/** The permissions of a channel. `schema` is the value, or its change. */
const permissions = <S extends z.ZodType>(schema: S) => ({
	can_add_subscribers_group: optional(schema, 'Who may add subscribers', {since: 342}),
	can_remove_subscribers_group: optional(schema, 'Who may remove subscribers', {since: 320}),
	can_administer_channel_group: optional(schema, 'Who may administer the channel', {since: 325}),
	can_delete_any_message_group: optional(schema, 'Who may delete any message in it', {since: 407}),
	can_delete_own_message_group: optional(schema, 'Who may delete their own messages', {since: 407}),
	can_move_messages_out_of_channel_group: optional(schema, 'Who may move messages out of it', {since: 396}),
	can_move_messages_within_channel_group: optional(schema, 'Who may move messages within it', {since: 396}),
	can_create_topic_group: optional(schema, 'Who may open topics', {since: 441}),
	can_resolve_topics_group: optional(schema, 'Who may resolve topics', {since: 402}),
	can_send_message_group: optional(schema, 'Who may write in it', {since: 333}),
	can_subscribe_group: optional(schema, 'Who may subscribe even if the channel is private', {since: 357}),
});

const TopicsPolicy = z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']);

/** A number of days, `realm_default`, or `unlimited`. */
const retention = optional(
	z.union([z.string(), z.int()]),
	'Days after which messages are deleted, or `unlimited`, or `realm_default`',
);

/** The settings of a new channel, for every operation that creates one. */
export const newChannelParameters = {
	invite_only: optional(z.boolean(), 'Whether the channel is private', {default: false}),
	is_web_public: optional(z.boolean(), 'Readable without login', {default: false}),
	is_default_stream: optional(z.boolean(), 'Whether new people join it', {since: 200, default: false}),
	history_public_to_subscribers: optional(
		z.boolean(),
		'Whether new subscribers can read older messages. Default: true for a public channel, false for a private one',
	),
	message_retention_days: retention,
	topics_policy: optional(TopicsPolicy, 'Whether topics may be empty, or must be', {since: 392, default: 'inherit'}),
	...permissions(GroupSetting),
	announce: optional(z.boolean(), 'Whether to announce it in the organization', {default: false}),
} as const;

export const createChannel = operation({
	name: 'createChannel',
	method: 'POST',
	path: '/channels/create',
	about: 'Create a channel and subscribe people to it',
	callers: 'members',
	since: 417,
	parameters: {
		name: required(z.string(), 'Name of the channel'),
		subscribers: required(z.array(z.int()), 'IDs of its first subscribers'),
		description: optional(Description, 'What it is for', {default: ''}),
		...newChannelParameters,
	},
	result: z.looseObject({id: z.int()}),
});

export const updateStream = operation({
	name: 'updateStream',
	method: 'PATCH',
	path: '/streams/{stream_id}',
	about: 'Change a channel: texts, privacy, permissions; or unarchive it',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		description: optional(Description, 'What it is for'),
		is_private: optional(z.boolean(), 'Whether the channel is private'),
		is_default_stream: optional(z.boolean(), 'Whether new people join it', {since: 200}),
		history_public_to_subscribers: optional(z.boolean(), 'Whether new subscribers can read older messages'),
		is_web_public: optional(z.boolean(), 'Readable without login'),
		new_name: optional(z.string(), 'New name'),
		message_retention_days: retention,
		is_archived: optional(z.boolean(), '`false` reactivates it', {since: 388}),
		topics_policy: optional(TopicsPolicy, 'Whether topics may be empty, or must be', {since: 392}),
		...permissions(GroupSettingChange),
	},
	result: z.looseObject({}),
});

export const archiveStream = operation({
	name: 'archiveStream',
	method: 'DELETE',
	path: '/streams/{stream_id}',
	about: 'Archive a channel',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
	},
	result: z.looseObject({}),
});

export const deleteTopic = operation({
	name: 'deleteTopic',
	method: 'POST',
	path: '/streams/{stream_id}/delete_topic',
	about: 'Delete all messages of a topic',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		topic_name: required(z.string(), 'Name of the topic'),
	},
	/** Level 154 added the field. */
	result: z.looseObject({complete: z.boolean().optional()}),
});

const defaultStreamId = required(z.int(), 'ID of the channel');

export const addDefaultStream = operation({
	name: 'addDefaultStream',
	method: 'POST',
	path: '/default_streams',
	about: 'Make a channel a default: new users are subscribed to it',
	callers: 'administrators',
	parameters: {stream_id: defaultStreamId},
	result: z.looseObject({}),
});

export const removeDefaultStream = operation({
	name: 'removeDefaultStream',
	method: 'DELETE',
	path: '/default_streams',
	about: 'Remove a channel from the default channels of new users',
	callers: 'administrators',
	parameters: {stream_id: defaultStreamId},
	result: z.looseObject({}),
});
