// The queue of messages that bots post through the REST API, now or later.

import {z} from '../api/zod.js';
import {defineQueue} from './define-queue.js';

/** Names an account. Its key never enters Redis. */
const account = {v: z.literal(1), site: z.string(), email: z.string()};

/** The outbox of a delivery, or one of its sends that has become due. */
const Send = z.object({
	...account,
	/** Id of the delivery that owns the outbox. */
	delivery: z.string(),
});

export const sends = defineQueue({name: 'sends', schema: Send, result: z.object({posted: z.int()})});
