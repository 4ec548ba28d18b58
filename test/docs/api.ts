// docs/api.md: every operation of the wire table, with a call of it in a real realm.

import {readdirSync} from 'node:fs';
import {basename} from 'node:path';
import {type Operation, operations} from '../../src/api/index.js';
import {callersOf, remarksOf, typeOf} from '../../src/api/reference.js';
import {z} from '../../src/api/zod.js';
import {ApiError} from '../../src/client/errors.js';
import {openRealm} from '../../src/realm/index.js';
import {createClients} from '../../src/testing/clients.js';
import {createLocalPool} from '../../src/testing/connections.js';
import {EXAMPLES, type Example, type Who} from './api-examples.js';

const INTRODUCTION = `# API

This page lists the operations of the service that Bothy's client has methods for. \`npm run docs\` generates it from the
descriptions in \`src/api/\`; the calls and answers were made on a local realm.

- In a bot, \`client\` is [\`ctx.api\`](bots.md#ctxapi), which calls as the bot's account. In a test, \`t.alice.api\` calls as a person.
- In the terminal: \`npx bothy call <operation> name=value …\`. \`npx bothy call <operation> --help\` shows one operation.
- "Since level 417" names the server's API feature level. If a server is older, the client refuses the call with
  \`UNSUPPORTED_BY_SERVER\`, unless the parameter makes no difference there.
- A result may have more fields than listed here. A field with \`?\` may be missing.

## Errors

A call rejects with one of three errors: \`ApiError\` (the service refused; it has \`code\`, \`status\`, \`reason\` and \`fields\`),
\`NetworkError\` (no answer) or \`ResponseError\` (an answer that cannot be read). These apply to every operation, so they are
not repeated below:

| Status | Code | When |
|---|---|---|
| 400 | \`REQUEST_VARIABLE_MISSING\` | a required parameter is missing; \`fields.var_name\` names it |
| 400 | \`REQUEST_VARIABLE_INVALID\`, \`BAD_REQUEST\` | a value has the wrong type or is out of range |
| 401 | \`UNAUTHORIZED\`, \`INVALID_API_KEY\` | no credentials, or a wrong key |
| 401 | \`USER_DEACTIVATED\` | the account was deactivated |
| 429 | \`RATE_LIMIT_HIT\` | too many calls; \`fields['retry-after']\` says how many seconds to wait. The client waits by itself if the time allows |

Decide by \`code\`, never by the message: servers translate it.`;

/** Real servers, and what the realm does instead. */
const DIFFERENCES: ReadonlyArray<readonly [servers: string, realm: string]> = [
	['`createDrafts` without `drafts` is refused', 'creates none'],
	['`updatePresence` with `ping_only` returns no `presence_last_update_id`', 'returns it; -1 if none was given'],
	[
		'Operations without login still need a login below `/api/v1`',
		'they need none if the organization has public access, which is off by default',
	],
	['Guests can become administrators at level 442', 'refuses it at every level'],
	['Messages of archived channels cannot be read one by one at level 339', 'can be read at every level'],
	['The web home view `recent` is called `recent_topics` before level 454', 'takes both from that level on'],
	['`serviceOutgoingWebhook` and `zulipOutgoingWebhook` do not exist', 'answer with an example of the payload'],
	['The refusal of a list item that is no object names a Python class, such as `DraftData`', 'says `is not a dict`'],
	['`true` as a channel or as a user of a narrow counts as the ID 1', 'is refused'],
	['`with` and a direct message find the messages to oneself at level 339', 'find the conversation'],
	['Webhooks and messages color code blocks with `<span>` elements', 'have the text alone'],
	['The `sender_realm_str` of a message names the organization', 'is empty'],
	['Webhooks keep the connection open and say which development version posted them', 'close it and name the release'],
	['Invitations are sent by mail, and people join through them', 'keeps them; administrators create people'],
	['A null byte in a name, a title or another short text makes them fail with status 500', 'refuses it with 400'],
	['A search finds words by their stems', 'finds parts of words'],
	['`getMessages` with `message_ids` has no fixed order', 'sorts by ID'],
	['The reaction type of `:zulip:` is `zulip_extra_emoji`', 'takes it, and answers `service_extra_emoji`'],
	['Formulas are typeset', 'have their source alone'],
	['`updateSettings` asks for a confirmation of `email` by mail', 'changes it at once'],
	['Welcome Bot greets new users', 'sends nothing'],
	['`#**channel**` in a message links a private channel that its author cannot see', 'has its text alone'],
	[
		'At level 339, somebody who created a private channel and unsubscribes gets `stream` `delete`',
		'still shows it to them, since they may administer it',
	],
];

