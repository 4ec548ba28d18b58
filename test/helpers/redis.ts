// A real Redis of a test's own.

import {rm} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import type {Redis} from '../../src/redis/ioredis.js';
import {dataFolder, type Scope} from './bothy.js';
import {plainRedis} from './plain-redis.js';

/** Where `npm test` puts a Redis server when it may not install one for the whole machine. */
const TOOLS = fileURLToPath(new URL('../../../.data/bin/', import.meta.url));

export async function startRedis(t: Scope): Promise<string> {
	const folder = await dataFolder(t);
	const redis = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	t.teardown(async () => {
		await redis.close();
		await rm(folder, {recursive: true, force: true});
	});
	return redis.url;
}

export async function connect(t: Scope, url: string): Promise<Redis> {
	const redis = plainRedis(url);
	t.teardown(() => redis.disconnect());
	await redis.ping();
	return redis;
}
