// The line of deliveries that wait for no answer: those whose holder is gone, those of due times, and those that
// came as events. A process that does nothing else runs them.

import {z} from 'zod';
import {defineQueue} from './define-queue.js';

export const backgroundDeliveries = defineQueue({
	name: 'background-deliveries',
	schema: z.object({
		v: z.literal(1),
		site: z.string(),
		email: z.string(),
		delivery: z.string(),
		/** JSON text of the payload of a delivery that nobody has run yet. */
		payload: z.string().optional(),
		/** Who held it and is known to be dead, when a connection waits for the answer. */
		deadHolder: z.string().optional(),
	}),
	result: z.object({}),
});
