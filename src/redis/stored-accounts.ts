// Finds what Redis stores for each account, in the config or not, and moves an account to another site.

import {Redis} from 'ioredis';
import {accountKey, accountTag, sharedKey} from './account-key.js';
import type {RedisConnection} from './connection.js';

/** Number of keys of each account, by its tag. */
export async function storedAccounts(redis: RedisConnection): Promise<ReadonlyMap<string, number>> {
	const found = new Map<string, number>();
	for await (const key of keysLike(redis, accountKey(redis, '*|*', '*'))) {
		const [, tag = ''] = /^[^{]+:\{(.+?)\}:/.exec(key) ?? [];
		found.set(tag, (found.get(tag) ?? 0) + 1);
	}

	return found;
}

/** In this time, only one process of all hosts looks for them. */
const STRAYS_EVERY_MS = 3_600_000;

/** Accounts in Redis that are not among these. Reads all keys, so it returns none if a process looked within the last hour. */
export async function dueStrays(
	redis: RedisConnection,
	accounts: readonly {site: string; email: string}[],
): Promise<readonly string[]> {
	const isOurTurn = (await redis.set(sharedKey(redis, 'strays-turn'), '1', 'PX', STRAYS_EVERY_MS, 'NX')) !== null;
	const known = new Set(accounts.map(accountTag));
	return isOurTurn ? [...(await storedAccounts(redis)).keys()].filter(tag => !known.has(tag)) : [];
}

/** Moves everything of one account to another tag. If both have a key, the one of the new tag stays; sorted sets and hashes are merged. */
export async function moveAccount(redis: RedisConnection, {from, to}: {from: string; to: string}): Promise<number> {
	const prefix = accountKey(redis, from, '');
	let moved = 0;
	for await (const key of keysOfAccount(redis, from)) {
		await moveKey(redis, {from: key, to: accountKey(redis, to, key.slice(prefix.length))});
		moved += 1;
	}

	return moved;
}

/** Not RENAME: the two are in different slots of a Cluster. */
async function moveKey(redis: RedisConnection, {from, to}: {from: string; to: string}): Promise<void> {
	if ((await redis.exists(to)) === 0) {
		const [value, ttl] = await Promise.all([redis.dumpBuffer(from), redis.pttl(from)]);
		if (value) {
			await redis.restore(to, Math.max(0, ttl), value);
		}
	} else {
		await join(redis, {from, to});
	}

	await redis.unlink(from);
}

async function join(redis: RedisConnection, {from, to}: {from: string; to: string}): Promise<void> {
	const kind = await redis.type(from);
	if (kind === 'zset') {
		const members = await redis.zrange(from, '0', '-1', 'WITHSCORES');
		for (let index = 0; index < members.length; index += 2) {
			await redis.zadd(to, 'NX', members[index + 1] ?? '0', members[index] ?? '');
		}
	} else if (kind === 'hash') {
		for (const [field, value] of Object.entries(await redis.hgetall(from))) {
			await redis.hsetnx(to, field, value);
		}
	}
}

/** May return a key twice. */
export function keysOfAccount(redis: RedisConnection, account: string): AsyncGenerator<string> {
	return keysLike(redis, `${accountKey(redis, account, '').replace(/[*?[\]\\]/g, '\\$&')}*`);
}

const SCANNED = 1_000;

async function* keysLike(redis: RedisConnection, pattern: string): AsyncGenerator<string> {
	const nodes = redis instanceof Redis ? [redis] : redis.nodes('master');
	for (const node of nodes) {
		let cursor = '0';
		do {
			const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED);
			yield* keys;
			cursor = next;
		} while (cursor !== '0');
	}
}
