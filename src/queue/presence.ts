// The queue of presence: a job keeps one slice of the accounts present for a while.

import {z} from '../api/zod.js';
import {defineQueue} from './define-queue.js';

export const presence = defineQueue({
	name: 'presence',
	schema: z.object({
		v: z.literal(1),
		slice: z.int().min(0),
		/** How long the job has the slice. The next job follows then. */
		lastsMs: z.int().min(1),
	}),
	result: z.object({pings: z.int()}),
});