export async function apiDocument(): Promise<string> {
	const [groups, calls] = await Promise.all([readGroups(), makeCalls()]);
	return `${[
		INTRODUCTION,
		'## Operations',
		...groups.map(tableOf),
		...groups.flatMap(({title, operations}) => [
			`## ${title}`,
			...operations.map(each => sectionOf(each, calls[each.name])),
		]),
		'## Differences between servers and the realm',
		'The client works with both.',
		['| Real servers | The realm |', '|---|---|', ...DIFFERENCES.map(cells => `| ${cells.join(' | ')} |`)].join('\n'),
	].join('\n\n')}\n`;
}

interface Group {
	readonly title: string;
	readonly operations: readonly Operation[];
}

/** One group for each file of the wire table. */
async function readGroups(): Promise<Group[]> {
	const folder = new URL('../../src/api/', import.meta.url);
	const known = new Set<unknown>(Object.values(operations));
	const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.filter(file => file.endsWith('.js') && file !== 'index.js')
		.map(file => ({file, name: basename(file, '.js')}))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
	const groups = await Promise.all(
		files.map(async ({file, name}) => {
			const module: Record<string, unknown> = await import(new URL(file, folder).href);
			const title = name.replaceAll('-', ' ').replace(/^./, first => first.toUpperCase());
			const found = Object.values(operations).filter(
				each => Object.values(module).includes(each) && known.delete(each),
			);
			return {title, operations: found};
		}),
	);
	return groups.filter(({operations}) => operations.length > 0);
}

function tableOf({title, operations}: Group): string {
	const rows = operations.map(({name, about}) => `| [\`${name}\`](#${name.toLowerCase()}) | ${about} |`);
	return [`| ${title} | |`, '|---|---|', ...rows].join('\n');
}

interface Refusal {
	readonly when: string;
	readonly error: ApiError;
}

interface Made {
	readonly example: Example;
	readonly answer: object;
	readonly refusals: readonly Refusal[];
}

async function makeCalls(): Promise<Record<string, Made>> {
	const realm = openRealm({
		file: ':memory:',
		now: Date.parse('2026-11-21T10:00:00Z'),
		rateLimit: false,
		connect() {
			throw new Error('Expected no webhook');
		},
	});
	const echo = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:8080/webhook'});
	const pool = createLocalPool(realm.server, realm.url);
	const clientOf = createClients(realm, pool);
	const call = async (name: string, {as, given}: {as: Who; given: object}): Promise<object> => {
		const client = clientOf(as === 'echo' ? echo.email : `${as}@bothy.example`);
		// Each operation has its method, and the realm checks what it is given.
		return (client[name as keyof typeof operations] as (given: object) => Promise<object>)(given);
	};
	const answers: Record<string, object> = {};
	const made: Record<string, Made> = {};
	try {
		for (const [name, entry] of Object.entries(EXAMPLES).filter(([name]) => name in operations)) {
			const example = typeof entry === 'function' ? entry(answers) : entry;
			const {as = 'alice', given} = example;
			const refusals: Refusal[] = [];
			for (const [when, wrong] of wrongCalls(operations[name as keyof typeof operations], example)) {
				const error = await call(name, {as, ...wrong, given: {...given, ...wrong.given}}).catch(error => error);
				if (!(error instanceof ApiError)) {
					throw new Error(`${name}: expected the realm to refuse the call "${when}", found ${JSON.stringify(error)}`);
				}

				refusals.push({when, error});
			}

			const answer = await call(name, {as, given});
			answers[name] = answer;
			made[name] = {example, answer, refusals};
		}
	} finally {
		await pool.destroy();
		await realm.close();
	}

	return made;
}

const UNFIT: Readonly<Partial<Record<Operation['callers'], readonly [Who, string]>>> = {
	members: ['gus', 'the caller is a guest'],
	humans: ['echo', 'the caller is a bot'],
	administrators: ['alice', 'the caller is a member'],
	bots: ['alice', 'the caller is a person'],
};

/** Calls with an ID that nothing has and by somebody who may not, and those that the example adds. */
function wrongCalls(
	{callers, parameters, path, botsSince}: Operation,
	{given, refused = {}}: Example,
): (readonly [string, {given?: object; as?: Who}])[] {
	const ids = Object.keys(given).filter(
		name => name.endsWith('_id') && typeof given[name] === 'number' && path.includes(`{${name}}`) && parameters[name],
	);
	const unfit = botsSince === undefined ? UNFIT[callers] : undefined;
	return [
		...ids.map(name => [`\`${name}\` is unknown`, {given: {[name]: 999_999}}] as const),
		...(unfit ? [[unfit[1], {as: unfit[0]}] as const] : []),
		...Object.entries(refused),
	];
}

function sectionOf(operation: Operation, made: Made | undefined): string {
	const {name, method, path, about, parameters} = operation;
	const rows = Object.entries(parameters).map(([parameter, declared]) =>
		row([`\`${parameter}\``, typeOf(declared.schema), remarksOf(declared), declared.about]),
	);
	return [
		`### ${name}`,
		`\`${method} ${path}\`: ${about}. For ${callersOf(operation)}`,
		...(rows.length === 0 ? [] : [table(['Parameter', 'Type', 'Required', 'Meaning'], rows)]),
		resultOf(operation),
		...(made ? [exampleOf(name, made), ...errorsOf(made)] : []),
	].join('\n\n');
}

