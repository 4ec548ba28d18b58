import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';
import {Anchor, Narrow} from './narrow.js';

const Op = z.enum(['add', 'remove']);
const FLAG = '`read`, `starred` or `collapsed`; the service alone sets the others';

export const updateMessageFlags = operation({
	name: 'updateMessageFlags',
	method: 'POST',
	path: '/messages/flags',
	about: 'Set or remove one of your flags on messages',
	callers: 'users',
	repeatable: true,
	parameters: {
		messages: required(z.array(z.int()), 'IDs of the messages'),
		op: required(Op, 'Whether to set the flag or to remove it'),
		flag: required(z.string(), FLAG),
	},
	result: z.looseObject({
		messages: z.array(z.int()),
		/** Messages cannot become unread in a channel to which the user is not subscribed. */
		ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
	}),
});

export const updateMessageFlagsForNarrow = operation({
	name: 'updateMessageFlagsForNarrow',
	method: 'POST',
	path: '/messages/flags/narrow',
	about: 'Set or remove one of your flags on messages around an anchor',
	callers: 'users',
	since: 155,
	parameters: {
		anchor: required(Anchor, 'Message ID, or a position', {encoding: 'either'}),
		include_anchor: optional(z.boolean(), 'Whether the anchor itself is among them', {default: true}),
		num_before: required(z.int().min(0), 'How many messages before the anchor'),
		num_after: required(z.int().min(0), 'How many messages after the anchor'),
		narrow: required(Narrow, 'Filters, all of which must match'),
		op: required(Op, 'Whether to set the flag or to remove it'),
		flag: required(z.string(), FLAG),
	},
	result: z.looseObject({
		processed_count: z.int(),
		updated_count: z.int(),
		first_processed_id: z.int().nullable(),
		last_processed_id: z.int().nullable(),
		found_oldest: z.boolean().optional(),
		found_newest: z.boolean().optional(),
		ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
	}),
});

export const getReadReceipts = operation({
	name: 'getReadReceipts',
	method: 'GET',
	path: '/messages/{message_id}/read_receipts',
	about: 'List who has read a message, without its sender and people who hide their read receipts',
	callers: 'users',
	since: 137,
	parameters: {message_id: required(z.int(), 'ID of the message')},
	result: z.looseObject({user_ids: z.array(z.int())}),
});

export const markAllAsRead = operation({
	name: 'markAllAsRead',
	method: 'POST',
	path: '/mark_all_as_read',
	about: 'Deprecated: mark all messages as read',
	callers: 'users',
	parameters: {},
	/** Level 153 added the field. */
	result: z.looseObject({complete: z.boolean().optional()}),
});

export const markStreamAsRead = operation({
	name: 'markStreamAsRead',
	method: 'POST',
	path: '/mark_stream_as_read',
	about: 'Deprecated: mark the messages of a channel as read',
	callers: 'users',
	parameters: {stream_id: required(z.int(), 'ID of the channel')},
	result: z.looseObject({}),
});

export const markTopicAsRead = operation({
	name: 'markTopicAsRead',
	method: 'POST',
	path: '/mark_topic_as_read',
	about: 'Deprecated: mark the messages of a topic as read',
	callers: 'users',
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		topic_name: required(z.string(), 'Name of the topic'),
	},
	result: z.looseObject({}),
});
