// Ends this process if its event loop blocks, for example because of an endless loop in a handler, and logs what was running. A
// separate thread watches the event loop. They share memory, because a blocked main thread cannot answer messages.

import {url as debuggerUrl} from 'node:inspector';
import {Worker} from 'node:worker_threads';

export interface WatchdogOptions {
	/** How long the event loop may block while the process computes; without CPU time six times as long. Default: 5000. */
	readonly stallMs?: number;
	/** How long the main thread may take to report its stack. Default: 500. */
	readonly stackMs?: number;
	/** Called if the thread itself fails. After that, nothing watches the event loop. */
	report(error: Error): void;
}

export interface Watchdog {
	/** Records what is running, in a few words without secrets. Call the result when it ends. */
	enter(what: string): () => void;
	stop(): void;
}

export function startWatchdog({stallMs = 5000, stackMs = 500, report}: WatchdogOptions): Watchdog {
	const memory = new SharedArrayBuffer(HEADER_BYTES + SLOTS * SLOT_BYTES);
	const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const beatMs = Math.min(500, stallMs / 4);

	const beat = setInterval(() => {
		Atomics.add(header, BEATS, 1);
		// A stop at a breakpoint is not an endless loop.
		Atomics.store(header, IS_DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
	}, beatMs);
	beat.unref();

	const workerData: ThreadData = {memory, stallMs, stackMs, beatMs};
	const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
		workerData,
		// The thread needs neither the preloads of the main thread nor its arguments.
		execArgv: [],
		argv: [],
		// It takes what it needs. Reading the source map of a bundled script takes many times the size of the map.
		resourceLimits: {maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 2},
	});
	thread.unref();
	thread.on('error', report);

	return {
		enter: noteIn(memory, header),
		stop() {
			clearInterval(beat);
			void thread.terminate();
		},
	};
}

/** Writing into a slot takes less than a microsecond, so every delivery can do it. */
function noteIn(memory: SharedArrayBuffer, header: Int32Array): Watchdog['enter'] {
	const bytes = Buffer.from(memory, HEADER_BYTES);
	const free = Array.from({length: SLOTS}, (_, index) => index * SLOT_BYTES);

	return function enter(what) {
		header[RUNNING] = (header[RUNNING] ?? 0) + 1;
		const slot = free.pop();
		if (slot !== undefined) {
			bytes[slot] = bytes.write(what, slot + 1, SLOT_BYTES - 1);
		}

		let hasLeft = false;
		return function leave() {
			if (hasLeft) {
				return;
			}

			hasLeft = true;
			header[RUNNING] = (header[RUNNING] ?? 0) - 1;
			if (slot !== undefined) {
				bytes[slot] = 0;
				free.push(slot);
			}
		};
	};
}

/** Data for the thread. */
export interface ThreadData {
	readonly memory: SharedArrayBuffer;
	readonly stallMs: number;
	readonly stackMs: number;
	readonly beatMs: number;
}

// The shared memory: a few numbers, then slots of one length byte and a text each.
const HEADER_BYTES = 16;
const SLOTS = 256;
const SLOT_BYTES = 256;

/** Index of the counter that grows while the event loop runs. */
const BEATS = 0;
/** Index of the number of running handlers, including those without a slot. */
const RUNNING = 1;
const IS_DEBUGGED = 2;

/** The thread's view of the shared memory. */
export function readMemory(memory: SharedArrayBuffer) {
	const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const bytes = Buffer.from(memory, HEADER_BYTES);
	return {
		beats: () => Atomics.load(header, BEATS),
		isDebugged: () => Atomics.load(header, IS_DEBUGGED) === 1,
		running: () => header[RUNNING] ?? 0,
		names: () =>
			Array.from({length: SLOTS}, (_, index) => index * SLOT_BYTES)
				.filter(slot => bytes[slot] !== 0)
				.map(slot => bytes.toString('utf8', slot + 1, slot + 1 + (bytes[slot] ?? 0))),
	};
}