function exampleOf(name: string, {example: {given}, answer}: Made): string {
	const code = `await client.${name}(${Object.keys(given).length === 0 ? '' : layOut(shortened(given), scriptText)});`;
	return ['```ts', code, '```', '', '```json', layOut(shortened(answer), jsonText), '```'].join('\n');
}

function errorsOf({refusals}: Made): string[] {
	const rows = refusals.map(({when, error}) => row([when, String(error.status), `\`${error.code}\``, error.reason]));
	return rows.length === 0 ? [] : [table(['Refused when', 'Status', 'Code', 'Message'], rows)];
}

interface JsonSchema {
	readonly type?: string | readonly string[];
	readonly items?: JsonSchema;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
	readonly anyOf?: readonly JsonSchema[];
	readonly additionalProperties?: JsonSchema | boolean;
}

function resultOf({result}: Operation): string {
	// JSON Schema as zod writes it, of which we read these fields only.
	const schema = z.toJSONSchema(result, {io: 'output', unrepresentable: 'any'}) as JsonSchema;
	const rows = fieldRows(schema, '');
	return rows.length === 0 ? 'The result has no fields.' : table(['Result', 'Type'], rows);
}

/** The fields of an object, and those of the objects within it. */
function fieldRows({properties = {}, required = []}: JsonSchema, prefix: string, depth = 0): string[] {
	return Object.entries(properties).flatMap(([name, schema]) => {
		const path = `${prefix}${name}`;
		const optional = required.includes(name) ? '' : '?';
		const inner = schema.items?.properties ? schema.items : schema;
		const end = inner === schema ? '.' : '[].';
		return [
			row([`\`${path}${optional}\``, kindOf(schema)]),
			...(depth < 1 ? fieldRows(inner, `${path}${end}`, depth + 1) : []),
		];
	});
}

function kindOf({type, items, anyOf, additionalProperties}: JsonSchema): string {
	if (anyOf) {
		return [...new Set(anyOf.map(kindOf))].join(' or ');
	}

	if (items) {
		return `array of ${kindOf(items)}`;
	}

	const values = typeof additionalProperties === 'object' ? kindOf(additionalProperties) : 'any JSON';
	const isMap = type === 'object' && values !== 'any JSON';
	return isMap ? `object of ${values}` : [type ?? 'any JSON'].flat().join(' or ');
}

const table = (heads: readonly string[], rows: readonly string[]) =>
	[row(heads), `|${'---|'.repeat(heads.length)}`, ...rows].join('\n');

function row(cells: readonly string[]): string {
	return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Fields whose values differ from run to run, or are nobody's business. */
const SECRET = /^(api_key|token|key|queue_id|path_id)$/;
const MOST_FIELDS = 14;
const LONGEST_TEXT = 100;

/** An answer that fits on a page: lists show their first item, long texts their beginning. */
function shortened(value: unknown, name = ''): unknown {
	if (SECRET.test(name)) {
		return '…';
	}

	if (Array.isArray(value)) {
		const [first, ...rest] = value.map(item => shortened(item));
		return rest.length > 1 && typeof first === 'object'
			? [first, '…']
			: value.map(item => shortened(item)).slice(0, 10);
	}

	if (typeof value === 'object' && value !== null && !(value instanceof File)) {
		const fields = Object.entries(value).map(([key, field]) => [key, shortened(field, key)]);
		return Object.fromEntries(fields.length > MOST_FIELDS ? [...fields.slice(0, MOST_FIELDS), ['…', '…']] : fields);
	}

	if (typeof value !== 'string') {
		return value;
	}

	// The path of an upload cannot be guessed, so it differs too.
	const text = value.replace(/(?<=^\/user_uploads\/).*\/|^\/user_avatars\/.*|[^/]+\/[\w-]{20,}\//, '…/');
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

type Write = (key: string) => {key: string; text(value: unknown): string};
const jsonText: Write = key => ({key: `${JSON.stringify(key)}: `, text: value => JSON.stringify(value)});
const scriptText: Write = key => ({
	key: `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: `,
	text: value =>
		value instanceof File
			? `new File([bytes], '${value.name}')`
			: typeof value === 'string'
				? `'${value.replaceAll("'", "\\'")}'`
				: String(JSON.stringify(value)),
});

const WIDTH = 100;

/** On one line if it fits, otherwise one field a line. */
function layOut(value: unknown, write: Write, indent = ''): string {
	if (typeof value !== 'object' || value === null || value instanceof File) {
		return write('').text(value);
	}

	const isList = Array.isArray(value);
	const entries = Object.entries(value).filter(([, field]) => field !== undefined);
	const wrap = (inner: string) => (isList ? `[${inner}]` : `{${inner}}`);
	const parts = (next: string) =>
		entries.map(([key, field]) => `${isList ? '' : write(key).key}${layOut(field, write, next)}`);
	const line = wrap(parts(indent).join(', '));
	const next = `${indent}  `;
	return line.length + indent.length <= WIDTH && !line.includes('\n')
		? line
		: wrap(
				`\n${parts(next)
					.map(part => `${next}${part}`)
					.join(',\n')}\n${indent}`,
			);
}
