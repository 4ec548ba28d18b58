import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';
import {Anchor, Narrow} from './narrow.js';

const EditHistoryEntry = z.looseObject({
	user_id: z.int().nullable().optional(),
	timestamp: z.int(),
	prev_content: z.string().optional(),
	/** Null if an old server could not render it. */
	prev_rendered_content: z.string().nullable().optional(),
	prev_stream: z.int().optional(),
	stream: z.int().optional(),
	prev_topic: z.string().optional(),
	topic: z.string().optional(),
});

/** An emoji on a message. spec.md writes `service_extra_emoji`, real servers send `zulip_extra_emoji`; unknown kinds pass. */
export const Reaction = z.looseObject({
	emoji_name: z.string(),
	emoji_code: z.string(),
	reaction_type: z.string(),
	user_id: z.int(),
});
export type Reaction = z.infer<typeof Reaction>;

const DirectRecipient = z.looseObject({
	id: z.int(),
	email: z.string(),
	full_name: z.string(),
	is_mirror_dummy: z.boolean().optional(),
});

/** A message as in spec.md, "Message object". */
export const Message = z.looseObject({
	id: z.int(),
	/** `stream` or `private`. */
	type: z.string(),
	sender_id: z.int(),
	sender_email: z.string(),
	sender_full_name: z.string(),
	sender_realm_str: z.string().optional(),
	avatar_url: z.string().nullable().optional(),
	client: z.string().optional(),
	content: z.string(),
	/** Older servers leave it out of webhook payloads. */
	content_type: z.string().optional(),
	/** Channel name, or all people of a direct conversation. */
	display_recipient: z.union([z.string(), z.array(DirectRecipient)]),
	recipient_id: z.int().optional(),
	stream_id: z.int().optional(),
	/** The topic; empty for direct messages. */
	subject: z.string(),
	topic_links: z.array(z.looseObject({text: z.string(), url: z.string()})).optional(),
	timestamp: z.int(),
	is_me_message: z.boolean().optional(),
	last_edit_timestamp: z.int().optional(),
	last_moved_timestamp: z.int().optional(),
	edit_history: z.array(EditHistoryEntry).optional(),
	reactions: z.array(Reaction).optional(),
	submessages: z.array(z.looseObject({})).optional(),
	/** The caller's own flags. Absent in webhook payloads. */
	flags: z.array(z.string()).optional(),
	rendered_content: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

export const sendMessage = operation({
	name: 'sendMessage',
	method: 'POST',
	path: '/messages',
	about: 'Send a message',
	callers: 'users',
	orderBefore: {level: 442, first: ['type', 'to', 'sender', 'forged', 'topic', 'content']},
	parameters: {
		content: required(z.string(), 'Text in Markdown; cut at `max_message_length`'),
		read_by_sender: optional(z.boolean(), 'Whether the message starts as read by its sender', {since: 236}),
		to: required(
			z.union([z.string(), z.int(), z.array(z.string()), z.array(z.int())]),
			'Channel name or ID, or a list of user IDs or API emails',
			{encoding: 'either'},
		),
		type: required(z.enum(['direct', 'channel', 'stream', 'private']), 'Kind of conversation', {
			valuesSince: {channel: 248},
		}),
		topic: optional(z.string(), 'Topic of a channel message; cut at `max_topic_length`', {aliases: ['subject']}),
		queue_id: optional(z.string(), 'Event queue for local echo; required with `local_id`'),
		local_id: optional(z.string(), 'ID for local echo: the event in that queue has it as `local_message_id`'),
		widget_content: optional(z.string(), 'JSON text of a widget'),
		sender: optional(z.string(), 'Sender of a mirrored message; only mirrors of other services may set it'),
		forged: optional(z.string(), 'Whether another service sent the message; only mirrors of other services may set it'),
		time: optional(z.number(), 'When a mirrored message was written, in UNIX seconds; ignored for other messages'),
	},
	result: z.looseObject({id: z.int(), automatic_new_visibility_policy: z.int().optional()}),
});

export const getMessage = operation({
	name: 'getMessage',
	method: 'GET',
	path: '/messages/{message_id}',
	about: 'Fetch a single message',
	callers: 'public',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		apply_markdown: optional(z.boolean(), 'HTML if true, otherwise raw Markdown', {default: true}),
		allow_empty_topic_name: optional(z.boolean(), 'Whether an empty topic stays empty', {
			since: 334,
			ignorable: true,
			default: false,
		}),
	},
	result: z.looseObject({message: Message, raw_content: z.string().optional()}),
});

export const getMessages = operation({
	name: 'getMessages',
	method: 'GET',
	path: '/messages',
	about: 'Fetch messages around an anchor',
	callers: 'public',
	parameters: {
		anchor: optional(Anchor, 'Message ID, or a position', {encoding: 'either'}),
		include_anchor: optional(z.boolean(), 'Whether the anchor itself is among the results', {
			since: 155,
			default: true,
		}),
		num_before: optional(z.int().min(0), 'How many messages before the anchor', {default: 0}),
		num_after: optional(z.int().min(0), 'How many messages after the anchor', {default: 0}),
		narrow: optional(Narrow, 'Filters, all of which must match', {default: []}),
		client_gravatar: optional(z.boolean(), 'Whether `avatar_url` is null where the client can compute it', {
			default: true,
		}),
		apply_markdown: optional(z.boolean(), 'HTML if true, otherwise raw Markdown', {default: true}),
		allow_empty_topic_name: optional(z.boolean(), 'Whether an empty topic stays empty', {
			since: 334,
			ignorable: true,
			default: false,
		}),
		message_ids: optional(z.array(z.int().min(0)), 'Just these messages, instead of an anchor', {since: 300}),
		use_first_unread_anchor: optional(z.boolean(), 'Deprecated: use `anchor` with `first_unread`', {default: false}),
	},
	result: z.looseObject({
		messages: z.array(Message),
		/** Servers answer `newest` with 10^16, beyond the safe integers. */
		anchor: z.number().optional(),
		found_anchor: z.boolean().optional(),
		found_newest: z.boolean().optional(),
		found_oldest: z.boolean().optional(),
		history_limited: z.boolean().optional(),
	}),
});

export const updateMessage = operation({
	name: 'updateMessage',
	method: 'PATCH',
	path: '/messages/{message_id}',
	about: 'Change the text of a message, or move it',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		content: optional(z.string(), 'New text in Markdown; only the sender may change it'),
		topic: optional(z.string(), 'New topic', {aliases: ['subject']}),
		stream_id: optional(z.int().min(0), 'Channel to move to'),
		propagate_mode: optional(
			z.enum(['change_one', 'change_later', 'change_all']),
			'Which messages of the topic to move: only this one, this and later ones, or all',
			{default: 'change_one'},
		),
		send_notification_to_old_thread: optional(z.boolean(), 'Whether to post a notice in the old topic', {
			default: false,
		}),
		send_notification_to_new_thread: optional(z.boolean(), 'Whether to post a notice in the new topic', {
			default: true,
		}),
		prev_content_sha256: optional(z.string(), 'SHA-256 of the old text, in hexadecimal', {
			since: 379,
		}),
	},
	result: z.looseObject({detached_uploads: z.array(z.looseObject({id: z.int()})).optional()}),
});

