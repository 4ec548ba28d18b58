// One Redis for all tests of a process: each test has a database of its own in it, empty at first.

import test from 'ava';
import type {Redis} from 'ioredis';
import {connectRedis} from '../../src/redis/connection.js';
import type {Scope} from './bothy.js';
import {connect, startRedis} from './redis.js';

/** As many as a server has. */
const DATABASES = 16;

const free = Array.from({length: DATABASES}, (_, number) => number);
const waiting: Array<(number: number) => void> = [];
const teardowns: Array<() => unknown> = [];
let server: Promise<{url: string; admin: Redis}> | undefined;

test.after.always('the Redis of all tests stops', async () => {
	for (const act of teardowns) {
		await act();
	}
});

async function start() {
	const all: Scope = {title: 'tests', teardown: act => void teardowns.unshift(act)};
	const url = await startRedis(all);
	const admin = await connect(all, url);
	return {url, admin};
}

/** The URL of an empty database. Channels of publish and subscribe are common to all databases. */
export async function openRedis(t: Scope): Promise<string> {
	server ??= start();
	const {url, admin} = await server;
	const number = free.pop() ?? (await new Promise<number>(resolve => waiting.push(resolve)));
	t.teardown(async () => {
		await admin.multi().select(number).flushdb().exec();
		const give = waiting.shift() ?? ((freed: number) => free.push(freed));
		give(number);
	});
	return `${url}?db=${number}`;
}

/** A connection to an empty database. */
export async function connectToRedis(t: Scope): Promise<Redis> {
	const redis = connectRedis(await openRedis(t), {listener: {onLost() {}, onBack() {}}});
	t.teardown(() => redis.disconnect());
	// One URL is no Cluster.
	return redis as Redis;
}
