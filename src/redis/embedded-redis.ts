// A private Redis server on this machine, shared by all processes that open its folder. It runs from the first `open` to
// the last `close`, or the last death. This file is the user's side; `redis-keeper.ts` keeps the server.

import {spawn} from 'node:child_process';
import {EventEmitter} from 'node:events';
import type {Socket} from 'node:net';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {EmbeddedRedisError} from './embedded-redis-error.js';
import {
	connectTo,
	keeperSocket,
	lastKeeper,
	openFolder,
	READY,
	REDIS_SOCKET,
	STARTING,
	shortenFolder,
} from './redis-folder.js';
import {requireRedisServer} from './redis-server.js';
import {socketUrl} from './redis-url.js';

export {EmbeddedRedisError} from './embedded-redis-error.js';
export {findRedisServer} from './redis-server.js';

export interface EmbeddedRedisOptions {
	/** Folder of the data, for example `.data/redis`. Created if missing. */
	folder: string;
	/** Where to find a server besides the PATH. Default `.data/bin`. */
	searchFolders?: readonly string[];
	/** Called with the reason when the server ended while we use it. It is started again. */
	onLost?(reason: string): void;
}

export interface EmbeddedRedis {
	url: string;
	/** Leaves the server. The last user to leave waits until the server has written everything and ended. */
	close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;
const AGAIN_MS = 500;

export async function openEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
	const folder = openFolder(options.folder);
	const short = shortenFolder(folder);
	const place = {folder, reach: short.name, searchFolders: options.searchFolders};
	const closing = new AbortController();
	const first = await useKeeper(place, closing.signal).catch(error => {
		short.remove();
		throw error;
	});

	const used = stay(first);
	return {
		url: socketUrl(path.join(short.name, REDIS_SOCKET)),
		async close() {
			closing.abort();
			await used;
			short.remove();
		},
	};

	async function stay(keeper: Keeper): Promise<void> {
		for (let current: Keeper | undefined = keeper; current; ) {
			const reason = await current.ended;
			if (closing.signal.aborted) {
				return;
			}

			options.onLost?.(reason || 'its keeper was killed');
			current = await useNext();
		}
	}

	/** Undefined while we close. */
	async function useNext(): Promise<Keeper | undefined> {
		while (!closing.signal.aborted) {
			await sleep(AGAIN_MS, undefined, {signal: closing.signal}).catch(() => {});
			try {
				return await useKeeper(place, closing.signal);
			} catch (error) {
				if (!closing.signal.aborted) {
					options.onLost?.(error instanceof Error ? error.message : String(error));
				}
			}
		}

		return undefined;
	}
}

interface Place {
	readonly folder: string;
	/** Another name of the same folder, for the paths of sockets. */
	readonly reach: string;
	readonly searchFolders: readonly string[] | undefined;
}

/** Connects to the keeper of the folder, or starts one. Resolves when its server has loaded its data. */
async function useKeeper(place: Place, signal: AbortSignal): Promise<Keeper> {
	const {folder, reach, searchFolders} = place;
	const timeout = AbortSignal.timeout(TIMEOUT_MS);
	while (!timeout.aborted && !signal.aborted) {
		const running = await connectTo(path.join(reach, keeperSocket(lastKeeper(folder))));
		const keeper = follow(running ?? startKeeper(folder, requireRedisServer(searchFolders)), signal);
		timeout.addEventListener('abort', keeper.leave);
		const isStarting = await keeper.says(STARTING);
		timeout.removeEventListener('abort', keeper.leave);
		if (isStarting && (await keeper.says(READY))) {
			return keeper;
		}

		const reason = await keeper.ended;
		if (reason !== '') {
			throw new EmbeddedRedisError('start', `Could not start Redis for ${folder}: ${reason}`);
		}

		// It was stopping, or another keeper started sooner.
	}

	throw new EmbeddedRedisError('start', `Could not connect to Redis for ${folder} within ${TIMEOUT_MS / 1000} s`);
}

/** Our connection to a new keeper. */
function startKeeper(folder: string, program: string): Socket {
	const child = spawn(process.execPath, [fileURLToPath(new URL('./redis-keeper.js', import.meta.url)), program], {
		cwd: folder,
		// In a session of its own, which Ctrl-C in our terminal does not reach.
		detached: true,
		stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
	});
	// If the start failed, the connection shows it.
	child.on('error', () => {});
	child.unref();
	// A pipe that Node makes is a socket.
	return child.stdio[3] as Socket;
}

interface Keeper {
	/** Resolves with the reason when the connection has ended: the server stopped or failed, or we left. */
	readonly ended: Promise<string>;
	/** Whether it sends this before the connection ends. */
	says(line: string): Promise<boolean>;
	/** Ends the connection without waiting for the server. */
	leave(): void;
}

/** Reads what a keeper sends. When the signal fires, asks it to end the connection. */
function follow(socket: Socket, signal: AbortSignal): Keeper {
	let said = '';
	const heard = new EventEmitter();
	socket.on('data', (chunk: Buffer) => {
		said += chunk.toString();
		heard.emit('more');
	});
	socket.on('error', () => {});
	const end = () => socket.end();
	signal.addEventListener('abort', end);
	if (signal.aborted) {
		end();
	}

	const closed = new Promise<void>(resolve => socket.once('close', resolve));
	void closed.then(() => signal.removeEventListener('abort', end));
	return {
		ended: closed.then(() => said.replace(STARTING, '').replace(READY, '')),
		says: line =>
			new Promise(resolve => {
				const look = () => said.includes(line) && resolve(true);
				heard.on('more', look);
				void closed.then(() => resolve(false));
				look();
			}),
		leave: () => socket.destroy(),
	};
}
