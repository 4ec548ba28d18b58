import {z} from 'zod';
import {operation, optional, required} from './operation.js';

export const addReaction = operation({
	name: 'addReaction',
	method: 'POST',
	path: '/messages/{message_id}/reactions',
	about: 'React to a message with an emoji',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		emoji_code: optional(z.string(), 'Which emoji, beyond doubt; found by name when absent'),
		emoji_name: required(z.string(), 'Name of the emoji, without colons'),
		reaction_type: optional(z.string(), 'What the code means; found by name when absent'),
	},
	result: z.looseObject({}),
});

export const removeReaction = operation({
	name: 'removeReaction',
	method: 'DELETE',
	path: '/messages/{message_id}/reactions',
	about: "Take back one's reaction to a message",
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message'),
		emoji_code: optional(z.string(), 'Which emoji; this or its name'),
		emoji_name: optional(z.string(), 'Name of the emoji, without colons'),
		reaction_type: optional(z.string(), 'What the code means', {default: 'unicode_emoji'}),
	},
	result: z.looseObject({}),
});
