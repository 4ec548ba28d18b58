/** The realm says no to a caller: status, `code` and extra fields as service-facts.md 1.3 lists them. */
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

/** The catch-all of the service. */
export function badRequest(message: string, fields: Readonly<Record<string, unknown>> = {}): RealmError {
	return new RealmError(message, 'BAD_REQUEST', 400, fields);
}

/** What is wrong with one field, or with all of them together. */
export function invalid(message: string, field = '__all__'): RealmError {
	return badRequest(message, {errors: {[field]: [message]}});
}

/** A parameter that must be given was not. */
export function missingArgument(name: string): RealmError {
	return new RealmError(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', 400, {var_name: name});
}

/** Parameters that may not be given together. */
export function incompatible(names: readonly string[]): RealmError {
	const parameters = names.join(', ');
	return badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
}

/** The realm says nothing any more: the caller's connection is cut. */
export class ConnectionLost extends Error {
	override name = 'ConnectionLost' as const;
}
