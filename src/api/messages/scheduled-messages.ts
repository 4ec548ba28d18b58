import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** A message to send later (service-facts.md 6.7). */
export const ScheduledMessage = z.looseObject({
	scheduled_message_id: z.int(),
	/** `stream` or `private`. */
	type: z.string(),
	/** ID of the channel, or of the others in a direct conversation. */
	to: z.union([z.int(), z.array(z.int())]),
	/** Absent for direct messages. */
	topic: z.string().optional(),
	content: z.string(),
	rendered_content: z.string().optional(),
	scheduled_delivery_timestamp: z.int(),
	/** The server tried to send it and failed. Absent on older servers. */
	failed: z.boolean().optional(),
});
export type ScheduledMessage = z.infer<typeof ScheduledMessage>;

// The service's error for a wrong type differs from the one for sending at once.
const RecipientType = z.enum(
	['direct', 'channel', 'stream', 'private'],
	'Value error, Not in the list of possible values',
);

/** Names and emails are not accepted. */
const Recipients = z.union([z.int(), z.array(z.int())]);

export const createScheduledMessage = operation({
	name: 'createScheduledMessage',
	method: 'POST',
	path: '/scheduled_messages',
	about: 'Schedule a message',
	callers: 'users',
	orderBefore: {level: 442, first: ['type', 'to', 'topic', 'content', 'scheduled_delivery_timestamp']},
	since: 179,
	parameters: {
		content: required(z.string(), 'Text in Markdown; cut at `max_message_length`'),
		read_by_sender: optional(z.boolean(), 'Whether the message starts as read by its sender', {since: 236}),
		to: required(Recipients, 'Channel ID, or a list of user IDs'),
		type: required(RecipientType, 'Kind of conversation', {valuesSince: {channel: 248}}),
		scheduled_delivery_timestamp: required(z.int(), 'When to send it, in UNIX seconds'),
		topic: optional(z.string(), 'Topic of a channel message; cut at `max_topic_length`', {aliases: ['subject']}),
	},
	result: z.looseObject({scheduled_message_id: z.int()}),
});

export const getScheduledMessages = operation({
	name: 'getScheduledMessages',
	method: 'GET',
	path: '/scheduled_messages',
	about: 'List your scheduled messages that were not sent, the next one first',
	callers: 'users',
	since: 173,
	parameters: {},
	result: z.looseObject({scheduled_messages: z.array(ScheduledMessage)}),
});

export const updateScheduledMessage = operation({
	name: 'updateScheduledMessage',
	method: 'PATCH',
	path: '/scheduled_messages/{scheduled_message_id}',
	about: 'Change a scheduled message, or reschedule one that failed',
	callers: 'users',
	orderBefore: {level: 442, first: ['type', 'to', 'topic', 'content', 'scheduled_delivery_timestamp']},
	since: 184,
	parameters: {
		scheduled_message_id: required(z.int(), 'ID of the scheduled message'),
		content: optional(z.string(), 'Text in Markdown; cut at `max_message_length`'),
		to: optional(Recipients, 'Channel ID, or a list of user IDs'),
		type: optional(RecipientType, 'Kind of conversation; needs `to`, and `topic` for a channel', {
			valuesSince: {channel: 248},
		}),
		scheduled_delivery_timestamp: optional(z.int(), 'When to send it, in UNIX seconds'),
		topic: optional(z.string(), 'Topic of a channel message; cut at `max_topic_length`', {aliases: ['subject']}),
	},
	result: z.looseObject({}),
});

export const deleteScheduledMessage = operation({
	name: 'deleteScheduledMessage',
	method: 'DELETE',
	path: '/scheduled_messages/{scheduled_message_id}',
	about: 'Delete a scheduled message',
	callers: 'users',
	since: 173,
	parameters: {scheduled_message_id: required(z.int(), 'ID of the scheduled message')},
	result: z.looseObject({}),
});
