// Describes an operation in text, for the terminal's help and for docs/api.md.

import type {Callers, Operation, Parameter} from './operation.js';
import {z} from './zod.js';

const CALLERS: Readonly<Record<Callers, string>> = {
	anyone: 'anyone, without login',
	public: 'people and bots, and without login where the organization has public access',
	users: 'people and bots',
	humans: 'people, no bots',
	members: 'members, no guests',
	administrators: 'administrators and owners',
	bots: 'bots',
};

interface JsonSchema {
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly JsonSchema[];
	readonly oneOf?: readonly JsonSchema[];
	readonly items?: JsonSchema;
	readonly prefixItems?: readonly JsonSchema[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
}

/** The type of a value: `integer`, `array of (integer or string)`, `{id: integer, note?: string}`. */
export function typeOf(schema: z.ZodType): string {
	// JSON Schema as zod writes it. We read only these fields.
	return wordsOf(z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}) as JsonSchema);
}

/** An object within an object gets no further description. */
function wordsOf(schema: JsonSchema, isWithin = false): string {
	const wordsWithin = (inner: JsonSchema) => wordsOf(inner, isWithin);
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) {
		return [...new Set(choices.map(wordsWithin))].join(' or ');
	}

	const values = schema.const === undefined ? schema.enum : [schema.const];
	if (values) {
		return values.map(value => JSON.stringify(value)).join(' or ');
	}

	if (schema.format === 'binary') {
		return 'file';
	}

	if (schema.prefixItems) {
		return `[${schema.prefixItems.map(wordsWithin).join(', ')}]`;
	}

	if (schema.items) {
		const items = wordsWithin(schema.items);
		return `array of ${items.includes(' or ') ? `(${items})` : items}`;
	}

	return schema.properties && !isWithin ? fieldsOf(schema.properties, schema.required) : kindOf(schema);
}

function kindOf({type = 'any JSON'}: JsonSchema): string {
	return [type].flat().join(' or ');
}

function fieldsOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): string {
	const fields = Object.entries(properties).map(
		([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${wordsOf(schema, true)}`,
	);
	return `{${fields.join(', ')}}`;
}

/** Who may call an operation, and from which level on. */
export function callersOf({callers, botsSince, since}: Operation): string {
	const bots = botsSince === undefined ? '' : `; bots since level ${botsSince}`;
	return `${CALLERS[callers]}${bots}.${since === undefined ? '' : ` Since level ${since}.`}`;
}

/** Text after a parameter's type: whether it is required, its default, levels and old names. */
export function remarksOf(parameter: Parameter): string {
	const {required, default: value, since, valuesSince = {}, aliases = [], formerly} = parameter;
	return [
		required ? 'required' : 'optional',
		...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
		...(since === undefined ? [] : [`since level ${since}`]),
		...Object.entries(valuesSince).map(([name, level]) => `"${name}" since level ${level}`),
		...(aliases.length === 0 ? [] : [`old name: ${aliases.join(', ')}`]),
		...(formerly === undefined ? [] : [`named ${formerly.name} below level ${formerly.until}`]),
	].join('; ');
}
