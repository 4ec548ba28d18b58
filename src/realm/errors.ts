/** An error for the caller, with status, `code` and extra fields as service-facts.md 1.3 lists them. */
export class RealmError extends Error {
	override name = 'RealmError' as const;

	constructor(
		message: string,
		readonly code: string,
		readonly status = 400,
		readonly fields: Readonly<Record<string, unknown>> = {},
	) {
		super(message);
	}
}

/** An error with the service's general code. */
export function badRequest(message: string, fields: Readonly<Record<string, unknown>> = {}): RealmError {
	return new RealmError(message, 'BAD_REQUEST', 400, fields);
}

/** An error about one field, or about several together. */
export function invalid(message: string, field = '__all__'): RealmError {
	return badRequest(message, {errors: {[field]: [message]}});
}

/** A required parameter is missing. */
export function missingArgument(name: string): RealmError {
	return new RealmError(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', 400, {var_name: name});
}

/** These parameters may not be given together. */
export function incompatible(names: readonly string[]): RealmError {
	const parameters = names.join(', ');
	return badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
}

/** Cuts the caller's connection without an answer. */
export class ConnectionLost extends Error {
	override name = 'ConnectionLost' as const;
}
