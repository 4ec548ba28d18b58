// Handlers that a bot runs at a later time. Until then, each is an entry in the outbox of the delivery that planned it. At the
// due time, Bothy makes a delivery that runs it.

import type {z} from 'zod';
import type {LaterContext} from './context.js';
import type {Returned} from './returned.js';

/** The handler that `ctx.later()` names. */
export type LaterHandler<Config = undefined, Data = unknown> = (ctx: LaterContext<Config>, data: Data) => Returned;

/** A `.later()` declaration. */
export interface BotLater<Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: LaterHandler<Config>;
}
