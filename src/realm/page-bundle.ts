// Makes one script and one stylesheet of the page's files, so that a slow connection needs few requests.

import {stat} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

// This file runs as dist/src/realm/page-bundle.js; the page's files stay in src/.
export const pageFolder = new URL('../../../src/realm/page/', import.meta.url);

interface Built {
	readonly files: ReadonlyMap<string, string>;
	readonly inputs: readonly string[];
	readonly startedAt: number;
}

/** All realms of a process have the same page. */
let last = Promise.resolve<Built | undefined>(undefined);

/** Gives `app.js` and `app.css`. Builds them for the first reader, and again after a file was saved. */
export async function bundlePage(): Promise<Built['files']> {
	const next = last.catch(() => undefined).then(async built => (built && (await isCurrent(built)) ? built : build()));
	last = next;
	return (await next).files;
}

async function build(): Promise<Built> {
	const startedAt = Date.now();
	// Only when somebody opens the page: most realms in tests have no reader.
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
