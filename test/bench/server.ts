// A server under measurement, in a process of its own.

import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {openSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {RECEIVER_FLAGS} from '../../src/host/processes/receiver-process.js';

const PROGRAM = fileURLToPath(new URL('./receiver-process.js', import.meta.url));

/** Where `npm start` puts a Redis server. */
export const TOOLS = fileURLToPath(new URL('../../../.data/bin/', import.meta.url));

export interface Usage {
	/** CPU time since the process began. */
	readonly cpuMs: number;
	readonly rssMiB: number;
	/** Since the last time that somebody asked. */
	readonly loopDelayP99Ms: number;
}

export interface Server {
	readonly url: string;
	usage(): Promise<Usage>;
	stop(): void;
}

export async function startServer(kind: 'floor' | 'koa' | 'bothy', redisUrl: string, logFile: string): Promise<Server> {
	const execArgv = kind === 'bothy' ? RECEIVER_FLAGS : [];
	const child: ChildProcess = fork(PROGRAM, [kind, redisUrl], {
		execArgv,
		stdio: ['ignore', openSync(logFile, 'a'), 'inherit', 'ipc'],
	});
	const [{url}] = (await once(child, 'message')) as [{url: string}];
	return {
		url,
		async usage() {
			child.send('usage');
			const [usage] = (await once(child, 'message')) as [Usage];
			return usage;
		},
		stop: () => child.kill('SIGKILL'),
	};
}
