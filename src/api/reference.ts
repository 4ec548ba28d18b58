// The wire table in words: for the terminal's help and for docs/api.md.

import {z} from 'zod';
import {operations} from './index.js';
import type {Callers, Operation, Parameter} from './operation.js';

export const CALLERS: Readonly<Record<Callers, string>> = {
	anyone: 'anyone, without login',
	public: 'people and bots, and without login where the organization has public access',
	users: 'people and bots',
	humans: 'people, no bots',
	members: 'members, no guests',
	administrators: 'administrators and owners',
	bots: 'bots',
};

interface JsonSchema {
	readonly type?: string;
	readonly format?: string;
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly JsonSchema[];
	readonly oneOf?: readonly JsonSchema[];
	readonly items?: JsonSchema;
}

/** What a value may be: `integer`, `array of (integer or string)`. */
export function typeOf(schema: z.ZodType): string {
	// JSON Schema as zod writes it, of which we read these fields only.
	return wordsOf(z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}) as JsonSchema);
}

function wordsOf(schema: JsonSchema): string {
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) {
		return [...new Set(choices.map(wordsOf))].join(' or ');
	}

	const values = schema.const === undefined ? schema.enum : [schema.const];
	if (values) {
		return values.map(value => JSON.stringify(value)).join(' or ');
	}

	if (schema.format === 'binary') {
		return 'file';
	}

	if (schema.type !== 'array' || schema.items?.type === undefined) {
		return schema.type ?? 'any JSON';
	}

	const items = wordsOf(schema.items);
	return `array of ${items.includes(' or ') ? `(${items})` : items}`;
}

/** What stands beside a parameter's type: whether it must be given, its default, level and old names. */
export function remarksOf({required, default: value, since, aliases = []}: Parameter): string {
	return [
		required ? 'required' : 'optional',
		...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
		...(since === undefined ? [] : [`since level ${since}`]),
		...(aliases.length === 0 ? [] : [`formerly ${aliases.join(', ')}`]),
	].join('; ');
}

/** The whole table as Markdown. */
export function reference(): string {
	const all: readonly Operation[] = Object.values(operations);
	return `${[
		'# The service’s API, as Bothy speaks it',
		'Printed from the wire table in `src/api/` by `npm run docs`. In the terminal: `bothy call <operation> [name=value …]`.',
		...all.map(section),
	].join('\n\n')}\n`;
}

function section(operation: Operation): string {
	const {name, method, path, about, callers, since, parameters} = operation;
	const level = since === undefined ? '' : ` Since level ${since}.`;
	const rows = Object.entries(parameters).map(([parameter, declared]) =>
		row([`\`${parameter}\``, typeOf(declared.schema), remarksOf(declared), declared.about]),
	);
	const table =
		rows.length === 0
			? []
			: [[row(['Parameter', 'Type', 'Given', 'Meaning']), '|---|---|---|---|', ...rows].join('\n')];
	return [`## ${name}`, `\`${method} ${path}\`: ${about}. For ${CALLERS[callers]}.${level}`, ...table].join('\n\n');
}

function row(cells: readonly string[]): string {
	return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
