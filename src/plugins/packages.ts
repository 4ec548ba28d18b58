// Finds the file that `import` would load for a package, seen from a folder. Node resolves names relative to the importing
// file, and ours may be in another place than the packages of the folder in which Bothy runs.

import {readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';

const NAME = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

/** The file that the package starts with. Undefined if the package is not installed. */
export async function findPackage(name: string, folder: string): Promise<string | undefined> {
	if (!NAME.test(name)) {
		return undefined;
	}

	for (const place of placesFrom(resolve(folder))) {
		const home = join(place, 'node_modules', name);
		const text = await readFile(join(home, 'package.json'), 'utf8').catch(() => undefined);
		if (text !== undefined) {
			return join(home, entryOf(JSON.parse(text)));
		}
	}

	return undefined;
}

function placesFrom(folder: string): string[] {
	const above = dirname(folder);
	return above === folder ? [folder] : [folder, ...placesFrom(above)];
}

function entryOf({exports, main = 'index.js'}: {exports?: unknown; main?: string}): string {
	const isByPath = typeof exports === 'object' && exports !== null && '.' in exports;
	return choose(isByPath ? exports['.'] : exports) ?? main;
}

/** The first one that matches an import by Node. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default']);

function choose(target: unknown): string | undefined {
	if (typeof target === 'string') {
		return target;
	}

	if (typeof target !== 'object' || target === null) {
		return undefined;
	}

	const fitting = Object.entries(target).filter(([key]) => CONDITIONS.has(key) || Array.isArray(target));
	return fitting.map(([, value]) => choose(value)).find(file => file !== undefined);
}
