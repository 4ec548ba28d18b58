// Imports one plugin, in TypeScript or JavaScript. If that fails, explains why in one sentence.

import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {z} from '../api/zod.js';

/** The mark that `bot()` sets on its values, even if a plugin brings another copy of this package. */
const BOT = Symbol.for('bothy.bot');

/** A receiver must be ready within 60 s. */
const LONGEST_IMPORT_MS = 30_000;

export async function importPlugin(
	file: string,
	limitMs = LONGEST_IMPORT_MS,
): Promise<{bot: unknown} | {reason: string}> {
	let loaded: {default?: unknown} | undefined;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>(resolve => {
		timer = setTimeout(resolve, limitMs, undefined);
	});
	try {
		loaded = await Promise.race([importFile(file), late]);
	} catch (error) {
		return {reason: await explainFailure(error, file)};
	} finally {
		clearTimeout(timer);
	}

	if (!loaded) {
		return {
			reason: `its import took longer than ${limitMs / 1000} s. A top-level \`await\` waits there: move it into a handler`,
		};
	}

	const found = unwrap(loaded.default);
	if (isBot(found)) {
		return {bot: found};
	}

	const exported = Object.keys(loaded).filter(name => name !== 'default');
	const instead =
		found === undefined ? `no default export${listOf(exported)}` : `a default export that is ${kindOf(found)}`;
	return {reason: `expected \`export default bot({about: '…'})\`, found ${instead}`};
}

let isTypeScriptReady: Promise<void> | undefined;

/** Lets this process read TypeScript, which Node 20 cannot do by itself. */
export function prepareTypeScript(): Promise<void> {
	isTypeScriptReady ??= Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]).then(([esm, cjs]) => {
		esm.register();
		// For packages without `"type": "module"`.
		cjs.register();
	});
	return isTypeScriptReady;
}

async function importFile(file: string): Promise<{default?: unknown}> {
	if (/\.m?ts$/.test(file)) {
		await prepareTypeScript();
	}

	return import(pathToFileURL(file).href);
}

function isBot(value: unknown): boolean {
	return typeof value === 'object' && value !== null && BOT in value;
}

/** A file compiled to CommonJS has its exports inside its default export. */
function unwrap(found: unknown): unknown {
	const isWrapped = typeof found === 'object' && found !== null && !isBot(found) && 'default' in found;
	return isWrapped ? found.default : found;
}

function listOf(names: readonly string[]): string {
	return names.length === 0 ? '' : ` (only ${names.join(', ')})`;
}

function kindOf(value: unknown): string {
	return typeof value === 'function'
		? 'a function (call it?)'
		: `not a bot but ${value === null ? 'null' : typeof value}`;
}

async function explainFailure(error: unknown, file: string): Promise<string> {
	if (!(error instanceof Error)) {
		return `it threw during import, and not an Error, which would name the line: ${String(error)}`;
	}

	const text = error instanceof z.ZodError ? z.prettifyError(error).replace(/\s*\n\s*/g, ' ') : error.message;
	if (/^(require|module|exports|__filename|__dirname) is not defined in ES module scope/.test(text)) {
		return `${file} is read as an ES module, but is written as CommonJS. Use \`import\` and \`export default\``;
	}

	const [, missing, asked = file] = /^Cannot find package '([^']+)'(?: imported from (.+))?/.exec(text) ?? [];
	if (missing !== undefined) {
		const name = packageOf(missing);
		return `${asked} imports \`${missing}\`, which is not installed. Run \`npm install ${name}\``;
	}

	const [, absent, from = file] = /^Cannot find module '([^']+)'(?: imported from (.+))?/.exec(text) ?? [];
	if (absent !== undefined) {
		return `${from} imports ${absent}, which does not exist. Correct the path, or create the file`;
	}

	const [, other, name] = /module '([^']+)' does not provide an export named '([^']+)'/.exec(text) ?? [];
	if (name !== undefined) {
		const [, importer = file] = /^(?:file:\/\/)?(\/[^:\n?]+)(?:\?[^:\n]*)?:\d+$/m.exec(error.stack ?? '') ?? [];
		return `${importer} imports \`${name}\` from '${other}', which does not export it. Correct the name`;
	}

	const place = await syntaxPlace(error, file);
	if (place !== undefined) {
		return place;
	}

	if (error instanceof SyntaxError) {
		return `it failed to import: ${text}`;
	}

	const thrownAt = /\(?((?:file:\/\/)?\/[^()\s]+:\d+:\d+)\)?$/m.exec(ownFrames(error))?.[1];
	const where = thrownAt === undefined ? '' : ` (${thrownAt.replace('file://', '')})`;
	return `it threw during import: ${text}${where}`;
}

/** `@acme/prices/list.js` is in `@acme/prices`. */
function packageOf(specifier: string): string {
	return specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');
}

/** Our own sources, and what they become. In a clone, they are not in `node_modules`. */
const OURS = ['src/', 'dist/src/', 'dist/bundle/'].map(folder =>
	fileURLToPath(new URL(`../../../${folder}`, import.meta.url)),
);

function ownFrames({stack = ''}: Error): string {
	return stack
		.split('\n')
		.filter(
			line => line.startsWith('    at ') && !['/node_modules/', 'node:', ...OURS].some(part => line.includes(part)),
		)
		.join('\n');
}

/** The error and its line, if a file has a syntax error. */
async function syntaxPlace(error: Error, file: string): Promise<string | undefined> {
	// For TypeScript, in the form that tsx gets from esbuild. It reports an `.mts` file as `.ts`.
	const [, source, place, what] = /^(\/.+):(\d+:\d+): ERROR: (.+)$/m.exec(error.message) ?? [];
	if (source !== undefined) {
		return `syntax error at ${existsSync(source) ? source : source.replace(/\.ts$/, '.mts')}:${place}: ${what}`;
	}

	if (!(error instanceof SyntaxError)) {
		return undefined;
	}

	if (/^Unexpected token 'export'|^Cannot use import statement/.test(error.message)) {
		return `${file} is read as CommonJS; add \`"type": "module"\` to package.json, or rename it to end in \`.mjs\``;
	}

	// Node reports the line of a module only if it does nothing else.
	const {stderr = ''} = await promisify(execFile)(process.execPath, ['--check', file]).then(
		() => ({}) as {stderr?: string},
		(failure: {stderr?: string}) => failure,
	);
	const line = /^(?:file:\/\/)?\/.*:(\d+)$/m.exec(stderr)?.[1];
	return line === undefined ? undefined : `syntax error at ${file}:${line}: ${error.message}`;
}
