// The time of a house, in a file that all of its processes read.

import {closeSync, openSync, writeSync} from 'node:fs';

/** Names the file to processes that preload the standing clock. */
export const CLOCK_FILE = 'CLOCK_FILE';

export interface ClockFile {
	/** Milliseconds since 1970. */
	set(time: number): void;
	close(): void;
}

export function createClockFile(path: string, time: number): ClockFile {
	const file = openSync(path, 'w');
	const bytes = Buffer.alloc(8);
	const set = (time: number) => {
		bytes.writeDoubleLE(time);
		writeSync(file, bytes, 0, 8, 0);
	};
	set(time);
	return {set, close: () => closeSync(file)};
}
