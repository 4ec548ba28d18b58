// Handlers that a bot runs at a later time. Until then, each is an entry in the outbox of the delivery that planned it. At the
// due time, Bothy makes a delivery that runs it.

import type {z} from '../../api/zod.js';
import type {Target} from '../../delivery/target.js';
import type {Returned} from '../returned.js';
import type {Actions} from './capabilities.js';

/** What the handler of a `.later()` gets. */
export interface LaterContext<Config = undefined> extends Actions<Config> {
	/** The name under which the bot declares it. */
	readonly name: string;
	/** When it was due. The handler runs a little later. */
	readonly planned: Date;
	/** The conversation in which it was planned. Undefined if there was none. */
	readonly from: Target | undefined;
}

/** Runs at the time that `ctx.later()` sets, with its data. */
export type LaterHandler<Config = undefined, Data = unknown> = (ctx: LaterContext<Config>, data: Data) => Returned;

/** A `.later()` declaration. */
export interface BotLater<Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: LaterHandler<Config>;
}
