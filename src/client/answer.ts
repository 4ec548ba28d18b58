// Turns an answer of the service into a result or an error.

import {STATUS_CODES} from 'node:http';
import {z} from '../api/zod.js';
import {readFields} from './error-codes.js';
import {ApiError, ResponseError} from './errors.js';
import type {Answer} from './exchange.js';

type Json = Readonly<Record<string, unknown>>;

/** The JSON of a success. Throws the matching error for everything else. */
export function readAnswer(operation: string, answer: Answer): Json {
	const {status, text, location} = answer;
	const json = parseObject(text);
	if (json && status < 300 && json.result !== 'error') {
		return json;
	}

	if (status >= 300 && status < 400) {
		throw new ResponseError(operation, status, `expected an answer, found a redirect${placeOf(location)}`);
	}

	if (status >= 500) {
		const {msg} = json ?? {};
		throw new ResponseError(operation, status, typeof msg === 'string' ? msg : 'the server failed');
	}

	if (json || status >= 400) {
		throw refusal(operation, answer, json ?? {});
	}

	throw new ResponseError(
		operation,
		status,
		`expected a JSON object, found ${text === '' ? 'nothing' : 'something else'}`,
	);
}

/** Reads the result of one operation. A compiled check accepts valid answers; the schema itself describes what is invalid. */
export function createResultReader<Schema extends z.ZodType>(
	operation: string,
	schema: Schema,
): (json: Json) => z.output<Schema> {
	let quick: Schema | undefined;
	return function readResult(json) {
		// A process calls few operations.
		quick ??= compile(schema);
		const parsed = quick.safeParse(json);
		if (parsed.success) {
			return parsed.data;
		}

		const {data, error} = schema.safeParse(json);
		if (!error) {
			return data;
		}

		const [issue] = error.issues;
		throw new ResponseError(operation, 200, `${issue?.path.join('.')}: ${issue?.message}`);
	};
}

function compile<Schema extends z.ZodType>(schema: Schema): Schema {
	try {
		return z.compile(schema, {strict: true});
	} catch {
		return schema;
	}
}

function parseObject(text: string): Json | undefined {
	try {
		const json: unknown = JSON.parse(text);
		// Only a JSON object has string keys and unknown values.
		return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Json) : undefined;
	} catch {
		return undefined;
	}
}

/** The target of a redirect, to help users who wrote `http` for `https` in a site. Without parts that may be secret. */
function placeOf(location: string | undefined): string {
	return location !== undefined && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

function refusal(operation: string, {status, retryAfter}: Answer, json: Json): ApiError {
	const {result: _, msg, code: given, ...named} = json;
	const isNamed = retryAfter === undefined || named['retry-after'] !== undefined;
	const fields = isNamed ? named : {...named, 'retry-after': Number(retryAfter)};

	const code = typeof given === 'string' ? given : `HTTP_${status}`;
	const reason = typeof msg === 'string' && msg !== '' ? msg : (STATUS_CODES[status] ?? 'no reason given');
	return new ApiError(operation, code, status, reason, readFields(code, fields));
}
