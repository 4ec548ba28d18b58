// What of errors compiles and what does not. Nothing here runs.

import {ApiError} from '../../src/client/errors.js';

export function fieldsOfCodes(error: unknown) {
	if (!(error instanceof ApiError)) {
		return [];
	}

	if (error.is('STREAM_DOES_NOT_EXIST')) {
		const stream: string | undefined = error.fields.stream;
		const streamId: number | undefined = error.fields.stream_id;
		// @ts-expect-error: that is a field of another code
		return [stream, streamId, error.fields.queue_id];
	}

	if (error.is('BAD_EVENT_QUEUE_ID')) {
		const queueId: string | undefined = error.fields.queue_id;
		return [queueId];
	}

	if (error.is('RATE_LIMIT_HIT')) {
		const seconds: number | undefined = error.fields['retry-after'];
		// @ts-expect-error: it is a number
		const text: string | undefined = error.fields['retry-after'];
		return [seconds, text];
	}

	if (error.is('UNAUTHORIZED_PRINCIPAL')) {
		const principal: number | string | undefined = error.fields.principal;
		return [principal];
	}

	if (error.is('UNAUTHORIZED')) {
		// @ts-expect-error: this code has no fields
		return [error.fields.reason];
	}

	// @ts-expect-error: which fields there are depends on the code
	const unknown = error.fields.stream;
	// @ts-expect-error: there is no such code
	const isTypo = error.is('STREAM_DOES_NOT_EXISTS');
	// A code that is new to us is still a text.
	const isNew: boolean = error.code === 'BRAND_NEW';
	return [unknown, isTypo, isNew, error.retryAfterSeconds];
}
