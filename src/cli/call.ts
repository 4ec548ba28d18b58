// `bothy call`: calls any operation of the API table.

import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {closest} from 'fastest-levenshtein';
import {type Operation, operations, type Parameter} from '../api/index.js';
import {callersOf, remarksOf, typeOf} from '../api/reference.js';
import {createClient} from '../client/client.js';
import {ApiError, NetworkError, ResponseError} from '../client/errors.js';
import type {Account} from '../config/accounts.js';
import {version} from '../host/version.js';
import {answerTable, columns} from './ledger/answer-table.js';
import {CommandError, chooseAccounts, findAccounts, localSite, type Terminal} from './once.js';
import {openClient} from './open-client.js';
import {printable} from './paint.js';

export interface CallOptions {
	readonly as?: string;
	readonly json?: true;
	readonly list?: true;
	readonly help?: true;
}

export interface CallWords {
	readonly name: string | undefined;
	readonly values: readonly string[];
	readonly options: CallOptions;
	readonly usage: string;
}

/** Returns the exit code. `usage` is printed if no operation is named. */
export async function runCall(terminal: Terminal, {name, values, options, usage}: CallWords): Promise<number> {
	if (options.list) {
		terminal.print(columns(table.map(({name, method, path, about}) => [name, `${method} ${path}`, about])));
	} else if (name === undefined) {
		terminal.print(usage);
	} else if (options.help) {
		terminal.print(helpOf(findOperation(name)));
	} else {
		await callOnce(terminal, {operation: findOperation(name), values, options});
	}

	return name === undefined && !options.list && !options.help ? 1 : 0;
}

const table: readonly Operation[] = Object.values(operations);

function findOperation(name: string): Operation {
	const operation = table.find(candidate => candidate.name === name);
	if (!operation) {
		const nearest = closest(
			name,
			table.map(candidate => candidate.name),
		);
		throw new CommandError(
			`expected an operation, found "${name}". Did you mean \`${nearest}\`? \`bothy call --list\` shows them all`,
		);
	}

	return operation;
}

function helpOf(operation: Operation): string {
	const {name, method, path, about, parameters} = operation;
	const rows = Object.entries(parameters).map(([parameter, declared]) => [
		`  ${parameter}`,
		typeOf(declared.schema),
		remarksOf(declared),
		declared.about,
	]);
	return [
		`${name}: ${about}`,
		`${method} ${path}, for ${callersOf(operation)}`,
		...(rows.length ? ['', columns(rows)] : []),
	].join('\n');
}

interface Call {
	readonly operation: Operation;
	readonly values: readonly string[];
	readonly options: CallOptions;
}

/** Finds an account of the config, or a person of the local realm by email. */
async function findCallers(terminal: Terminal, as: string | undefined): Promise<readonly Account[]> {
	const known = findAccounts(terminal);
	const local = localSite(terminal);
	if (as === undefined || local === undefined || known.some(({name, email}) => [name, email].includes(as))) {
		return chooseAccounts(known, as, '--as');
	}

	const nobody = createClient({site: local, email: '', key: '', userAgent: `Bothy/${version}`});
	try {
		const {direct_admins: admins, direct_users: users} = await nobody.devListUsers();
		const people = [...admins, ...users].map(({email}) => email);
		if (!people.includes(as.toLowerCase())) {
			const names = known.map(({name}) => name).join(', ');
			throw new CommandError(
				`--as: expected an account (${names}) or the email of somebody in the local realm (${people.join(', ')}), found "${as}"`,
			);
		}

		const {api_key: key} = await nobody.devFetchApiKey({username: as.toLowerCase()});
		return [{name: as, email: as.toLowerCase(), key, site: local, tokens: [], bot: as}];
	} catch (error) {
		// No realm is running, so there are only the accounts of the config.
		return error instanceof CommandError ? Promise.reject(error) : chooseAccounts(known, as, '--as');
	} finally {
		await nobody.close();
	}
}

async function callOnce(terminal: Terminal, {operation, values, options}: Call): Promise<void> {
	const given = readValues(operation, values);
	// For people, Markdown is easier to read than HTML.
	const isRaw = operation.name === 'getMessages' && !options.json && given.apply_markdown === undefined;
	const parameters = isRaw ? {...given, apply_markdown: false} : given;
	const accounts = await findCallers(terminal, options.as);
	const [account, ...others] = accounts;
	if (!account || others.length > 0) {
		throw new CommandError(`--as: expected the name of one account: ${accounts.map(({name}) => name).join(', ')}`);
	}

	const client = openClient(terminal, account);
	// `operation` is from the table, and its schemas have parsed the values.
	const method = client[operation.name as keyof typeof operations] as (given: object) => Promise<object>;
	try {
		const answer = await method(parameters);
		terminal.print(options.json ? JSON.stringify(answer) : answerTable(answer));
	} catch (error) {
		if (error instanceof ApiError || error instanceof NetworkError || error instanceof ResponseError) {
			throw new CommandError(printable(error.message));
		}

		throw error;
	}
}

function readValues(operation: Operation, values: readonly string[]): Record<string, unknown> {
	const given: Record<string, unknown> = {};
	for (const value of values) {
		const at = value.indexOf('=');
		const name = at < 0 ? value : value.slice(0, at);
		const parameter = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
		if (at < 0 || !parameter) {
			const names = Object.keys(operation.parameters).join(', ') || 'no parameters';
			throw new CommandError(`${operation.name}: expected name=value, with one of the names ${names}, found "${name}"`);
		}

		given[name] = readValue(name, parameter, value.slice(at + 1));
	}

	const missing = Object.keys(operation.parameters).filter(
		name => operation.parameters[name]?.required && !Object.hasOwn(given, name),
	);
	if (missing.length > 0) {
		throw new CommandError(`${operation.name}: expected ${missing.map(name => `${name}=…`).join(' ')}, found none`);
	}

	return given;
}

/** Text if the parameter is a string. Otherwise JSON first, so that `12` becomes a number. */
function readValue(name: string, {schema, encoding}: Parameter, text: string): unknown {
	if (encoding === 'file') {
		return readFile(name, text);
	}

	const fromJson = parse(text);
	const readings = encoding === 'text' ? [text, ...fromJson] : [...fromJson, text];
	const fits = readings.filter(reading => schema.safeParse(reading).success);
	if (fits.length === 0) {
		throw new CommandError(`${name}: expected ${typeOf(schema)}, found something else`);
	}

	return fits[0];
}

function readFile(name: string, text: string): File {
	const path = text.startsWith('@') ? text.slice(1) : '';
	try {
		return new File([readFileSync(path)], basename(path));
	} catch {
		throw new CommandError(`${name}: expected @ and the path of a readable file, found ${text}`);
	}
}

function parse(text: string): unknown[] {
	try {
		return [JSON.parse(text)];
	} catch {
		return [];
	}
}
