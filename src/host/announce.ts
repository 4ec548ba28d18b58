// Each process announces itself in Redis, for `bothy status`.

import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';
import {z} from '../api/zod.js';
import {sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {type Host, openConnection} from './connections.js';
import {version} from './version.js';

const KEY = 'processes';

const EVERY_MS = 20_000;

/** A process that has not announced itself for this long counts as dead. */
const GONE_MS = 60_000;

const LEAVING_MS = 500;

const Running = z.object({
	v: z.literal(1),
	host: z.string(),
	pid: z.int(),
	version: z.string(),
	node: z.string(),
	/** `web`, or the roles of a worker. */
	roles: z.array(z.string()),
	/** Milliseconds since 1970, by the clock of Redis. */
	seenAt: z.number(),
	startedAt: z.number(),
	/** How far the clock of its machine is ahead of that of Redis. Absent in older versions. */
	clockAheadMs: z.number().optional(),
});
export type Running = z.infer<typeof Running>;

export function announce(host: Host, {redisUrl, roles}: {redisUrl: string; roles: readonly string[]}): void {
	const redis = openConnection(host, redisUrl);
	const id = randomUUID();
	async function say(): Promise<void> {
		const askedAt = Date.now();
		const seenAt = await redisTime(redis);
		const startedAt = seenAt - Math.round(process.uptime() * 1000);
		// The answer may have taken a while, which is no difference.
		const clockAheadMs = askedAt > seenAt ? askedAt - seenAt : Math.min(0, Date.now() - seenAt);
		const running = {
			host: hostname(),
			pid: process.pid,
			version,
			node: process.version,
			roles,
			seenAt,
			startedAt,
			clockAheadMs,
		};
		await redis.hset(sharedKey(redis, KEY), id, JSON.stringify({v: 1, ...running}));
	}

	// While Redis is away, one announcement waits. More would add nothing.
	let isSaying = false;
	const trySaying = async () => {
		if (!isSaying) {
			isSaying = true;
			await say().catch(() => {});
			isSaying = false;
		}
	};
	void trySaying();
	const timer = setInterval(trySaying, EVERY_MS).unref();
	host.teardown.add(async () => {
		clearInterval(timer);
		if (redis.status === 'ready') {
			// A frozen Redis must not delay the stop. An announcement that stays expires a minute later.
			await Promise.race([
				redis.hdel(sharedKey(redis, KEY), id).catch(() => {}),
				sleep(LEAVING_MS, undefined, {ref: false}),
			]);
		}
	});
}

/** Lists the running processes by host, and deletes expired announcements. */
export async function readRunning(redis: RedisConnection): Promise<Running[]> {
	const [now, found] = await Promise.all([redisTime(redis), redis.hgetall(sharedKey(redis, KEY))]);
	const running: Running[] = [];
	for (const [id, text] of Object.entries(found)) {
		const {data} = Running.safeParse(JSON.parse(text));
		if (data && now - data.seenAt < GONE_MS) {
			running.push(data);
		} else if (data) {
			await redis.hdel(sharedKey(redis, KEY), id);
		}
	}

	return running.toSorted((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid);
}

/** Redis's clock, in milliseconds since 1970. */
export async function redisTime(redis: RedisConnection): Promise<number> {
	const [seconds, micros] = await redis.time();
	return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
