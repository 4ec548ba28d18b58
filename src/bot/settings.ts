// Reads an account's settings for its bot by the bot's schema.

import {readFileSync} from 'node:fs';
import type {z} from '../api/zod.js';
import {readValue} from './arguments/arguments.js';
import {plainly} from './plainly.js';

/** One setting: its text, and its place for errors. */
interface Setting {
	readonly text: string;
	readonly place: string;
}

/** Says where a setting is wrong and what was expected. It never contains the value, which may be a secret. */
export class SettingsError extends Error {
	override name = 'SettingsError' as const;
}

interface Owner {
	/** The place that errors name if a setting is missing. */
	readonly place: string;
	/** The name in the variables of the environment that set it too. */
	readonly variables?: string;
}

/**
 * Keys match the schema's in any case.
 *
 * @throws SettingsError
 */
export function parseConfig(
	schema: z.ZodObject | undefined,
	config: Readonly<Record<string, Setting>>,
	owner: Owner,
): unknown {
	const values = Object.entries(config);
	if (!schema) {
		const [first] = values;
		if (first) {
			throw new SettingsError(
				`${first[1].place}: expected nothing in \`config.${first[0]}\`: this bot has no settings`,
			);
		}

		return undefined;
	}

	const known = new Map(Object.keys(schema.shape).map(key => [key.toLowerCase(), key]));
	const given: Record<string, unknown> = {};
	for (const [key, {text, place}] of values) {
		const field = known.get(key.toLowerCase());
		if (field === undefined) {
			throw new SettingsError(
				`${place}: expected one of ${[...known.values()].map(field => `\`config.${field}\``).join(', ')}, found \`config.${key}\``,
			);
		}

		given[field] = readValue(text, schema.shape[field] as z.ZodType);
	}

	const parsed = schema.safeParse(given, {error: plainly});
	if (parsed.success) {
		return parsed.data;
	}

	const issue = parsed.error.issues[0];
	if (issue?.path[0] === undefined) {
		throw new SettingsError(`${owner.place}: ${issue?.message}`);
	}

	const field = String(issue.path[0]);
	const placeOf = (name: string) => values.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1].place;
	const place = placeOf(field);
	if (place === undefined) {
		const wrong = new Set(parsed.error.issues.map(({path}) => String(path[0])));
		throw new SettingsError(
			missing(
				[...wrong].filter(name => placeOf(name) === undefined),
				owner,
			),
		);
	}

	throw new SettingsError(`${place}: \`config.${field}\`: ${issue.message}`);
}

function missing(fields: readonly string[], {place, variables}: Owner): string {
	const [are, them] = fields.length === 1 ? ['is', 'it'] : ['are', 'them'];
	const names = fields.map(field => `\`config.${field}\``).join(' and ');
	const cure =
		variables === undefined
			? ''
			: `. Set ${them} there, or in ${fields.map(field => variableOf(variables, field)).join(' and ')}`;
	return `${place}: ${names} ${are} missing${cure}`;
}

/**
 * Settings of a bot in the environment: `BOTHY_CONFIG_<NAME>_<KEY>`, or `BOTHY_CONFIG_<NAME>_<KEY>_FILE` for a file with the
 * value. Returns keys in the schema's spelling, so that they override others.
 *
 * @throws SettingsError if a file cannot be read.
 */
export function configFromEnvironment(
	schema: z.ZodObject | undefined,
	name: string,
	environment: NodeJS.ProcessEnv,
): Record<string, Setting> {
	const found: Record<string, Setting> = {};
	for (const key of Object.keys(schema?.shape ?? {})) {
		const place = variableOf(name, key);
		const file = environment[`${place}_FILE`];
		const text = file === undefined ? environment[place] : readSecret(file, `${place}_FILE`);
		if (text !== undefined && text !== '') {
			found[key.toLowerCase()] = {text, place};
		}
	}

	return found;
}

/** The variable of the environment with a setting. */
function variableOf(name: string, key: string): string {
	return `BOTHY_CONFIG_${shouted(name)}_${shouted(key)}`;
}

/** `hookSecret` becomes `HOOK_SECRET`. */
function shouted(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
		.replace(/[^A-Za-z0-9]+/g, '_')
		.toUpperCase();
}

function readSecret(file: string, place: string): string {
	try {
		return readFileSync(file, 'utf8').trim();
	} catch (error) {
		throw new SettingsError(`${place}: expected a readable file (${(error as NodeJS.ErrnoException).code})`);
	}
}
