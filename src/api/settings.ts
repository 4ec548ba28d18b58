import {z} from 'zod';
import {operation, optional} from './operation.js';

export const updateSettings = operation({
	name: 'updateSettings',
	method: 'PATCH',
	path: '/settings',
	about: "Change one's own settings",
	callers: 'humans',
	parameters: {
		enable_drafts_synchronization: optional(z.boolean(), 'Whether drafts are kept on the server; off deletes them'),
		send_private_typing_notifications: optional(z.boolean(), 'Whether others learn of typing in direct messages'),
		send_stream_typing_notifications: optional(z.boolean(), 'Whether others learn of typing in channels'),
		receives_typing_notifications: optional(z.boolean(), 'Whether one learns that others type'),
	},
	result: z.looseObject({}),
});
