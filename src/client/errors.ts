// What can go wrong with a call to the service, sorted by who failed.

/** Fields that particular codes add to an error answer (spec.md, Errors; service-facts.md 1.3). */
export interface ErrorFields {
	readonly [field: string]: unknown;
}

/** The service said no. */
export class ApiError extends Error {
	override name = 'ApiError' as const;

	constructor(
		readonly operation: string,
		/** The service's own code, `BAD_REQUEST` say; an answer without one has `HTTP_<status>`. */
		readonly code: string,
		readonly status: number,
		/** The service's text, in the account's language: for people, never for decisions. */
		readonly reason: string,
		readonly fields: ErrorFields,
	) {
		super(`${operation} was refused: ${reason} (${code}, HTTP ${status})`);
	}

	/** Seconds to wait before the call may be repeated, where the service named them (429). */
	get retryAfterSeconds(): number | undefined {
		const seconds = Number(this.fields['retry-after']);
		return Number.isFinite(seconds) ? seconds : undefined;
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
