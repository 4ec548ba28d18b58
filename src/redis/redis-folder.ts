// The folder of the private Redis: its data, and the sockets of the server and its keeper. No other user of the
// machine may enter it, so the sockets need no password.

import {
	accessSync,
	chmodSync,
	constants,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {EmbeddedRedisError} from './embedded-redis-error.js';

export const REDIS_SOCKET = 'redis.sock';

/** What a keeper sends to its users when it starts the server, and when the server has loaded its data. */
export const STARTING = 'starting\n';
export const READY = 'ready\n';

/** Maximum bytes of a socket's path on every system, without the name of the socket itself. */
const LONGEST_FOLDER = 80;

export function openFolder(name: string): string {
	try {
		mkdirSync(name, {recursive: true, mode: 0o700});
		accessSync(name, constants.R_OK | constants.W_OK | constants.X_OK);
		// An older version, or a restored copy, may have opened it to others. This fails if another user owns the folder.
		chmodSync(name, 0o700);
		return realpathSync(name);
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
		const message = `Expected ${name} to be a folder that belongs to us, for the data of Redis${code}`;
		throw new EmbeddedRedisError('folder', message, {cause});
	}
}

/** A name of the folder that is short enough for a socket's path. If necessary, a link in a private temporary folder. */
export function shortenFolder(folder: string): {name: string; remove(): void} {
	if (Buffer.byteLength(folder) <= LONGEST_FOLDER) {
		return {name: folder, remove() {}};
	}

	const own = mkdtempSync(path.join(tmpdir(), 'bothy-'));
	const name = path.join(own, 'redis');
	symlinkSync(folder, name);
	return {name, remove: () => rmSync(own, {recursive: true, force: true})};
}

export function keeperSocket(number: number): string {
	return `keeper.${number}`;
}

/** The number of the last keeper, dead or alive. 0 if there was none. */
export function lastKeeper(folder: string): number {
	const numbers = readdirSync(folder).map(name => Number(/^keeper\.(\d+)$/.exec(name)?.[1] ?? 0));
	return Math.max(0, ...numbers);
}

/** Undefined if no process has the socket any more. The system knows that even for killed processes. */
export function connectTo(socketPath: string): Promise<Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = connect(socketPath);
		socket.once('connect', () => resolve(socket));
		// Stays, since a connection may also break later. `close` reports its end.
		socket.on('error', (error: NodeJS.ErrnoException) =>
			NOBODY.has(error.code ?? '') ? resolve(undefined) : reject(unusable(error)),
		);
	});
}

function unusable(cause: Error): EmbeddedRedisError {
	const message = `Expected the private Redis to be ours, but: ${cause.message}. Run all processes as the same user`;
	return new EmbeddedRedisError('folder', message, {cause});
}

const NOBODY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTSOCK']);
