// Crons of a bot. Each due time is a delivery, stored as work that Bothy makes.

import type {CheckedCron, Cron} from '../queue/cron.js';
import type {Actions} from './context/capabilities.js';
import type {Returned} from './returned.js';

export type {Cron};

/** What the handler of a `.cron()` gets. It has everything above except the message: nobody wrote one. */
export interface CronContext<Config = undefined> extends Actions<Config> {
	/** The name of the cron, as you declared it. */
	readonly name: string;
	/** The due time. It is a little before now, or long before if a missed run is made up for. */
	readonly planned: Date;
}

/** Runs at the due times of a cron. */
export type CronHandler<Config = undefined> = (ctx: CronContext<Config>) => Returned;

export interface BotCron<Config = undefined> {
	readonly cron: CheckedCron;
	readonly run: CronHandler<Config>;
}
