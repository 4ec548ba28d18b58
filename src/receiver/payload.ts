// Reads a proven payload; describes one that is wrong only after its token was looked at.

import {z} from 'zod';
import {Payload} from '../api/index.js';
import {WebhookError} from './errors.js';

const Envelope = z.looseObject({bot_email: z.string(), token: z.string()});

/** The two fields that prove a payload. */
export function readEnvelope(body: unknown): {bot_email: string; token: string} {
	const parsed = Envelope.safeParse(body);
	if (!parsed.success) {
		throw badPayload(parsed.error);
	}

	return parsed.data;
}

export function readPayload(body: unknown): Payload {
	const parsed = Payload.safeParse(body);
	if (!parsed.success) {
		throw badPayload(parsed.error);
	}

	return parsed.data;
}

function badPayload(error: z.ZodError): WebhookError {
	const places = error.issues.slice(0, 3).map(({path, message}) => `\`${path.join('.') || 'body'}\`: ${message}`);
	return new WebhookError(400, 'BAD_PAYLOAD', `Expected an outgoing-webhook payload. ${places.join('; ')}`);
}
