// Finds the plugins: every file or folder in `bots/` and in the folders of BOTHY_BOTS whose default export is a bot.

import {readdir, stat} from 'node:fs/promises';
import {basename, extname, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

/** The mark that `bot()` leaves on its values. */
const BOT = Symbol.for('bothy.bot');

export interface Plugin {
	/** Name of its file or folder: what accounts are assigned to it by. */
	readonly name: string;
	readonly file: string;
	/** The default export, known to be a bot by its mark. */
	readonly bot: unknown;
}

/** A plugin that could not be loaded; the others run. */
export interface BrokenPlugin {
	readonly name: string;
	readonly file: string;
	/** What was expected and what was found. */
	readonly reason: string;
}

export interface Plugins {
	readonly loaded: readonly Plugin[];
	readonly broken: readonly BrokenPlugin[];
}

/** Loads the plugins of each folder; of two with one name the first stands and the second is reported. */
export async function loadPlugins(folders: readonly string[]): Promise<Plugins> {
	const loaded = new Map<string, Plugin>();
	const broken: BrokenPlugin[] = [];
	for (const folder of folders) {
		for (const {name, file} of await findPlugins(folder)) {
			const earlier = loaded.get(name);
			const result = earlier
				? {reason: `there is a plugin \`${name}\` already, in ${earlier.file}; rename one of them`}
				: await loadPlugin(file);
			if ('bot' in result) {
				loaded.set(name, {name, file, bot: result.bot});
			} else {
				broken.push({name, file, reason: result.reason});
			}
		}
	}

	return {loaded: [...loaded.values()], broken};
}

const SOURCES = new Set(['.ts', '.mts', '.js', '.mjs']);

async function findPlugins(folder: string): Promise<{name: string; file: string}[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
		throw new Error(`Expected a folder of plugins at ${folder} (${error.code})`, {cause: error});
	});
	const found = await Promise.all(
		entries
			.toSorted((a, b) => a.name.localeCompare(b.name))
			.map(async entry => {
				const path = resolve(folder, entry.name);
				if (entry.isDirectory()) {
					const file = await indexOf(path);
					return file ? {name: entry.name, file} : undefined;
				}

				const isSource = SOURCES.has(extname(entry.name)) && !/\.(d|test)\.[mc]?[jt]s$/.test(entry.name);
				return isSource ? {name: basename(entry.name, extname(entry.name)), file: path} : undefined;
			}),
	);
	return found.filter(plugin => plugin !== undefined);
}

async function indexOf(folder: string): Promise<string | undefined> {
	for (const extension of SOURCES) {
		const file = join(folder, `index${extension}`);
		if (
			await stat(file).then(
				found => found.isFile(),
				() => false,
			)
		) {
			return file;
		}
	}

	return undefined;
}

async function loadPlugin(file: string): Promise<{bot: unknown} | {reason: string}> {
	let loaded: {default?: unknown};
	try {
		loaded = await importFile(file);
	} catch (error) {
		return {reason: `importing it failed: ${error instanceof Error ? error.message : String(error)}`};
	}

	const found = loaded.default;
	if (typeof found === 'object' && found !== null && BOT in found) {
		return {bot: found};
	}

	const exported = Object.keys(loaded).filter(name => name !== 'default');
	const instead =
		found === undefined ? `no default export${listOf(exported)}` : `a default export that is ${kindOf(found)}`;
	return {reason: `expected \`export default bot({about: '…'})\`, found ${instead}`};
}

function listOf(names: readonly string[]): string {
	return names.length === 0 ? '' : ` (only ${names.join(', ')})`;
}

function kindOf(value: unknown): string {
	return typeof value === 'function' ? 'a function (call it?)' : `no bot but ${value === null ? 'null' : typeof value}`;
}

async function importFile(file: string): Promise<{default?: unknown}> {
	if (!/\.m?ts$/.test(file)) {
		return import(pathToFileURL(file).href);
	}

	// TypeScript outside of the build: Node 20 cannot read it by itself.
	const {tsImport} = await import('tsx/esm/api');
	return tsImport(file, import.meta.url);
}
