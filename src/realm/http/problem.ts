// What is wrong with a parameter, in the service's words.

import {z} from '../../api/zod.js';

const kinds: Readonly<Record<string, string>> = {
	int: 'an integer',
	number: 'an integer',
	boolean: 'a boolean',
	array: 'a list',
	tuple: 'a list',
	string: 'a string',
	object: 'a dict',
	record: 'a dict',
};

/** One complaint in the service's words. */
export function describe(name: string, issue: z.core.$ZodIssue, schema: z.ZodType): string {
	const at = issue.path.reduce<string>(
		(text, key) => `${text}${typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`}`,
		name,
	);
	switch (issue.code) {
		case 'invalid_type':
			return isMissing(issue)
				? `${at} field is missing: Field required`
				: `${at} is not ${kindOf(schemaAt(schema, issue.path)) ?? kinds[issue.expected] ?? 'valid'}`;
		case 'invalid_value':
			if (issue.input === undefined && issue.path.length > 0) {
				return `${at} field is missing: Field required`;
			}

			// The message of the schema.
			if (!/^Invalid (?:option|input)|^Value error/.test(issue.message)) {
				return issue.message;
			}

			if (typeof issue.values[0] === 'number' && !Number.isSafeInteger(issue.input)) {
				return `${at} is not an integer`;
			}

			return typeof issue.values[0] === 'string' && !issue.message.startsWith('Value error')
				? `Invalid ${at}`
				: `Invalid ${at}: Value error, Not in the list of possible values`;
		case 'unrecognized_keys':
			return `Argument "${issue.keys[0]}" at ${at}["${issue.keys[0]}"] is unexpected`;
		case 'too_small':
			return issue.origin === 'string' ? `${at} cannot be blank` : `${at} is too small`;
		case 'too_big':
			return issue.origin === 'string'
				? `${at} is too long (limit: ${issue.maximum} characters)`
				: `${at} is too large`;
		case 'invalid_union': {
			if (issue.message.startsWith('Value error')) {
				return `Invalid ${at}: ${issue.message}`;
			}

			if (issue.message.startsWith('operand')) {
				return issue.message;
			}

			// Of the kinds that a value may be of, the service complains about the first one, and says which that is.
			const first = issue.errors[0]?.[0];
			const [kind] = optionsOf(schemaAt(schema, issue.path));
			if (!first || !kind) {
				return `${at} is not valid`;
			}

			return issue.input === undefined && issue.path.length > 0
				? `${at} field is missing: Field required`
				: describe(`${at}${labelOf(kind)}`, first, kind);
		}

		case 'invalid_format':
			return `${at} has invalid format`;
		case 'custom':
			return `${at} ${issue.message}`;
		default:
			return `${at} is not valid`;
	}
}

/** zod reports a missing key as a wrong type. */
function isMissing(issue: z.core.$ZodIssueInvalidType): boolean {
	return issue.path.length > 0 && typeof issue.path.at(-1) === 'string' && issue.message.endsWith('received undefined');
}

/** What is read here of a schema's definition. */
interface Definition {
	readonly element?: z.ZodType;
	/** Of a record. */
	readonly valueType?: z.ZodType;
	readonly innerType?: z.ZodType;
	readonly in?: z.ZodType;
	readonly shape?: Readonly<Record<string, z.ZodType>>;
	readonly options?: readonly z.ZodType[];
}

/** Without what makes it optional or turns it into something else. */
function plain(schema: z.ZodType): z.ZodType {
	const {innerType, in: input} = schema.def as Definition;
	return innerType || input ? plain((innerType ?? input) as z.ZodType) : schema;
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType {
	return path.reduce<z.ZodType>((outer, key) => {
		const {element, shape, valueType} = plain(outer).def as Definition;
		return element ?? shape?.[String(key)] ?? valueType ?? outer;
	}, schema);
}

export function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
	return (plain(schema).def as Definition).options ?? [];
}

/** As the service names the kind of a value where there are several; it has no name for an object. */
function labelOf(schema: z.ZodType): string {
	const name = kindName(schema);
	return name === undefined ? '' : `["${name}"]`;
}

function kindName(schema: z.ZodType): string | undefined {
	const {element} = schema.def as Definition;
	if (element) {
		return `list[${kindName(element)}]`;
	}

	if (schema instanceof z.ZodRecord) {
		return 'dict[str,str]';
	}

	if (schema instanceof z.ZodNumber) {
		return schema.isInt ? 'int' : 'float';
	}

	return schema instanceof z.ZodBoolean ? 'bool' : schema instanceof z.ZodString ? 'str' : undefined;
}

/** Zod calls every number a number. */
function kindOf(schema: z.ZodType): string | undefined {
	const inner = plain(schema);
	return inner instanceof z.ZodNumber && !inner.isInt ? 'a float' : undefined;
}
