// Reads a verified payload. Describes an invalid one only after its token was checked.

import {Payload} from '../api/index.js';
import {z} from '../api/zod.js';
import {WebhookError} from './errors.js';

/** Maximum length of an address (RFC 5321). */
const LONGEST_EMAIL = 320;

/** The service's tokens have 32 characters. */
const LONGEST_TOKEN = 1_000;

const Envelope = z.looseObject({
	bot_email: z.string().max(LONGEST_EMAIL),
	token: z.string().max(LONGEST_TOKEN),
});

/** Compiled, because every payload passes here. If it refuses a payload, the schema itself describes the error. */
const quickEnvelope = z.compile(Envelope, {strict: true});
const quickPayload = z.compile(Payload, {strict: true});

/** The two fields that verify a payload. */
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
