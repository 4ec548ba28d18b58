// Looks who stands at the ports where our server may be: the one it last had, and the one that is asked for.

import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {RedisOptions} from 'ioredis';
import {Redis} from './ioredis.js';
import {readLastPort} from './redis-folder.js';

export interface Place {
	folder: string;
	password: string;
}

export type Found =
	| {kind: 'none'}
	/** Just started, its owner has not yet made itself known. */
	| {kind: 'young'}
	/** Its owner was killed. */
	| {kind: 'orphan'; port: number; processId: number}
	| {kind: 'owned'; port: number; owner: string}
	/** Another program, or the Redis of another folder. */
	| {kind: 'stranger'; port: number};

/**
 * The owner of a server holds a connection with this name. It ends with its process, however that dies, and nobody
 * takes it over by chance, as happens to process ids.
 */
export const ownerPrefix = 'bothy-owner:';
const youngSeconds = 2;

export async function findRunningRedis(place: Place, wantedPort: number): Promise<Found> {
	const lastPort = readLastPort(place.folder);
	if (lastPort !== undefined && lastPort !== wantedPort) {
		const found = await inspect(place, lastPort);
		// What strangers do on our former port is no concern of ours.
		if (found.kind !== 'stranger' && found.kind !== 'none') {
			return found;
		}
	}

	return wantedPort === 0 ? {kind: 'none'} : await inspect(place, wantedPort);
}

async function inspect(place: Place, port: number): Promise<Found> {
	// One that is just starting or stopping cannot be told from a stranger at first sight.
	for (let look = 0; look < 3; look++) {
		if (!(await isListening(port))) {
			return {kind: 'none'};
		}

		const redis = await visit(place, port);
		const found = redis && (await ask(redis, port).catch(() => undefined));
		redis?.disconnect();
		if (found) {
			return found;
		}

		await sleep(50);
	}

	return {kind: 'stranger', port};
}

async function ask(redis: Redis, port: number): Promise<Found> {
	const [clients, server] = await Promise.all([redis.client('LIST'), redis.info('server')]);
	const owner = ownerAmong(String(clients));
	if (owner !== undefined) {
		return {kind: 'owned', port, owner};
	}

	if (Number(/^uptime_in_seconds:(\d+)/m.exec(server)?.[1]) < youngSeconds) {
		return {kind: 'young'};
	}

	return {kind: 'orphan', port, processId: Number(/^process_id:(\d+)/m.exec(server)?.[1])};
}

function ownerAmong(clients: string): string | undefined {
	const name = new RegExp(` name=${ownerPrefix}(\\S*)`).exec(clients)?.[1];
	return name === undefined ? undefined : decodeURIComponent(name);
}

/** A connection to the server of our folder; undefined when nothing or something else answers. */
export async function visit({folder, password}: Place, port: number): Promise<Redis | undefined> {
	const redis = connectTo(port, {retryStrategy: () => null, commandTimeout: 2000, connectTimeout: 2000});
	try {
		await redis.connect();
		await redis.auth(password);
		const reply = await redis.config('GET', 'dir');
		if (Array.isArray(reply) && reply[1] === folder) {
			return redis;
		}
	} catch {
		// Whoever does not know our password is somebody else.
	}

	redis.disconnect();
	return undefined;
}

export function connectTo(port: number, options: Omit<RedisOptions, 'replyMapping'>): Redis {
	const redis = new Redis({
		host: '127.0.0.1',
		port,
		lazyConnect: true,
		// We also speak to a server that is still loading its data.
		enableReadyCheck: false,
		disableClientInfo: true,
		protocol: 2,
		...options,
	});
	// Without a listener ioredis prints connection errors; ours are told by the calls that fail.
	redis.on('error', () => {});
	return redis;
}

export async function isListening(port: number): Promise<boolean> {
	const socket = connect({host: '127.0.0.1', port});
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

export async function freePort(): Promise<number> {
	for (;;) {
		// Below those that systems give to connections: one of these stays free until somebody listens on it.
		const port = randomInt(20_000, 32_000);
		const server = createServer().listen(port, '127.0.0.1');
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (isFree) {
			server.close();
			await once(server, 'close');
			return port;
		}
	}
}
