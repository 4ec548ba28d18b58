// Finds the plugins: every file or folder in `bots/` and in the folders of BOTHY_BOTS, and the packages that accounts name.
// The default export of each is a bot.

import {readdir, stat} from 'node:fs/promises';
import {basename, extname, join, resolve} from 'node:path';
import {importPlugin} from './import-plugin.js';
import {findPackage} from './packages.js';

export interface PluginFile {
	/** Name of its file, folder or package. Accounts refer to it by this name. */
	readonly name: string;
	readonly file: string;
}

export interface Plugin extends PluginFile {
	/** The default export. Its mark shows that it is a bot. */
	readonly bot: unknown;
}

/** A plugin that could not be loaded. The others run. */
export interface BrokenPlugin extends PluginFile {
	/** What was expected, what was found, and what to do. */
	readonly reason: string;
}

export interface Plugins {
	readonly loaded: readonly Plugin[];
	readonly broken: readonly BrokenPlugin[];
	/** All that exist, if not all were loaded. */
	readonly names?: readonly string[];
}

/** Loads the plugins of each folder, all or the `wanted` ones. If two have the same name, the first is used and the second is reported. */
export async function loadPlugins(folders: readonly string[], wanted?: ReadonlySet<string>): Promise<Plugins> {
	const first = new Map<string, PluginFile>();
	const doubles: BrokenPlugin[] = [];
	const all = await listPlugins(folders);
	for (const plugin of all.filter(({name}) => wanted === undefined || wanted.has(name))) {
		const earlier = first.get(plugin.name);
		if (earlier) {
			const reason = `the plugin \`${plugin.name}\` exists already, in ${earlier.file}. Rename one of them`;
			doubles.push({...plugin, reason});
		} else {
			first.set(plugin.name, plugin);
		}
	}

	const {loaded, broken} = await loadAll([...first.values()].filter(({file}) => !isCommonJs(file)));
	const refused = [...first.values()].filter(({file}) => isCommonJs(file));
	return {
		loaded,
		names: all.map(({name}) => name),
		broken: [...broken, ...doubles, ...refused.map(plugin => ({...plugin, reason: COMMON_JS}))],
	};
}

/** Loads the packages that are installed for the folder in which Bothy runs. */
export async function loadPackages(names: readonly string[], folder: string): Promise<Plugins> {
	const found = await Promise.all(
		[...new Set(names)].map(async name => ({name, file: await findPackage(name, folder)})),
	);
	return loadAll(found.filter((plugin): plugin is PluginFile => plugin.file !== undefined));
}

async function loadAll(plugins: readonly PluginFile[]): Promise<Plugins> {
	const results = await Promise.all(plugins.map(async plugin => ({...plugin, ...(await importPlugin(plugin.file))})));
	return {loaded: results.filter(result => 'bot' in result), broken: results.filter(result => 'reason' in result)};
}

const SOURCES = new Set(['.ts', '.mts', '.js', '.mjs', '.cts', '.cjs']);

/** A bot is an ES module. */
const COMMON_JS =
	'expected an ES module (.ts, .mts, .js or .mjs), found a CommonJS file. Rename it, and use `import` and `export default`';

function isCommonJs(file: string): boolean {
	return /\.c[jt]s$/.test(file);
}

/** The names of the plugins of each folder. Loads none of them. */
export async function listPlugins(folders: readonly string[]): Promise<readonly PluginFile[]> {
	return (await Promise.all(folders.map(listFolder))).flat();
}

async function listFolder(folder: string): Promise<PluginFile[]> {
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
