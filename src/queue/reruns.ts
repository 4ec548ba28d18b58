// The line of deliveries whose holder is gone: a process that does nothing else runs them again.

import {z} from 'zod';
import {defineQueue} from './define-queue.js';

export const reruns = defineQueue({
	name: 'reruns',
	schema: z.object({
		v: z.literal(1),
		site: z.string(),
		email: z.string(),
		delivery: z.string(),
		/** Who held it and is known to be dead, when a connection waits for the answer. */
		deadHolder: z.string().optional(),
	}),
	result: z.object({}),
});
