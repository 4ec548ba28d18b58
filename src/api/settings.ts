import {z} from 'zod';
import {operation, optional} from './operation.js';

/** 1 taking part in a topic, 2 sending a message to it, 3 starting it, 4 never. */
const TopicDeed = z.int().pipe(z.literal([1, 2, 3, 4]));

export const updateSettings = operation({
	name: 'updateSettings',
	method: 'PATCH',
	path: '/settings',
	about: "Change one's own settings",
	callers: 'humans',
	repeatable: true,
	parameters: {
		enable_drafts_synchronization: optional(z.boolean(), 'Whether drafts are kept on the server; off deletes them'),
		send_private_typing_notifications: optional(z.boolean(), 'Whether others learn of typing in direct messages'),
		send_stream_typing_notifications: optional(z.boolean(), 'Whether others learn of typing in channels'),
		receives_typing_notifications: optional(z.boolean(), 'Whether one learns that others type'),
		automatically_follow_topics_policy: optional(
			TopicDeed,
			'Topics to follow: those one takes part in 1, sends to 2, starts 3, none 4',
			{
				since: 214,
			},
		),
		automatically_unmute_topics_in_muted_streams_policy: optional(
			TopicDeed,
			'Topics to unmute in muted channels, likewise',
			{
				since: 214,
			},
		),
		automatically_follow_topics_where_mentioned: optional(
			z.boolean(),
			'Whether to follow topics where one is mentioned',
			{
				since: 235,
			},
		),
	},
	result: z.looseObject({}),
});
