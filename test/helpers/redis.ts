// A real Redis of a test's own, without the keeper that Bothy would start for it.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Redis} from 'ioredis';
import {requireRedisServer} from '../../src/redis/redis-server.js';
import {socketUrl} from '../../src/redis/redis-url.js';
import {dataFolder, type Scope} from './bothy.js';
import {plainRedis} from './plain-redis.js';

/** Where `npm test` puts a Redis server when it may not install one for the whole machine. */
const TOOLS = fileURLToPath(new URL('../../../.data/bin/', import.meta.url));

/** Runs a program until its standard input ends: it dies with us, however we end. */
const WHILE_WE_LIVE = '"$0" "$@" </dev/null & cat >/dev/null; kill -9 $! 2>/dev/null';

export async function startRedis(t: Scope): Promise<string> {
	const folder = await dataFolder(t);
	const socket = join(folder, 'redis.sock');
	const options = {port: 0, unixsocket: socket, dir: folder, save: '', appendonly: 'no'};
	const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const child = spawn('sh', ['-c', WHILE_WE_LIVE, requireRedisServer([TOOLS]), ...words], {
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	const exited = once(child, 'exit');
	t.teardown(async () => {
		child.stdin?.end();
		await exited;
	});
	const url = socketUrl(socket);
	const redis = plainRedis(url, {retryStrategy: () => 10});
	await redis.ping();
	redis.disconnect();
	return url;
}

export async function connect(t: Scope, url: string): Promise<Redis> {
	const redis = plainRedis(url);
	t.teardown(() => redis.disconnect());
	await redis.ping();
	return redis;
}
