// Puts our code and most of its dependencies into a few files in dist/bundle/. They start in half the time of a thousand small
// ones. Programs run from there, and bots import from there. The tests of a module import the module itself.

import {chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** Packages with files of their own: programs, native code, threads. */
const external = ['esbuild', 'libsql', 'msgpackr-extract', 'pino', 'tsx'];

/** Modules of src/ that run as programs or threads. The first is the command line. */
const programs = ['cli', 'redis/redis-keeper', 'host/processes/watchdog-thread'];

/** What CommonJS modules expect to be there. */
const banner = `import {createRequire as makeRequire} from 'node:module';
import {fileURLToPath as toPath} from 'node:url';
const require = makeRequire(import.meta.url);
const __filename = toPath(import.meta.url);
const __dirname = toPath(new URL('.', import.meta.url));`;

const common = {bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent'};

export function isBundled(output) {
	return !existsSync(path.join(output, 'src', 'cli.js')) || existsSync(path.join(output, 'bundle', 'cli.js'));
}

/** Bundles src/, and replaces its compiled programs by ones that run the bundle. */
export async function bundle(root, output) {
	const compiled = name => path.join(output, 'src', `${name}.js`);
	const present = programs.filter(name => existsSync(compiled(name)));
	if (present.length === 0) {
		return;
	}

	const {build} = await import('esbuild');
	const folder = path.join(output, 'bundle');
	const {metafile} = await build({
		...common,
		absWorkingDir: root,
		entryPoints: {
			index: 'src/index.ts',
			testing: 'src/testing/index.ts',
			...Object.fromEntries(present.map(name => [path.basename(name), `src/${name}.ts`])),
		},
		outdir: folder,
		splitting: true,
		external,
		banner: {js: banner},
		sourcemap: true,
		sourcesContent: false,
		metafile: true,
		plugins: [keepPlaces(root, output)],
	});
	// Such a module would have no export but `default`.
	const broken = Object.values(metafile.outputs).find(({entryPoint}) => entryPoint && !entryPoint.startsWith('src/'));
	if (broken) {
		throw new Error(`Import ${broken.entryPoint} statically, in a module of src/ that is imported dynamically`);
	}

	const licenses = path.join(folder, 'LICENSES.txt');
	writeFileSync(licenses, licensesOf(root, Object.keys(metafile.inputs)));
	const current = new Set([licenses, ...Object.keys(metafile.outputs).map(file => path.join(root, file))]);
	for (const file of readdirSync(folder).map(name => path.join(folder, name))) {
		if (!current.has(file)) {
			rmSync(file);
		}
	}

	for (const name of present) {
		const bundled = path.relative(path.dirname(compiled(name)), path.join(folder, `${path.basename(name)}.js`));
		writeFileSync(compiled(name), `#!/usr/bin/env node\nimport '${bundled}';\n`);
		chmodSync(compiled(name), 0o755);
	}
}

/** Puts zod into the one module that loads it, for the tests of modules. */
export async function bundleZod(root, file) {
	if (!existsSync(file)) {
		return;
	}

	const {build} = await import('esbuild');
	await build({
		...common,
		stdin: {contents: "export {z} from 'zod';", resolveDir: root},
		outfile: file,
		allowOverwrite: true,
	});
}

/** In a bundled module, `import.meta.url` stays the place of the compiled module, so that it finds files beside itself. */
function keepPlaces(root, output) {
	function load({path: file}) {
		const compiled = path.join(output, path.relative(root, file)).replace(/\.ts$/, '.js');
		const contents = readFileSync(file, 'utf8').replaceAll(
			'import.meta.url',
			`new URL('${path.relative(path.join(output, 'bundle'), compiled)}', import.meta.url).href`,
		);
		return {contents, loader: 'ts'};
	}

	return {name: 'places', setup: ({onLoad}) => onLoad({filter: /\.ts$/}, load)};
}

function licensesOf(root, files) {
	const folders = new Set(files.flatMap(file => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
	const texts = [...folders].sort().flatMap(folder => {
		const {name, version} = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
		const license = readdirSync(path.join(root, folder)).find(file => /^licen[cs]e/i.test(file));
		return license ? `${name} ${version}\n\n${readFileSync(path.join(root, folder, license), 'utf8').trim()}\n` : [];
	});
	return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
