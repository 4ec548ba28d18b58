// The redis-server program: where it lies, and running it as our child.

import {spawn} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import path from 'node:path';
import {EmbeddedRedisError} from './embedded-redis-error.js';
import type {Place} from './find-running-redis.js';

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
	processId: number | undefined;
	hasExited: boolean;
	exited: Promise<RedisEnd>;
	kill(): void;
}

interface RedisEnd {
	reason: string;
	/** Whether it only found its port taken, or was told to stop by one who took it for an orphan. */
	isHarmless: boolean;
}

export function spawnRedisServer({program, place, port}: {program: string; place: Place; port: number}): RedisServer {
	// In a process group of its own, so that Ctrl-C in the terminal does not end it before we are done with it.
	const child = spawn(program, ['-'], {detached: true, stdio: 'pipe', cwd: place.folder});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output = (output + chunk.toString()).slice(-4000);
		});
	}

	// It may end before it has read this; its exit says why.
	child.stdin.on('error', () => {});
	child.stdin.end(configuration(place, port));

	const exited = new Promise<RedisEnd>(resolve => {
		child.once('error', error => resolve({reason: error.message, isHarmless: false}));
		child.once('close', (code, signal) =>
			resolve({
				reason: `it ended with ${signal ?? `exit code ${code}`}${lastLines(output)}`,
				isHarmless: code === 0 || output.includes('Address already in use'),
			}),
		);
	});
	const server = {processId: child.pid, hasExited: false, exited, kill: () => void child.kill('SIGKILL')};
	void exited.then(() => {
		server.hasExited = true;
	});
	return server;
}

function configuration({folder, password}: Place, port: number): string {
	return [
		'bind 127.0.0.1',
		`port ${port}`,
		`dir ${JSON.stringify(folder)}`,
		`requirepass ${password}`,
		'daemonize no',
		'appendonly yes',
		'appendfsync everysec',
		'aof-load-truncated yes',
		'save ""',
		'maxmemory-policy noeviction',
		// BullMQ's delayed jobs wake up to 100 ms late at the default of 10.
		'hz 100',
		'',
	].join('\n');
}

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
