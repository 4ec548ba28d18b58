import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

export const addReaction = operation({
	name: 'addReaction',
	method: 'POST',
	path: '/messages/{message_id}/reactions',
	about: 'React to a message with an emoji',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		emoji_code: optional(z.string(), 'Code of the emoji. By default it is found by name'),
		emoji_name: required(z.string(), 'Name of the emoji, without colons'),
		reaction_type: optional(z.string(), 'Kind of the code. By default it is found by name'),
	},
	result: z.looseObject({}),
});

export const removeReaction = operation({
	name: 'removeReaction',
	method: 'DELETE',
	path: '/messages/{message_id}/reactions',
	about: 'Remove your reaction to a message',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		emoji_code: optional(z.string(), 'Code of the emoji; this or its name'),
		emoji_name: optional(z.string(), 'Name of the emoji, without colons'),
		reaction_type: optional(z.string(), 'Kind of the code', {default: 'unicode_emoji'}),
	},
	result: z.looseObject({}),
});
