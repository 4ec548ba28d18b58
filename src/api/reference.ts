// The wire table in words: for the terminal's help and for docs/api.md.

import {z} from 'zod';
import {operations} from './index.js';
import type {Callers, Operation, Parameter} from './operation.js';

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

/** What a value may be: `integer`, `array of (integer or string)`, `{id: integer, note?: string}`. */
export function typeOf(schema: z.ZodType): string {
	// JSON Schema as zod writes it, of which we read these fields only.
	return wordsOf(z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}) as JsonSchema);
}

/** Of an object within an object nothing more is said. */
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

/** What stands beside a parameter's type: whether it must be given, its default, levels and old names. */
export function remarksOf(parameter: Parameter): string {
	const {required, default: value, since, valuesSince = {}, aliases = [], formerly} = parameter;
	return [
		required ? 'required' : 'optional',
		...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
		...(since === undefined ? [] : [`since level ${since}`]),
		...Object.entries(valuesSince).map(([name, level]) => `"${name}" since level ${level}`),
		...(aliases.length === 0 ? [] : [`formerly ${aliases.join(', ')}`]),
		...(formerly === undefined ? [] : [`${formerly.name} below level ${formerly.until}`]),
	].join('; ');
}

/** Real servers, and what the realm does instead. */
const differences: ReadonlyArray<readonly [servers: string, realm: string]> = [
	['`createDrafts` without `drafts` is refused', 'creates none'],
	['`updatePresence` with `ping_only` says no `presence_last_update_id`', 'says it, -1 unless one was given'],
	[
		'What needs no login still needs one below `/api/v1`',
		'needs none if the organization has public access; off by default',
	],
	[
		'Level 339 checks `type` before `content` in `sendMessage` and `createScheduledMessage`',
		'checks `content` first at every level',
	],
	['Guests can become administrators at level 442', 'refuses it at every level'],
	['Messages of archived channels cannot be read one by one at level 339', 'can be read at every level'],
	['The web home view `recent` is called `recent_topics` before level 454', 'takes both from that level on'],
	['`serviceOutgoingWebhook` and `zulipOutgoingWebhook` do not exist', 'answer with an example of the payload'],
	[
		'Complaints about nested parameters name the validator’s own types, such as `to["int"]`',
		'name the parameter alone',
	],
	['A search finds words by their stems and passes over common ones', 'finds parts of words'],
	['`updateSettings` asks for a confirmation of `email` by mail', 'changes it at once'],
	['Welcome Bot greets new users', 'nobody does'],
];

/** The whole table as Markdown. */
export function reference(): string {
	const all: readonly Operation[] = Object.values(operations);
	return `${[
		'# The service’s API, as Bothy speaks it',
		'Printed from the wire table in `src/api/` by `npm run docs`. In the terminal: `bothy call <operation> [name=value …]`.',
		...all.map(section),
		'## Where servers and the realm differ',
		'Bothy’s client accepts both. The local realm does what the second column says.',
		[row(['Real servers', 'The realm']), '|---|---|', ...differences.map(row)].join('\n'),
	].join('\n\n')}\n`;
}

function section(operation: Operation): string {
	const {name, method, path, about, parameters} = operation;
	const rows = Object.entries(parameters).map(([parameter, declared]) =>
		row([`\`${parameter}\``, typeOf(declared.schema), remarksOf(declared), declared.about]),
	);
	const table =
		rows.length === 0
			? []
			: [[row(['Parameter', 'Type', 'Given', 'Meaning']), '|---|---|---|---|', ...rows].join('\n')];
	return [`## ${name}`, `\`${method} ${path}\`: ${about}. For ${callersOf(operation)}`, ...table].join('\n\n');
}

function row(cells: readonly string[]): string {
	return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
