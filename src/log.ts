import {hostname} from 'node:os';
import pino from 'pino';

export type Log = pino.Logger;

export interface LogOptions {
	readonly level: string;
	/** Of Bothy. It distinguishes the lines of two releases. */
	readonly version?: string;
	/** Lines for people rather than JSON. */
	readonly pretty: boolean;
	/** Where lines go when what a command prints is a result. Default `stdout`. */
	readonly to?: 'stdout' | 'stderr';
}

/** How many bytes wait for a slow reader, or for space on the disk. Bothy drops further lines. */
const MOST_WAITING = 4 * 1024 * 1024;

/** Where lines go. While they cannot be written, for example because the disk is full, the process goes on without them. */
function openDestination(fd: number): pino.DestinationStream {
	const stream = pino.destination({dest: fd, sync: false, maxLength: MOST_WAITING});
	let isBroken = false;
	stream.on('error', () => {
		isBroken = true;
	});
	stream.on('write', () => {
		isBroken = false;
	});
	// At the end of the process, it would repeat a failing write forever.
	const flush = stream.flushSync.bind(stream);
	stream.flushSync = () => {
		if (!isBroken) {
			flush();
		}
	};
	return stream;
}

/** The process's log. Tokens, keys and people's messages never enter it: callers pass ids and counts. */
export function createLog({level, version, pretty, to = 'stdout'}: LogOptions): Log {
	const base = {level, base: {host: hostname(), pid: process.pid, version}, timestamp: pino.stdTimeFunctions.isoTime};
	const destination = to === 'stdout' ? 1 : 2;
	if (!pretty) {
		return pino(base, openDestination(destination));
	}

	const options = {translateTime: 'SYS:HH:MM:ss', ignore: 'host,pid,version', destination};
	return pino({...base, transport: {target: 'pino-pretty', options}});
}
