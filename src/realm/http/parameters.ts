// Decodes the parameters of an operation in the table's order. The first bad one is reported (service-facts.md 7.2).

import type {Operation, Parameter} from '../../api/index.js';
import {z} from '../../api/zod.js';
import {badRequest, missingArgument, RealmError} from '../errors.js';
import {valueAt} from '../levels.js';
import type {Fields} from './fields.js';

export interface Decoding {
	readonly operation: Operation;
	readonly fields: Fields;
	/** Parameters from the path. */
	readonly path: Readonly<Record<string, string>>;
	/** Parameters and values that are newer than this level are unknown. */
	readonly featureLevel: number;
	/** Parameters that the handler parses itself. They are passed as text. */
	readonly raw: readonly string[];
	/** Those of them that are not refused here where they are missing. */
	readonly mayLack: readonly string[];
}

/** Values by parameter, with defaults filled in. */
export function decodeParameters(decoding: Decoding): Record<string, unknown> {
	const {operation, path, raw, mayLack, featureLevel} = decoding;
	const values: Record<string, unknown> = {};
	for (const [name, parameter] of inOrder(operation, featureLevel)) {
		if (parameter.encoding === 'file') {
			values[name] = oneFile(decoding.fields.files);
			continue;
		}

		const text = inPath(path[name], parameter) ?? textOf(name, parameter, decoding);
		if (text === undefined && parameter.required && !mayLack.includes(name)) {
			throw missingArgument(name);
		}

		values[name] = raw.includes(name)
			? text
			: valueAt(parameter.schema, decode(name, parameterAt(parameter, featureLevel), text), featureLevel);
	}

	return values;
}

/** The order in which a server of that level checks them. */
function inOrder({parameters, orderBefore}: Operation, featureLevel: number): ReadonlyArray<[string, Parameter]> {
	const entries = Object.entries(parameters);
	const first = orderBefore && featureLevel < orderBefore.level ? orderBefore.first : [];
	const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
	return entries.sort(([one], [other]) => rank(one) - rank(other));
}

/** No ID is as long as one may be written: whatever is too large is unknown. */
function inPath(text: string | undefined, {schema}: Parameter): string | undefined {
	const isNumber = schema instanceof z.ZodNumber && text !== undefined;
	const isTooLarge = isNumber && !Number.isSafeInteger(Number(text));
	return isTooLarge ? String(Number.MAX_SAFE_INTEGER) : text;
}

/** Names of parameters that were sent but not used, sorted. */
export function unsupportedNames({operation, fields, featureLevel}: Decoding): string[] {
	const read = Object.entries(operation.parameters).flatMap(([name, parameter]) =>
		isKnown(parameter, featureLevel) ? namesOf(name, parameter, featureLevel) : [],
	);

	// Every operation accepts `client` and `method`.
	return [...fields.names].filter(name => ![...read, 'client', 'method'].includes(name)).sort();
}

function isKnown(parameter: Parameter, featureLevel: number): boolean {
	return (parameter.since ?? 0) <= featureLevel;
}

/** The names under which a parameter is read. */
function namesOf(name: string, {formerly, aliases = []}: Parameter, featureLevel: number): string[] {
	return formerly && featureLevel < formerly.until ? [formerly.name] : [name, ...aliases];
}

function textOf(name: string, parameter: Parameter, {fields, featureLevel}: Decoding): string | undefined {
	if (!isKnown(parameter, featureLevel)) {
		return undefined;
	}

	const [first, second] = namesOf(name, parameter, featureLevel).filter(each => fields.names.has(each));
	if (first !== undefined && second !== undefined) {
		throw new RealmError(`Can't decide between '${first}' and '${second}' arguments`, 'REQUEST_CONFUSING_VAR', 400, {
			var_name1: first,
			var_name2: second,
		});
	}

	return first === undefined ? undefined : fields.get(first);
}

/** The schema without values that are newer than the level. Of a union, only the first kind is older. */
function parameterAt(parameter: Parameter, featureLevel: number): Parameter {
	const {schema, valuesSince = {}} = parameter;
	const newer = Object.keys(valuesSince).filter(value => (valuesSince[value] ?? 0) > featureLevel);
	if (newer.length > 0 && schema instanceof z.ZodUnion) {
		const [known] = optionsOf(schema);
		return known ? {...parameter, schema: known, encoding: 'json'} : parameter;
	}

	return newer.length > 0 && schema instanceof z.ZodEnum ? {...parameter, schema: schema.exclude(newer)} : parameter;
}

function oneFile([file, other]: readonly File[]): File {
	if (!file) {
		throw badRequest('You must specify a file to upload');
	}

	if (other) {
		throw badRequest('You may only upload one file at a time');
	}

	return file;
}

function decode(name: string, parameter: Parameter, text: string | undefined): unknown {
	if (text === undefined) {
		return parameter.default;
	}

	// Each kind is JSON of its own, and the service complains about the first one.
	const [first] = parameter.encoding === 'json' ? optionsOf(parameter.schema) : [];
	const isSplit = first instanceof z.ZodString;
	const place = isSplit ? `${name}["json[str]"]` : name;
	const value = parse(place, parameter, text);
	const asGiven = parameter.schema.safeParse(value, {reportInput: true});
	const result = asGiven.success ? asGiven : parameter.schema.safeParse(clamp(value), {reportInput: true});
	if (result.success) {
		return result.data;
	}

	const [issue] = result.error.issues;
	const problem = isSplit ? `${place} is not a string` : issue && describe(name, issue, parameter.schema);
	throw badRequest(problem ?? `${name} is not valid`);
}

function parse(name: string, {encoding}: Parameter, text: string): unknown {
	if (encoding === 'text') {
		return text;
	}

	try {
		return JSON.parse(text);
	} catch {
		if (encoding === 'either') {
			return text;
		}

		throw badRequest(`${name} is not valid JSON`);
	}
}

/** The service knows integers of every size. No ID is as large as the largest one here. */
function clamp(value: unknown): unknown {
	if (typeof value === 'number' && Number.isInteger(value)) {
		return Math.max(Math.min(value, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
	}

	return Array.isArray(value) ? value.map(clamp) : value;
}

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
function describe(name: string, issue: z.core.$ZodIssue, schema: z.ZodType): string {
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

function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
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
