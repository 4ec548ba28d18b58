// Makes one script and one stylesheet of the page's files, so that a slow connection needs few requests.

import {stat} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

interface Built {
	readonly files: ReadonlyMap<string, string>;
	readonly inputs: readonly string[];
	readonly startedAt: number;
}

/** By the folders of pages: all servers of a process have the same page. */
const latest = new Map<string, Promise<Built | undefined>>();

/** Gives `app.js` and `app.css`. Builds them for the first reader, and again after a file was saved. */
export async function bundlePage(folder: URL): Promise<Built['files']> {
	const last = latest.get(folder.href)?.catch(() => undefined) ?? Promise.resolve(undefined);
	const next = last.then(async built => (built && (await isCurrent(built)) ? built : build(folder)));
	latest.set(folder.href, next);
	return (await next).files;
}

async function build(pageFolder: URL): Promise<Built> {
	const startedAt = Date.now();
	// Only when somebody opens the page: most servers in tests have no reader.
	const esbuild = await import('esbuild');
	const folder = fileURLToPath(pageFolder);
	const {outputFiles, metafile} = await esbuild.build({
		entryPoints: ['app.js', 'app.css'].map(name => path.join(folder, name)),
		absWorkingDir: folder,
		outdir: folder,
		write: false,
		metafile: true,
		bundle: true,
		minify: true,
		format: 'esm',
		target: 'es2022',
		logLevel: 'silent',
	});
	// Its process would stay.
	await esbuild.stop();

	return {
		files: new Map(outputFiles.map(file => [path.basename(file.path), file.text])),
		inputs: Object.keys(metafile.inputs).map(name => path.join(folder, name)),
		startedAt,
	};
}

async function isCurrent({inputs, startedAt}: Built): Promise<boolean> {
	const times = await Promise.all(inputs.map(savedAt));
	return times.every(time => time < startedAt);
}

/** A file that is gone counts as just saved. */
async function savedAt(file: string): Promise<number> {
	try {
		return (await stat(file)).mtimeMs;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
