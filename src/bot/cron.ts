// Crons of a bot. Each due time is a delivery with a payload that Bothy makes.

import type {CheckedCron, Cron} from '../queue/cron.js';
import type {CronContext} from './context.js';
import type {Returned} from './returned.js';

export type {Cron};

/** The handler of a cron. */
export type CronHandler<Config = undefined> = (ctx: CronContext<Config>) => Returned;

export interface BotCron<Config = undefined> {
	readonly cron: CheckedCron;
	readonly run: CronHandler<Config>;
}
