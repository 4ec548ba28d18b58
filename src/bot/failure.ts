// Tells a bot that a message could not be posted after its handler had ended: a delivery that Bothy makes itself, in the
// conversation of the message that the bot had answered.

import {z} from 'zod';
import type {Payload} from '../api/index.js';

/** No service has such a trigger. */
const TRIGGER = 'bothy:failed';

/** A message of a handler that has ended was not posted, and will not be. `.catch()` gets it. */
export class SendError extends Error {
	override name = 'SendError' as const;

	constructor(
		/** The id of the send, as `ctx.send()` returned it. */
		readonly send: string,
		/** The reason that the service gave. */
		readonly reason: string,
	) {
		super(`A message could not be posted: ${reason}`);
	}
}

const Failure = z.object({send: z.string(), reason: z.string()});

/** Undefined where nobody had asked: a due time, or a failure itself. */
export function failurePayload(answered: Payload, failure: z.infer<typeof Failure>): Payload | undefined {
	return answered.trigger.startsWith('bothy:')
		? undefined
		: {...answered, trigger: TRIGGER, data: JSON.stringify(failure), token: ''};
}

/** What failed, and the payload of the message that had been answered; undefined for every other payload. */
export function readFailurePayload(payload: Payload): {error: SendError; answered: Payload} | undefined {
	if (payload.trigger !== TRIGGER) {
		return undefined;
	}

	const {send, reason} = Failure.parse(JSON.parse(payload.data));
	return {error: new SendError(send, reason), answered: {...payload, data: payload.message.content}};
}
