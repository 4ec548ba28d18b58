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
	},
	result: z.looseObject({}),
});
