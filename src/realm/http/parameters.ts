// Decodes the parameters of an operation in the table's order. The first bad one is reported (service-facts.md 7.2).

import type {Operation, Parameter} from '../../api/index.js';
import {z} from '../../api/zod.js';
import {badRequest, missingArgument, RealmError} from '../errors.js';
import {valueAt} from '../levels.js';
import type {Fields} from './fields.js';
import {describe, optionsOf} from './problem.js';

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
