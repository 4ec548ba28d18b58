import {hostname} from 'node:os';
import pino from 'pino';

export type Log = pino.Logger;

export interface LogOptions {
	readonly level: string;
	/** Of Bothy, so that lines of two releases can be told apart. */
	readonly version?: string;
	/** Lines for people rather than JSON. */
	readonly pretty: boolean;
	/** Where lines go when what a command prints is a result. Default `stdout`. */
	readonly to?: 'stdout' | 'stderr';
}

/** The process's log. Tokens, keys and people's messages never enter it: callers pass ids and counts. */
export function createLog({level, version, pretty, to = 'stdout'}: LogOptions): Log {
	const base = {level, base: {host: hostname(), pid: process.pid, version}, timestamp: pino.stdTimeFunctions.isoTime};
	const destination = to === 'stdout' ? 1 : 2;
	if (!pretty) {
		return pino(base, pino.destination(destination));
	}

	const options = {translateTime: 'SYS:HH:MM:ss', ignore: 'host,pid,version', destination};
	return pino({...base, transport: {target: 'pino-pretty', options}});
}
