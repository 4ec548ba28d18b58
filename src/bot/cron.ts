// A bot's handlers that run at due times. Each due time is a delivery like any other, with a payload of our own making.

import type {Payload} from '../api/index.js';
import type {CheckedCron, Cron} from '../queue/cron.js';
import type {Returned} from './bot.js';
import type {CronContext} from './context.js';
import {ownPayload} from './own-payload.js';

export type {Cron};

/** Runs at the due times of a cron. */
export type CronHandler<Config = undefined> = (ctx: CronContext<Config>) => Returned;

export interface BotCron<Config = undefined> {
	readonly cron: CheckedCron;
	readonly run: CronHandler<Config>;
}

const KIND = 'cron';

/** The payload of one due time, milliseconds since 1970. */
export function cronPayload({email, handler, planned}: {email: string; handler: string; planned: number}): Payload {
	return ownPayload(KIND, {email, data: handler, seconds: Math.floor(planned / 1000)});
}

/** The name of the handler that a payload asks for, and its due time; undefined for every other payload. */
export function readCronPayload({trigger, data, message}: Payload): {handler: string; planned: Date} | undefined {
	return trigger === `bothy:${KIND}` ? {handler: data, planned: new Date(message.timestamp * 1000)} : undefined;
}
