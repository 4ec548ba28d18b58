// Polls sources for changes. Polling is cheap (a few ms for hundreds of files) and, unlike file events, notices every way in
// which editors save.

import {createHash} from 'node:crypto';
import {readdir, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {setTimeout} from 'node:timers/promises';

const LOOK_MS = 40;
/** In a large repository, polling takes at most this share of the time, up to the maximum interval. */
const SHARE = 0.2;
const RAREST_LOOK_MS = 400;

/** Folders without sources of bots. Names that start with a dot are skipped too. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage']);
const SOURCE = /\.[mc]?[jt]sx?$|\.json$/;

export interface Watched {
	readonly folders: readonly string[];
	/** More files to watch. They need not exist. */
	readonly files: readonly string[];
	/** A folder to skip everywhere, because its content changes all the time. */
	readonly except: string;
	/** Waits between two polls. Default: a timer. */
	readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface SourceWatch {
	/** Calls `onChange` after each change, one call at a time, once the files have stayed the same for one poll. */
	start(onChange: () => Promise<void>): void;
	stop(): Promise<void>;
}

const sleepByTimer = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, {signal});

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

/** A file's name, time and size. */
async function stateOf(file: string): Promise<string> {
	// The file may have been deleted.
	const found = await stat(file).catch(() => undefined);
	return `${file}\t${found?.mtimeMs}\t${found?.size}`;
}
