// A private Redis server beside us: starts one, joins the one of a living owner, replaces the one of a killed owner.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Redis} from 'ioredis';
import {describePortHolder} from '../port-holder.js';
import {EmbeddedRedisError} from './embedded-redis-error.js';
import {
	connectTo,
	findRunningRedis,
	freePort,
	isListening,
	ownerPrefix,
	type Place,
	visit,
} from './find-running-redis.js';
import {openFolder, readPassword, writeLastPort} from './redis-folder.js';
import {type RedisServer, requireRedisServer, spawnRedisServer} from './redis-server.js';

export {EmbeddedRedisError} from './embedded-redis-error.js';
export {findRedisServer} from './redis-server.js';

export interface EmbeddedRedisOptions {
	/** Where the data lie, for example `.data/redis`; made if missing. */
	folder: string;
	/** The port on 127.0.0.1, which is also the lock between processes; 0 takes any free one. */
	port: number;
	/** Whether to refuse a server that a living owner holds, rather than join it. */
	exclusive: boolean;
	/** Who we are, shown to others: `bothy start (process 1234)`. */
	owner: string;
	/** Where a server may lie besides the PATH; default `.data/bin`. */
	searchFolders?: readonly string[];
}

export interface EmbeddedRedis {
	url: string;
	/** Whether somebody else owns the server and stops it. */
	joined: boolean;
	/** Called with the reason when the server ends before `close()`. */
	onExit(listener: (reason: string) => void): void;
	/** Stops the server if it is ours, else only leaves it. */
	close(): Promise<void>;
}

const timeoutMs = 15_000;
const shutdownMs = 5000;

export async function openEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
	const folder = openFolder(options.folder);
	const place = {folder, password: readPassword(folder)};
	const deadline = performance.now() + timeoutMs;

	while (performance.now() < deadline) {
		const opened = await tryToOpen(place, options);
		if (opened) {
			return opened;
		}
	}

	throw new EmbeddedRedisError('start', `Could not get hold of Redis for ${folder} within ${timeoutMs / 1000} s`);
}

/** Undefined when the world changed while we looked, or has to change before we can go on. */
async function tryToOpen(place: Place, options: EmbeddedRedisOptions): Promise<EmbeddedRedis | undefined> {
	const found = await findRunningRedis(place, options.port);
	switch (found.kind) {
		case 'none':
			return await start(place, options);
		case 'owned':
			if (options.exclusive) {
				throw ownedError(place, found.owner);
			}

			return await join(place, found.port);
		case 'orphan':
			await shutDown(place, found);
			return undefined;
		case 'young':
			await sleep(50);
			return undefined;
		case 'stranger':
			throw portError(found.port);
	}
}

/** Undefined when somebody else was quicker. */
async function start(place: Place, options: EmbeddedRedisOptions): Promise<EmbeddedRedis | undefined> {
	const program = requireRedisServer(options.searchFolders);
	const port = options.port === 0 ? await freePort() : options.port;
	const server = spawnRedisServer({program, place, port});
	const visitor = await visitChild(place, port, server);
	if (!visitor) {
		const end = await server.exited;
		if (end.isHarmless) {
			return undefined;
		}

		throw new EmbeddedRedisError('start', `Could not start ${program} for ${place.folder}: ${end.reason}`);
	}

	let isClosing = false;
	const redis = connectTo(port, {
		password: place.password,
		connectionName: ownerPrefix + encodeURIComponent(options.owner),
		maxRetriesPerRequest: null,
		// A SHUTDOWN that is sent again could reach the server that comes after this one.
		autoResendUnfulfilledCommands: false,
		retryStrategy: () => (server.hasExited ? null : 100),
	});
	await redis.connect();
	visitor.disconnect();
	writeLastPort(place.folder, port);
	await untilLoaded(redis);

	const exits = exitListeners();
	void server.exited.then(end => {
		redis.disconnect();
		if (!isClosing) {
			exits.tell(end.reason);
		}
	});
	return {
		url: urlOf(place, port),
		joined: false,
		onExit: exits.add,
		async close() {
			isClosing = true;
			await stop(redis, server);
		},
	};
}

/** A connection to our child; undefined when it ended, as it does when somebody else has the port. */
async function visitChild(place: Place, port: number, server: RedisServer): Promise<Redis | undefined> {
	while (!server.hasExited) {
		const redis = (await isListening(port)) ? await visit(place, port) : undefined;
		if (redis && (await processIdOf(redis)) === server.processId) {
			return redis;
		}

		redis?.disconnect();
		await sleep(3);
	}

	return undefined;
}

async function processIdOf(redis: Redis): Promise<number | undefined> {
	const info = await redis.info('server').catch(() => '');
	return Number(/^process_id:(\d+)/m.exec(info)?.[1]);
}

async function untilLoaded(redis: Redis): Promise<void> {
	while (/^loading:1/m.test(await redis.info('persistence'))) {
		await sleep(20);
	}
}

async function stop(redis: Redis, server: RedisServer): Promise<void> {
	const timer = setTimeout(server.kill, shutdownMs);
	redis.shutdown().catch(() => {});
	await server.exited;
	clearTimeout(timer);
	redis.disconnect();
}

async function join(place: Place, port: number): Promise<EmbeddedRedis | undefined> {
	const redis = await visit(place, port);
	if (!redis) {
		return undefined;
	}

	let isClosing = false;
	const exits = exitListeners();
	redis.once('end', () => {
		if (!isClosing) {
			exits.tell('its owner stopped it');
		}
	});
	return {
		url: urlOf(place, port),
		joined: true,
		onExit: exits.add,
		async close() {
			isClosing = true;
			redis.disconnect();
		},
	};
}

async function shutDown(place: Place, orphan: {port: number; processId: number}): Promise<void> {
	const redis = await visit(place, orphan.port);
	redis?.shutdown().catch(() => {});
	const deadline = performance.now() + shutdownMs;
	while (await isListening(orphan.port)) {
		if (performance.now() > deadline) {
			process.kill(orphan.processId, 'SIGKILL');
			break;
		}

		await sleep(10);
	}

	redis?.disconnect();
}

/** Tells late listeners too: the server may end between `openEmbeddedRedis` and `onExit`. */
function exitListeners() {
	const listeners: Array<(reason: string) => void> = [];
	let known: string | undefined;
	return {
		add(listener: (reason: string) => void) {
			listeners.push(listener);
			if (known !== undefined) {
				listener(known);
			}
		},
		tell(reason: string) {
			known = reason;
			for (const listener of listeners) {
				listener(reason);
			}
		},
	};
}

function urlOf({password}: Place, port: number): string {
	return `redis://:${password}@127.0.0.1:${port}`;
}

function ownedError({folder}: Place, owner: string): EmbeddedRedisError {
	return new EmbeddedRedisError('owned', `The Redis server of ${folder} is in use by ${owner}. Stop that first`);
}

function portError(port: number): EmbeddedRedisError {
	return new EmbeddedRedisError(
		'port',
		`Expected port ${port} of 127.0.0.1 to be free for our Redis server, but ${describePortHolder(port)} holds it. ` +
			'Stop that, choose another port with REDIS_PORT, or name a server of your own in REDIS_URL',
	);
}
