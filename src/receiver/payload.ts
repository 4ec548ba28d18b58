// Reads a proven payload; describes one that is wrong only after its token was looked at.

import {z} from 'zod';
import {Payload} from '../api/index.js';
import {WebhookError} from './errors.js';

const Envelope = z.looseObject({bot_email: z.string(), token: z.string()});

/** Compiled, since every payload passes here; what it refuses is described by the schema itself. */
const quickEnvelope = z.compile(Envelope, {strict: true});
const quickPayload = z.compile(Payload, {strict: true});

/** The two fields that prove a payload. */
export function readEnvelope(body: unknown): {bot_email: string; token: string} {
	const parsed = quickEnvelope.safeParse(body);
	return parsed.success ? parsed.data : refuse(Envelope, body);
}

export function readPayload(body: unknown): Payload {
	const parsed = quickPayload.safeParse(body);
	return parsed.success ? parsed.data : refuse(Payload, body);
}

function refuse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
	const parsed = schema.safeParse(body);
	if (parsed.success) {
		return parsed.data;
	}

	const places = parsed.error.issues
		.slice(0, 3)
		.map(({path, message}) => `\`${path.join('.') || 'body'}\`: ${message}`);
	throw new WebhookError(400, 'BAD_PAYLOAD', `Expected an outgoing-webhook payload. ${places.join('; ')}`);
}
