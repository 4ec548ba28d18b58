// The queue of background deliveries, for which no connection waits: those whose holder is gone, those of cron ticks, and
// those that came as events. A process with no other work runs them.

import {z} from '../api/zod.js';
import {defineQueue} from './define-queue.js';

export const backgroundDeliveries = defineQueue({
	name: 'background-deliveries',
	schema: z.object({
		v: z.literal(1),
		site: z.string(),
		email: z.string(),
		delivery: z.string(),
		/** JSON text of the work, if the delivery has never run. */
		work: z.string().optional(),
		/** The holder that is known to be dead. Set if a connection waits for the answer. */
		deadHolder: z.string().optional(),
	}),
	result: z.object({}),
});
