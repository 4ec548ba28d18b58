// Finds the place in the source for a place in a loaded script, by the script's source map: inline, or in a file next to it.

import {readFileSync} from 'node:fs';
import {SourceMap} from 'node:module';
import {fileURLToPath} from 'node:url';

export interface Script {
	/** Where it was loaded from. */
	readonly url: string;
	/** As the script names it; empty if it has none. */
	readonly sourceMapUrl: string;
}

/** Line and column count from zero. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** Maximum characters of a source map. The objects for a larger one would not fit into the memory of the watchdog's thread. */
const LONGEST_MAP = 1_000_000;

/** `<source>:<line>:<column>`, which count from one. Without a readable source map, the place in the script itself. */
export function describePlace(script: Script, {line, column}: Place): string {
	return originOf(script, {line, column}) ?? `${script.url}:${line + 1}:${column + 1}`;
}

function originOf({url, sourceMapUrl}: Script, {line, column}: Place): string | undefined {
	if (sourceMapUrl === '') {
		return undefined;
	}

	try {
		const map = readSourceMap(new URL(sourceMapUrl, url));
		if (map.length > LONGEST_MAP) {
			return undefined;
		}

		const entry = new SourceMap(JSON.parse(map)).findEntry(line, column);
		if (!('originalSource' in entry)) {
			return undefined;
		}

		const {originalSource, originalLine, originalColumn} = entry;
		return `${new URL(originalSource, url)}:${originalLine + 1}:${originalColumn + 1}`;
	} catch {
		// The map is missing or broken.
		return undefined;
	}
}

function readSourceMap(at: URL): string {
	if (at.protocol !== 'data:') {
		return readFileSync(fileURLToPath(at), 'utf8');
	}

	const [head = '', body = ''] = at.href.split(/,(.*)/s);
	return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}
