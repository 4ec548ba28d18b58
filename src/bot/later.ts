// Handlers that a bot plans for a later time. Until then each is an entry of the outbox in which it was planned; when its time
// has come, a delivery of our own making runs it.

import {z} from 'zod';
import type {Payload} from '../api/index.js';
import {Target} from '../queue/sends.js';
import type {Returned} from './bot.js';
import type {LaterContext} from './context.js';
import {ownPayload} from './own-payload.js';

/** Runs at the time that `ctx.later()` named, with its data. */
export type LaterHandler<Config = undefined, Data = unknown> = (ctx: LaterContext<Config>, data: Data) => Returned;

/** A handler that runs later, as a bot keeps it. */
export interface BotLater<Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: LaterHandler<Config>;
}

const KIND = 'later';

const Planned = z.object({
	name: z.string(),
	data: z.unknown().optional(),
	from: Target.optional(),
	/** Id of the entry: tells it from every other. */
	send: z.string().optional(),
});
export type Planned = z.infer<typeof Planned>;

/** The payload of an entry whose time has come, milliseconds since 1970. */
export function laterPayload({
	email,
	send,
	text,
	dueAt,
}: {
	email: string;
	send: string;
	text: string;
	dueAt: number;
}): Payload {
	const planned = {...Planned.parse(JSON.parse(text)), send} satisfies Planned;
	return ownPayload(KIND, {email, data: JSON.stringify(planned), seconds: Math.floor(dueAt / 1000)});
}

/** The handler that a payload asks for; undefined for every other payload. */
export function readLaterPayload({trigger, data, message}: Payload): (Planned & {planned: Date}) | undefined {
	return trigger === `bothy:${KIND}`
		? {...Planned.parse(JSON.parse(data)), planned: new Date(message.timestamp * 1000)}
		: undefined;
}
