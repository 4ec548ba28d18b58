// Encodes values as JSON. Refuses values that JSON would change or drop.

type Lost =
	| Date
	| RegExp
	| Error
	| ReadonlyMap<never, never>
	| ReadonlySet<never>
	| bigint
	| symbol
	| ((...args: never[]) => unknown);

/** The type of a value if JSON can carry it. Otherwise a type that no value has, so the call does not compile. */
export type Jsonable<Value> = Value extends Lost
	? {readonly 'JSON cannot carry this: store text or a number': never}
	: Value extends object
		? {readonly [Key in keyof Value]: Jsonable<Value[Key]>}
		: Value;

/**
 * The JSON text of a value; undefined for undefined.
 *
 * @throws TypeError that begins with `where`, for what JSON would lose: a Date, Map, Set, function, BigInt, instance of a class,
 * NaN.
 */
export function encodeJson(value: unknown, where: string): string | undefined {
	return JSON.stringify(value, function refuseLost(this: Record<string, unknown>, key, encoded: unknown) {
		// The value before its own toJSON changed it.
		const found = key === '' && this[''] === value ? value : this[key];
		const lost = lostKind(found) ?? (found === undefined && Array.isArray(this) ? 'undefined in a list' : undefined);
		if (lost !== undefined) {
			const place = key === '' ? '' : ` in \`${key}\``;
			throw new TypeError(`${where} with a value that JSON can carry, got ${lost}${place}; store text or a number`);
		}

		return encoded;
	});
}

function lostKind(value: unknown): string | undefined {
	switch (typeof value) {
		case 'bigint':
			return 'a BigInt';
		case 'function':
			return 'a function';
		case 'symbol':
			return 'a symbol';
		case 'number':
			return Number.isFinite(value) ? undefined : String(value);
		case 'object':
			return value === null || Array.isArray(value) || isPlain(value) ? undefined : nameOf(value);
		default:
			return undefined;
	}
}

/** Also an object of another JavaScript realm, such as those of test runners. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
	return `a ${value.constructor?.name || 'class instance'}`;
}
