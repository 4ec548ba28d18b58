import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

export const setTypingStatus = operation({
	name: 'setTypingStatus',
	method: 'POST',
	path: '/typing',
	about: 'Show others that you started or stopped typing',
	callers: 'users',
	repeatable: true,
	parameters: {
		to: optional(z.array(z.int()), 'User IDs of a direct conversation'),
		op: required(z.enum(['start', 'stop']), 'Whether typing starts or stops'),
		type: optional(z.enum(['direct', 'stream', 'channel']), 'Kind of conversation', {
			valuesSince: {channel: 248},
			default: 'direct',
		}),
		stream_id: optional(z.int(), 'ID of the channel'),
		topic: optional(z.string(), 'Topic in the channel', {aliases: ['subject']}),
	},
	result: z.looseObject({}),
});
