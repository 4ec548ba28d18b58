// The sections that define accounts: those of the config file, and of BOTHY_CONFIG_JSON.

import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {z} from '../api/zod.js';
import {asConfigError, ConfigError, reasonOf} from './error.js';
import {type IniSection, parseIni} from './ini.js';
import type {Settings} from './settings.js';

export interface Section {
	readonly name: string;
	/** File and line, for errors. */
	readonly place: string;
	readonly value: (key: string) => string | undefined;
	readonly keys: readonly string[];
	readonly placeOf: (key: string) => string;
}

/** Sections of the config file and of BOTHY_CONFIG_JSON. A missing file is an error only if BOTHY_CONFIG names it. */
export function readSections(settings: Settings): Section[] {
	return [...fileSections(settings), ...jsonSections(settings.BOTHY_CONFIG_JSON)];
}

/** Sections of one config file, which must exist. */
export function readFileSections(file: string): Section[] {
	return sectionsOf(file, readText(file, file));
}

function fileSections({BOTHY_CONFIG, configIsExplicit}: Settings): Section[] {
	const file = resolve(BOTHY_CONFIG);
	if (!configIsExplicit && !existsSync(file)) {
		return [];
	}

	const text = readText(file, 'BOTHY_CONFIG');
	try {
		return sectionsOf(BOTHY_CONFIG, text);
	} catch (error) {
		throw asConfigError(error);
	}
}

function readText(file: string, place: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const code = reasonOf(error);
		throw new ConfigError(`${place}: expected a config file, found ${FOUND[code] ?? `${code} for`} ${file}`);
	}
}

const FOUND: Readonly<Record<string, string>> = {
	ENOENT: 'nothing at',
	EISDIR: 'the folder',
	EACCES: 'one that this user may not read:',
};

function sectionsOf(file: string, text: string): Section[] {
	return parseIni(text, file).map((section: IniSection) => ({
		name: section.name,
		place: `${file}:${section.line}`,
		value: (key: string) => section.values.get(key)?.value,
		keys: [...section.values.keys()],
		placeOf: (key: string) => `${file}:${section.values.get(key)?.line ?? section.line}`,
	}));
}

const JsonConfig = z.record(z.string(), z.record(z.string(), z.string()));

function jsonSections(text: string): Section[] {
	if (text === '') {
		return [];
	}

	const parsed = JsonConfig.safeParse(parseJson(text));
	if (!parsed.success) {
		const at = parsed.error.issues[0]?.path.join('.') || 'the top';
		throw new ConfigError(
			`BOTHY_CONFIG_JSON: expected {"<section>": {"email": "…", …}} with strings, found something else at ${at}`,
		);
	}

	return Object.entries(parsed.data).map(([name, values]) => ({
		name,
		place: `BOTHY_CONFIG_JSON.${name}`,
		value: (key: string) => values[key],
		keys: Object.keys(values),
		placeOf: (key: string) => `BOTHY_CONFIG_JSON.${name}.${key}`,
	}));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new ConfigError('BOTHY_CONFIG_JSON: expected JSON, found something else');
	}
}
