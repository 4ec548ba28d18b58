// A bot's handlers that run at due times. Each due time is a delivery like any other, with a payload of our own making.

import type {CheckedCron, Cron} from '../queue/cron.js';
import type {CronContext} from './context.js';
import type {Returned} from './returned.js';

export type {Cron};

/** Runs at the due times of a cron. */
export type CronHandler<Config = undefined> = (ctx: CronContext<Config>) => Returned;

export interface BotCron<Config = undefined> {
	readonly cron: CheckedCron;
	readonly run: CronHandler<Config>;
}
