// A bot hears of what could not be posted when its handler had long ended: a delivery of our own making, in the conversation
// of the message that it had answered.

import {z} from 'zod';
import type {Payload} from '../api/index.js';
import {isOwnPayload} from './own-payload.js';

/** No service has such a trigger. */
const TRIGGER = 'bothy:failed';

/** What a handler had said was not posted, and will not be. */
export class SendError extends Error {
	override name = 'SendError' as const;

	constructor(
		/** Id of the send, as `ctx.send()` gave it. */
		readonly send: string,
		/** What the service said. */
		readonly reason: string,
	) {
		super(`A message could not be posted: ${reason}`);
	}
}

const Failure = z.object({send: z.string(), reason: z.string()});

/** Undefined where nobody had asked: a due time, or a failure itself. */
export function failurePayload(answered: Payload, failure: z.infer<typeof Failure>): Payload | undefined {
	return isOwnPayload(answered) ? undefined : {...answered, trigger: TRIGGER, data: JSON.stringify(failure), token: ''};
}

/** What failed, and the payload of the message that had been answered; undefined for every other payload. */
export function readFailurePayload(payload: Payload): {error: SendError; answered: Payload} | undefined {
	if (payload.trigger !== TRIGGER) {
		return undefined;
	}

	const {send, reason} = Failure.parse(JSON.parse(payload.data));
	return {error: new SendError(send, reason), answered: {...payload, data: payload.message.content}};
}
