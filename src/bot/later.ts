// Handlers that a bot plans for a later time. Until then each is an entry of the outbox in which it was planned; when its time
// has come, a delivery of our own making runs it.

import type {z} from 'zod';
import type {LaterContext} from './context.js';
import type {Returned} from './returned.js';

/** Runs at the time that `ctx.later()` named, with its data. */
export type LaterHandler<Config = undefined, Data = unknown> = (ctx: LaterContext<Config>, data: Data) => Returned;

/** A handler that runs later, as a bot keeps it. */
export interface BotLater<Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: LaterHandler<Config>;
}
