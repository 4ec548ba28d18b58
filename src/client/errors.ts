// Errors of calls to the service, by who failed.

import type {ErrorCode, FieldsOf} from './error-codes.js';

/** The longest window of a service's own limits (service-facts.md 2.1). More is a mistake or malicious. */
const LONGEST_RETRY_SECONDS = 3_600;

/** A shorter wait would repeat the call without pause. */
const SHORTEST_RETRY_SECONDS = 0.05;

/** The service refused the call. */
export class ApiError<Code extends string = string> extends Error {
	override name = 'ApiError' as const;

	constructor(
		/** The operation, such as `sendMessage`. */
		readonly operation: string,
		/** The service's code, such as `BAD_REQUEST`. If it gave none: `HTTP_<status>`. */
		readonly code: Code,
		/** HTTP status. */
		readonly status: number,
		/** The service's message, in the account's language. Show it to people; decide by `code`. */
		readonly reason: string,
		/** What else the service says about this code. */
		readonly fields: FieldsOf<Code>,
	) {
		super(`${operation} was refused: ${reason} (${code}, HTTP ${status})`);
	}

	/**
	 * Whether the error has this code. Narrows the type of `fields`.
	 *
	 * @example
	 * if (error instanceof ApiError && error.is('STREAM_DOES_NOT_EXIST')) {
	 * 	await ctx.reply(`There is no channel ${error.fields.stream}`);
	 * }
	 */
	is<Known extends ErrorCode>(code: Known): this is ApiError<Known> {
		return (this.code as string) === code;
	}

	/** How many seconds to wait before the next call, if the service said so (429). Never below 0.05. */
	get retryAfterSeconds(): number | undefined {
		const {'retry-after': seconds}: {'retry-after'?: unknown} = this.fields;
		return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)
			? Math.min(Math.max(seconds, SHORTEST_RETRY_SECONDS), LONGEST_RETRY_SECONDS)
			: undefined;
	}
}

/** There was no answer: connection refused, broken or timed out. */
export class NetworkError extends Error {
	override name = 'NetworkError' as const;
	readonly code = 'network';

	constructor(
		/** The operation, such as `sendMessage`. */
		readonly operation: string,
		/** False if the request certainly never reached the service. */
		readonly mayHaveArrived: boolean,
		options: {cause: unknown},
	) {
		super(`No answer to ${operation}: ${describe(options.cause)}`, options);
	}
}

/** The answer is not one of this API: HTML of a proxy, truncated JSON, missing fields. */
export class ResponseError extends Error {
	override name = 'ResponseError' as const;
	readonly code = 'response';

	constructor(
		/** The operation, such as `sendMessage`. */
		readonly operation: string,
		/** HTTP status. */
		readonly status: number,
		/** What was expected and found, without the answer's text. */
		readonly detail: string,
	) {
		super(`Answer to ${operation} is unreadable (HTTP ${status}): ${detail}`);
	}
}

function describe(cause: unknown): string {
	return cause instanceof Error ? cause.message || cause.name : String(cause);
}