export const deleteMessage = operation({
	name: 'deleteMessage',
	method: 'DELETE',
	path: '/messages/{message_id}',
	about: 'Delete a message for everybody',
	callers: 'users',
	parameters: {message_id: required(z.int(), 'ID of the message')},
	result: z.looseObject({}),
});

export const getMessageHistory = operation({
	name: 'getMessageHistory',
	method: 'GET',
	path: '/messages/{message_id}/history',
	about: 'Fetch the edit history of a message, oldest version first',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		allow_empty_topic_name: optional(z.boolean(), 'Whether an empty topic stays empty', {
			since: 334,
			ignorable: true,
			default: false,
		}),
	},
	result: z.looseObject({
		message_history: z.array(
			z.looseObject({
				...EditHistoryEntry.shape,
				topic: z.string(),
				content: z.string(),
				rendered_content: z.string().optional(),
			}),
		),
	}),
});

export const renderMessage = operation({
	name: 'renderMessage',
	method: 'POST',
	path: '/messages/render',
	about: 'Render Markdown without sending a message',
	callers: 'users',
	parameters: {content: required(z.string(), 'Text in Markdown')},
	result: z.looseObject({rendered: z.string()}),
});

export const checkMessagesMatchNarrow = operation({
	name: 'checkMessagesMatchNarrow',
	method: 'GET',
	path: '/messages/matches_narrow',
	about: 'Check which of the given messages match a narrow',
	callers: 'users',
	parameters: {
		msg_ids: required(z.array(z.int()), 'IDs of the messages'),
		narrow: required(Narrow, 'Conditions, all of which must match'),
	},
	/** The messages that were found, by ID, with the matches of a search. */
	result: z.looseObject({
		messages: z.record(z.string(), z.looseObject({match_content: z.string(), match_subject: z.string()})),
	}),
});
