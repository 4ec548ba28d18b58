// The queue of sweeps: each one recovers work that no process holds any more.

import {z} from 'zod';
import {defineQueue} from './define-queue.js';

export const sweeps = defineQueue({
	name: 'sweeps',
	schema: z.object({v: z.literal(1)}),
	result: z.object({found: z.int()}),
});
