// Sees when a source is saved. Looking is cheap (a few ms for hundreds of files) and, unlike watching, sees every way in
// which editors save.

import {createHash} from 'node:crypto';
import {readdir, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {setTimeout} from 'node:timers/promises';

const LOOK_MS = 40;
/** In a large repository looks are rarer, so that they take this share of the time; no rarer than this. */
const SHARE = 0.2;
const RAREST_LOOK_MS = 400;

/** What holds no sources of bots; what starts with a dot neither. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage']);
const SOURCE = /\.[mc]?[jt]sx?$|\.json$/;

export interface Watched {
	readonly folders: readonly string[];
	/** More files, which need not exist. */
	readonly files: readonly string[];
	/** A folder that is passed over wherever it stands: what is kept there changes all the time. */
	readonly except: string;
	/** Rests between two looks. Default: a timer. */
	readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface SourceWatch {
	/** Calls `onChange` after each change since the watch was opened, one call at a time, once the files stay the same for one look. */
	start(onChange: () => Promise<void>): void;
	stop(): Promise<void>;
}

const sleepByTimer = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, {signal});

/** Looks at the sources as they are now. */
export async function openSourceWatch({folders, files, except, sleep = sleepByTimer}: Watched): Promise<SourceWatch> {
	const stopping = new AbortController();
	let tookMs = 0;
	let known = await stamp();
	let watching = Promise.resolve();

	async function stamp(): Promise<string> {
		const startedAt = performance.now();
		const inFolders = await Promise.all(folders.map(folder => listFiles(resolve(folder), resolve(except))));
		const states = await Promise.all([...inFolders.flat(), ...files].map(stateOf));
		tookMs = performance.now() - startedAt;
		return createHash('sha256').update(states.sort().join('\n')).digest('hex');
	}

	async function look(): Promise<string> {
		const restMs = Math.min(RAREST_LOOK_MS, Math.max(LOOK_MS, tookMs / SHARE));
		await sleep(restMs, stopping.signal);
		return stamp();
	}

	async function watch(onChange: () => Promise<void>): Promise<void> {
		for (;;) {
			let seen = await look();
			if (seen === known) {
				continue;
			}

			// An editor may still be writing.
			for (let before = known; seen !== before; ) {
				before = seen;
				seen = await look();
			}

			known = seen;
			await onChange();
		}
	}

	return {
		start(onChange) {
			watching = watch(onChange).catch((error: unknown) => {
				if (!stopping.signal.aborted) {
					throw error;
				}
			});
		},
		stop() {
			stopping.abort();
			return watching;
		},
	};
}

async function listFiles(folder: string, except: string): Promise<string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const found = await Promise.all(
		entries
			.filter(({name}) => !name.startsWith('.') && !PASSED_OVER.has(name))
			.map(async entry => {
				const path = join(folder, entry.name);
				if (entry.isDirectory()) {
					return path === except ? [] : listFiles(path, except);
				}

				return SOURCE.test(entry.name) ? [path] : [];
			}),
	);
	return found.flat();
}

/** Its name, time and size. */
async function stateOf(file: string): Promise<string> {
	// It may be gone by now.
	const found = await stat(file).catch(() => undefined);
	return `${file}\t${found?.mtimeMs}\t${found?.size}`;
}
