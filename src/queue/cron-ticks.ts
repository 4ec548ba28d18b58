// The queue of cron ticks: each job is one due time of a cron of an account.

import {z} from '../api/zod.js';
import {defineQueue} from './define-queue.js';

export const cronTicks = defineQueue({
	name: 'cron-ticks',
	schema: z.object({v: z.literal(1), site: z.string(), email: z.string(), cron: z.string()}),
	result: z.object({fired: z.boolean()}),
});
