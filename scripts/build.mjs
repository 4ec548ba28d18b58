// Compiles the sources into dist/ and removes output whose source is gone.

import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {bundle, bundleZod, isBundled} from './bundle.mjs';
import {documentClient} from './document-client.mjs';
import {say} from './run.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const sourceFolders = ['src', 'bots', 'workers', 'test'];

const output = path.join(root, 'dist');
const ZOD = path.join('src', 'api', 'zod.ts');
const stampFile = path.join(output, '.sources');
const compilersNotes = path.join(output, '.tsbuildinfo');

/** Whether dist/ was built from the current sources. */
export function isBuilt() {
	return (
		existsSync(stampFile) &&
		readFileSync(stampFile, 'utf8') === stamp() &&
		missingOutputs().length === 0 &&
		isBundled(output)
	);
}

/** Resolves to the exit code of tsc. */
export async function build() {
	say('Building');
	// Read before the compiler starts: files that are saved in the meantime count as newer.
	const before = stamp();
	removeOrphans();
	if (missingOutputs().length > 0) {
		rmSync(compilersNotes, {force: true});
	}

	const code = await compile();
	// A type error prevents no run: `npm run dev` prints it and starts. The compiler has printed a syntax error.
	await bundle(root, output).catch(error => {
		if (code === 0) {
			throw error;
		}
	});
	if (code === 0) {
		await bundleZod(root, outputOf(ZOD));
		await documentClient(output);
		writeFileSync(stampFile, before);
	}

	return code;
}

/**
 * Compiles only sources that were saved after their last build, without type checks. Takes a fraction of a second.
 * Resolves to the exit code of tsc, which reports syntax errors.
 */
export async function compileChanged() {
	removeOrphans();
	const changed = sources().filter(file => !(timeOf(path.join(root, file)) <= timeOf(outputOf(file))));
	if (changed.length === 0) {
		return 0;
	}

	// The next build must not assume that dist/ is unchanged.
	for (const file of [stampFile, compilersNotes]) {
		rmSync(file, {force: true});
	}

	mkdirSync(output, {recursive: true});
	const config = path.join(output, '.changed.json');
	writeFileSync(config, JSON.stringify(withoutTypes(changed)));
	const before = new Date();
	const code = await compile(config);
	if (changed.includes(ZOD)) {
		await bundleZod(root, outputOf(ZOD));
	}

	if (code === 0 && changed.some(file => /^(src|workers)\b/.test(file))) {
		await bundle(root, output);
	}

	for (const file of changed.map(outputOf)) {
		if (code === 0) {
			// Files that are saved in the meantime count as newer.
			utimesSync(file, before, before);
		} else {
			rmSync(file, {force: true});
		}
	}

	return code;
}

function withoutTypes(files) {
	return {
		extends: path.join(root, 'tsconfig.json'),
		include: [],
		files: files.map(file => path.join(root, file)),
		compilerOptions: {
			rootDir: root,
			outDir: output,
			incremental: false,
			tsBuildInfoFile: null,
			declaration: false,
			noCheck: true,
			noResolve: true,
			types: [],
		},
	};
}

function timeOf(file) {
	return statSync(file, {throwIfNoEntry: false})?.mtimeMs;
}

export function removeOrphans() {
	for (const folder of sourceFolders) {
		clean(path.join(output, folder), path.join(root, folder));
	}
}

function clean(folder, source) {
	for (const entry of list(folder)) {
		const file = path.join(folder, entry.name);
		if (entry.isDirectory()) {
			clean(file, path.join(source, entry.name));
		} else if (!existsSync(path.join(source, entry.name.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts')))) {
			rmSync(file);
		}
	}

	if (existsSync(folder) && list(folder).length === 0) {
		rmdirSync(folder);
	}
}

async function compile(project = '.') {
	const words = [path.join('node_modules', '.bin', 'tsc'), '-p', project];
	const child = spawn(process.execPath, words, {cwd: root, stdio: 'inherit'});
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', code => resolve(code ?? 1));
	});
}

/** A fingerprint of the sources in these folders: their names, times and sizes. */
export function stamp(folders = sourceFolders) {
	const inputs = ['tsconfig.json', 'package.json', path.join('node_modules', '.package-lock.json')];
	const hash = createHash('sha256');
	for (const file of [...inputs, ...sources(folders)]) {
		const {mtimeMs, size} = statSync(path.join(root, file), {throwIfNoEntry: false}) ?? {};
		hash.update(`${file}\t${mtimeMs}\t${size}\n`);
	}

	return hash.digest('hex');
}

function sources(folders = sourceFolders) {
	return folders.flatMap(listSources).sort();
}

function listSources(folder) {
	return list(path.join(root, folder)).flatMap(entry => {
		const file = path.join(folder, entry.name);
		return entry.isDirectory() ? listSources(file) : /(?<!\.d)\.ts$/.test(file) ? [file] : [];
	});
}

function missingOutputs() {
	return sources().filter(file => !existsSync(outputOf(file)));
}

function outputOf(source) {
	return path.join(output, source.replace(/\.ts$/, '.js'));
}

function list(folder) {
	return existsSync(folder) ? readdirSync(folder, {withFileTypes: true}) : [];
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	process.exitCode = await build();
}
