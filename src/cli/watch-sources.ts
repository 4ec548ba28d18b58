// Sees when a source is saved. Looking is cheap (a few ms for hundreds of files) and, unlike watching, sees every way in
// which editors save.

import {createHash} from 'node:crypto';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

const LOOK_MS = 40;
/** In a large repository looking may take this share of the time, not more. */
const SHARE = 0.1;

/** What holds no sources of bots; what starts with a dot neither. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage']);
const SOURCE = /\.[mc]?[jt]sx?$|\.json$|^bothyrc$/;

/** Calls `onChange` after each change in these folders, one call at a time, once whoever writes has ended. */
export function watchSources(folders: readonly string[], onChange: () => Promise<void>): {stop(): Promise<void>} {
	const stopping = new AbortController();
	let tookMs = 0;

	async function look(): Promise<string> {
		await sleep(Math.max(LOOK_MS, tookMs / SHARE), undefined, {signal: stopping.signal});
		return stamp();
	}

	async function stamp(): Promise<string> {
		const startedAt = performance.now();
		const files = (await Promise.all(folders.map(listFiles))).flat();
		tookMs = performance.now() - startedAt;
		return createHash('sha256').update(files.sort().join('\n')).digest('hex');
	}

	async function watch(): Promise<void> {
		let known = await stamp();
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

	const watching = watch().catch((error: unknown) => {
		if (!stopping.signal.aborted) {
			throw error;
		}
	});
	return {
		stop() {
			stopping.abort();
			return watching;
		},
	};
}

/** Names, times and sizes. */
async function listFiles(folder: string): Promise<string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const found = await Promise.all(
		entries
			.filter(({name}) => !name.startsWith('.') && !PASSED_OVER.has(name))
			.map(async entry => {
				const file = join(folder, entry.name);
				if (entry.isDirectory()) {
					return listFiles(file);
				}

				// It may be gone by now.
				const {mtimeMs, size} = (SOURCE.test(entry.name) && (await stat(file).catch(() => undefined))) || {};
				return mtimeMs === undefined ? [] : [`${file}\t${mtimeMs}\t${size}`];
			}),
	);
	return found.flat();
}
