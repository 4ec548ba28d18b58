// Ends this process when its event loop stands still, as an endless loop in a handler makes it, and says what ran. A
// thread looks on, for nothing else runs then; the two share memory, since the main thread could not answer a message.

import {url as debuggerUrl} from 'node:inspector';
import {Worker} from 'node:worker_threads';
import {describeWork, type Work} from '../../delivery/work.js';

export interface WatchdogOptions {
	/** The event loop may stand still this long. Default: 5000. */
	readonly stallMs?: number;
	/** The main thread may take this long to say where it stands. Default: 500. */
	readonly stackMs?: number;
	/** Told when the thread itself failed: nobody looks on from then. */
	report(error: Error): void;
}

export interface Watchdog {
	/** Notes what runs from now on, in a few words without secrets; the result ends the note. */
	enter(what: string): () => void;
	stop(): void;
}

interface Run {
	readonly account: {readonly name: string};
	readonly work: Work;
}

/** Tells the watchdog what runs, so that it can name the culprit. */
export function watched<Task extends Run>(
	handle: (task: Task) => Promise<unknown>,
	watchdog: Watchdog | undefined,
): (task: Task) => Promise<unknown> {
	return async function handleWatched(task) {
		const leave = watchdog?.enter(`${task.account.name} ${describeWork(task.work)}`);
		try {
			await handle(task);
		} finally {
			leave?.();
		}
	};
}

export function startWatchdog({stallMs = 5000, stackMs = 500, report}: WatchdogOptions): Watchdog {
	const memory = new SharedArrayBuffer(HEADER_BYTES + SLOTS * SLOT_BYTES);
	const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const beatMs = Math.min(500, stallMs / 4);

	const beat = setInterval(() => {
		Atomics.add(header, BEATS, 1);
		// Somebody who looks at a breakpoint is no endless loop.
		Atomics.store(header, IS_DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
	}, beatMs);
	beat.unref();

	const workerData: ThreadData = {memory, stallMs, stackMs, beatMs};
	const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
		workerData,
		// It needs what the main thread's flags preload no more than its arguments.
		execArgv: [],
		argv: [],
		resourceLimits: {maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2},
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

/** Writing into a slot costs less than a microsecond, so every delivery can afford it. */
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

/** What the thread is given. */
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

/** Index of the number that grows as long as the event loop turns. */
const BEATS = 0;
/** Index of how many were entered, also without a slot. */
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
