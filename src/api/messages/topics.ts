import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

const MAX_TOPIC_LENGTH = 60;

/** Refused if too long. A message's topic is cut instead. */
const Topic = z
	.string()
	.refine(topic => [...topic].length <= MAX_TOPIC_LENGTH, `is too long (limit: ${MAX_TOPIC_LENGTH} characters)`);

/** 0 none, 1 muted, 2 unmuted, 3 followed. */
const VisibilityPolicy = z.int().pipe(z.literal([0, 1, 2, 3]));

export const updateUserTopic = operation({
	name: 'updateUserTopic',
	method: 'POST',
	path: '/user_topics',
	about: 'Mute, unmute or follow a topic',
	callers: 'users',
	since: 170,
	repeatable: true,
	parameters: {
		stream_id: required(z.int(), 'ID of the channel'),
		topic: required(Topic, 'Topic in the channel, whether or not it has messages'),
		visibility_policy: required(VisibilityPolicy, '0 none, 1 muted, 2 unmuted, 3 followed'),
	},
	result: z.looseObject({}),
});

export const muteTopic = operation({
	name: 'muteTopic',
	method: 'PATCH',
	path: '/users/me/subscriptions/muted_topics',
	about: 'Deprecated: use `updateUserTopic`',
	callers: 'users',
	parameters: {
		stream_id: optional(z.int(), 'ID of the channel; this or its name'),
		stream: optional(z.string(), 'Name of the channel'),
		topic: required(Topic, 'Topic in the channel'),
		op: required(z.enum(['add', 'remove']), 'Whether to mute or to unmute it'),
	},
	result: z.looseObject({}),
});
