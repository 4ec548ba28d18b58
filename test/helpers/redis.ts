// A real Redis of a test's own.

import {rm} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {Redis} from '../../src/redis/ioredis.js';
import {dataFolder, type Scope} from './bothy.js';

/** Where `npm test` puts a Redis server when it may not install one for the whole machine. */
const TOOLS = fileURLToPath(new URL('../../../.data/bin/', import.meta.url));

export async function startRedis(t: Scope): Promise<string> {
	const folder = await dataFolder(t);
	const redis = await openEmbeddedRedis({folder, port: 0, exclusive: true, owner: t.title, searchFolders: [TOOLS]});
	t.teardown(async () => {
		await redis.close();
		await rm(folder, {recursive: true, force: true});
	});
	return redis.url;
}

export async function connect(t: Scope, url: string): Promise<Redis> {
	const redis = new Redis(url, {maxRetriesPerRequest: null});
	redis.on('error', () => {});
	t.teardown(() => redis.disconnect());
	await redis.ping();
	return redis;
}
