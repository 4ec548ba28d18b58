import {operation, required} from '../operation.js';
import {z} from '../zod.js';

export const addSubmessage = operation({
	name: 'addSubmessage',
	method: 'POST',
	path: '/submessage',
	about: 'Vote in a poll, add an option, or check a task of a `/todo` list',
	callers: 'users',
	parameters: {
		message_id: required(z.int(), 'ID of the message with the widget'),
		msg_type: required(z.string(), 'Always `widget`'),
		content: required(z.string(), 'JSON text, such as `{"type": "vote", "key": "canned,0", "vote": 1}`'),
	},
	result: z.looseObject({}),
});
