// The line of presence: a job has one slice of the accounts shown as present for a while.

import {z} from 'zod';
import {defineQueue} from './define-queue.js';

export const presence = defineQueue({
	name: 'presence',
	schema: z.object({
		v: z.literal(1),
		slice: z.int().min(0),
		/** For how long the job has the slice; the next one comes then. */
		lastsMs: z.int().min(1),
	}),
	result: z.object({pings: z.int()}),
});
