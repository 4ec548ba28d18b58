// A bot's handlers that run at due times. Each due time is a delivery like any other, with a payload of our own making.

import type {Payload} from '../api/index.js';
import type {CheckedCron, Cron} from '../queue/cron.js';
import type {CronContext} from './context.js';

export type {Cron};

export type CronHandler<Config = undefined> = (ctx: CronContext<Config>) => unknown;

export interface BotCron<Config = undefined> {
	readonly cron: CheckedCron;
	readonly run: CronHandler<Config>;
}

/** No service has such a trigger. */
const TRIGGER = 'bothy:cron';

/** The payload of one due time, milliseconds since 1970. */
export function cronPayload({email, handler, planned}: {email: string; handler: string; planned: number}): Payload {
	const seconds = Math.floor(planned / 1000);
	return {
		bot_email: email,
		bot_full_name: email,
		data: handler,
		trigger: TRIGGER,
		token: '',
		// Nobody wrote it, and nobody is answered.
		message: {
			id: seconds,
			type: 'private',
			sender_id: 0,
			sender_email: email,
			sender_full_name: email,
			sender_realm_str: '',
			avatar_url: null,
			client: 'Bothy',
			content: handler,
			content_type: 'text/x-markdown',
			display_recipient: [],
			recipient_id: 0,
			subject: '',
			timestamp: seconds,
			is_me_message: false,
			reactions: [],
			submessages: [],
			topic_links: [],
		},
	};
}

/** The name of the handler that a payload asks for, and its due time; undefined for every other payload. */
export function readCronPayload({trigger, data, message}: Payload): {handler: string; planned: Date} | undefined {
	return trigger === TRIGGER ? {handler: data, planned: new Date(message.timestamp * 1000)} : undefined;
}
