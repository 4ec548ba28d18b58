// The redis-server program: finds it, and runs it as a child.

import {spawn} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import type {Server, Socket} from 'node:net';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {EmbeddedRedisError} from './embedded-redis-error.js';
import {connectTo, REDIS_SOCKET} from './redis-folder.js';

export function findRedisServer(searchFolders: readonly string[] = ['.data/bin']): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...searchFolders].filter(folder => folder !== '');
	const candidates = ['redis-server', 'valkey-server'].flatMap(name =>
		folders.map(folder => path.resolve(folder, name)),
	);
	return candidates.find(isExecutable);
}

export function requireRedisServer(searchFolders?: readonly string[]): string {
	const program = findRedisServer(searchFolders);
	if (program !== undefined) {
		return program;
	}

	throw new EmbeddedRedisError(
		'missing',
		'Found no redis-server or valkey-server on the PATH or in .data/bin. In a clone `npm start` installs one; or install it ' +
			'yourself (Debian, Ubuntu: `apt-get install redis-server`; macOS: `brew install redis`), ' +
			'or name a running server in REDIS_URL',
	);
}

export interface RedisServer {
	/** Resolves when it has loaded its data, with false if it ended before. */
	isLoaded(): Promise<boolean>;
	/** Resolves with the reason when it has ended. */
	readonly exited: Promise<string>;
	/** Makes it write everything and end. */
	stop(): void;
}

/** A server that needs longer to write and end is stuck. */
const STOP_MS = 10_000;

/** Starts the server in the working folder. It inherits `held`, and so holds that socket until it has ended. */
export function spawnRedisServer(program: string, held: Server): RedisServer {
	// Every listening server has this handle; Node has no public name for it.
	const {fd} = (held as unknown as {_handle: {fd: number}})._handle;
	const child = spawn(program, CONFIGURATION, {stdio: ['ignore', 'pipe', 'pipe', fd]});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk: Buffer) => {
			output = (output + chunk.toString()).slice(-4000);
		});
	}

	let hasExited = false;
	const exited = new Promise<string>(resolve => {
		child.once('error', error => resolve(error.message));
		child.once('close', (code, signal) =>
			resolve(`it ended with ${signal ?? `exit code ${code}`}${lastLines(output)}`),
		);
	});
	void exited.then(() => {
		hasExited = true;
	});
	return {
		exited,
		async isLoaded() {
			while (!hasExited) {
				const socket = await connectTo(REDIS_SOCKET);
				if (socket && (await ping(socket)).startsWith('+PONG')) {
					return true;
				}

				await sleep(5);
			}

			return false;
		},
		stop() {
			child.kill('SIGTERM');
			setTimeout(() => child.kill('SIGKILL'), STOP_MS);
		},
	};
}

/** The answer. Empty if the server ended. */
function ping(socket: Socket): Promise<string> {
	socket.write('PING\r\n');
	return new Promise(resolve => {
		socket.once('data', (answer: Buffer) => {
			resolve(answer.toString());
			socket.destroy();
		});
		socket.once('close', () => resolve(''));
	});
}

const CONFIGURATION = Object.entries({
	// No TCP.
	port: '0',
	unixsocket: REDIS_SOCKET,
	daemonize: 'no',
	loglevel: 'warning',
	appendonly: 'yes',
	appendfsync: 'everysec',
	'aof-load-truncated': 'yes',
	save: '',
	'maxmemory-policy': 'noeviction',
	// BullMQ's delayed jobs wake up to 100 ms late at the default of 10.
	hz: '100',
}).flatMap(([name, value]) => [`--${name}`, value]);

function lastLines(output: string): string {
	const lines = output.trim().split('\n').slice(-3).join('\n');
	return lines === '' ? '' : `:\n${lines}`;
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
