// What can go wrong with a call to the service, sorted by who failed.

import type {ErrorCode, FieldsOf} from './error-codes.js';

/** The longest window of a service's own limits (service-facts.md 2.1): more is a mistake, or malice. */
const LONGEST_RETRY_SECONDS = 3_600;

/** Whoever waits less asks without end. */
const SHORTEST_RETRY_SECONDS = 0.05;

/** The service said no. */
export class ApiError<Code extends string = string> extends Error {
	override name = 'ApiError' as const;

	constructor(
		readonly operation: string,
		/** The service's own code, `BAD_REQUEST` say; an answer without one has `HTTP_<status>`. */
		readonly code: Code,
		readonly status: number,
		/** The service's text, in the account's language: for people, never for decisions. */
		readonly reason: string,
		readonly fields: FieldsOf<Code>,
	) {
		super(`${operation} was refused: ${reason} (${code}, HTTP ${status})`);
	}

	/**
	 * Whether it is this one of the codes that we know; then its fields are known too.
	 *
	 * @example
	 * if (error instanceof ApiError && error.is('STREAM_DOES_NOT_EXIST')) {
	 * 	await ctx.reply(`There is no channel ${error.fields.stream}`);
	 * }
	 */
	is<Known extends ErrorCode>(code: Known): this is ApiError<Known> {
		return (this.code as string) === code;
	}

	/** Seconds to wait before the call may be repeated, where the service named them (429); none at all are no wait. */
	get retryAfterSeconds(): number | undefined {
		const {'retry-after': seconds}: {'retry-after'?: unknown} = this.fields;
		return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)
			? Math.min(Math.max(seconds, SHORTEST_RETRY_SECONDS), LONGEST_RETRY_SECONDS)
			: undefined;
	}
}

/** No answer came: refused, broken, timed out. */
export class NetworkError extends Error {
	override name = 'NetworkError' as const;
	readonly code = 'network';

	constructor(
		readonly operation: string,
		/** False when the request certainly never reached the service. */
		readonly mayHaveArrived: boolean,
		options: {cause: unknown},
	) {
		super(`No answer to ${operation}: ${describe(options.cause)}`, options);
	}
}

/** An answer came that is none of this API's: HTML of a proxy, cut JSON, missing fields. */
export class ResponseError extends Error {
	override name = 'ResponseError' as const;
	readonly code = 'response';

	constructor(
		readonly operation: string,
		readonly status: number,
		/** What was expected and what was found, without any of the answer's text. */
		readonly detail: string,
	) {
		super(`Answer to ${operation} is unreadable (HTTP ${status}): ${detail}`);
	}
}

function describe(cause: unknown): string {
	return cause instanceof Error ? cause.message || cause.name : String(cause);
}
