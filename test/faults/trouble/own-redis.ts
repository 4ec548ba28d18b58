// A Redis that is stopped, started again on what it wrote, and held still.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {Redis} from 'ioredis';
import {findRedisServer} from '../../../src/redis/embedded-redis.js';
import {freePort} from '../../helpers/free-port.js';

/** Where `npm test` puts a Redis server when it may not install one for the whole machine. */
const TOOLS = fileURLToPath(new URL('../../../../.data/bin/', import.meta.url));

export interface OwnRedis {
	readonly port: number;
	readonly url: string;
	/** Ends it and starts it again on the same port and data. */
	restart(): Promise<void>;
	/** Lets it stand still for a while. */
	pause(ms: number): Promise<void>;
	/** Kills it, and starts it again after a while on the same port and data. */
	kill(awayMs: number): Promise<void>;
	stop(): Promise<void>;
	start(): Promise<void>;
}

/** A Redis with an append-only file. */
export async function startOwnRedis(folder: string): Promise<OwnRedis> {
	const program = findRedisServer([TOOLS]);
	if (!program) {
		throw new Error('Expected a redis-server; `node scripts/prepare.mjs` installs one');
	}

	const port = await freePort();
	const url = `redis://127.0.0.1:${port}`;
	// With fsync, Redis holds back what it has acknowledged while the disk is busy, and a kill loses that. Without, it writes at once.
	const log = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
	const words = ['--port', port, '--bind', '127.0.0.1', ...log, '--dir', folder];
	let child: ChildProcess;

	async function start(): Promise<void> {
		child = spawn(program ?? '', [...words.map(String), '--logfile', join(folder, 'redis.log'), '--hz', '100']);
		const redis = new Redis(url, {maxRetriesPerRequest: null, retryStrategy: () => 20});
		redis.on('error', () => {});
		await redis.ping();
		redis.disconnect();
	}

	async function stop(): Promise<void> {
		if (child.exitCode !== null || child.signalCode !== null) {
			return;
		}

		const exited = once(child, 'exit');
		child.kill('SIGTERM');
		await exited;
	}

	await start();
	process.once('exit', () => child.kill('SIGKILL'));
	return {
		port,
		url,
		start,
		stop,
		async restart() {
			await stop();
			await start();
		},
		async kill(awayMs) {
			const exited = once(child, 'exit');
			child.kill('SIGKILL');
			await exited;
			await sleep(awayMs);
			await start();
		},
		async pause(ms) {
			child.kill('SIGSTOP');
			await sleep(ms);
			child.kill('SIGCONT');
		},
	};
}
