import pino from 'pino';

export type Log = pino.Logger;

export interface LogOptions {
	readonly level: string;
	/** Lines for people rather than JSON. */
	readonly pretty: boolean;
}

/** The process's log. Tokens, keys and people's messages never enter it: callers pass ids and counts. */
export function createLog({level, pretty}: LogOptions): Log {
	const base = {level, base: null, timestamp: pino.stdTimeFunctions.isoTime};
	if (!pretty) {
		return pino(base);
	}

	return pino({...base, transport: {target: 'pino-pretty', options: {translateTime: 'SYS:HH:MM:ss', ignore: 'pid'}}});
}
