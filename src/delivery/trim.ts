// Keeps the ledger small, a few steps at a time. It drops the text of messages first and the entry itself a week later.
// Deliveries with work left are kept until that work is done.

import type {Cluster, Redis} from 'ioredis';
import {accountKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';
import {countTexts, dropTexts} from './scripts/texts.js';
import {KEPT_MS} from './store.js';

export interface TrimOptions {
	/** How long the text of a message is kept, in milliseconds. */
	readonly textMs: number;
	/** Maximum number of deliveries that keep their text: the latest ones. */
	readonly texts: number;
	/** Maximum bytes of these texts. The oldest are dropped first. */
	readonly bytes: number;
}

/** What trimming does in Redis for one account. */
interface TrimSteps {
	readonly redis: Redis | Cluster;
	/** Name of a key of the account. */
	key(what: string): string;
	/** Counts the bytes of texts that were not counted before. */
	countTexts(ids: readonly string[]): Promise<void>;
	/** Drops the text of the deliveries that are done. Remembers the others and checks them again later. */
	dropTexts(ids: readonly string[], now: number): Promise<void>;
}

/** Minimum time between two trims of an account, however many workers sweep. */
const EVERY_MS = 10_000;

/** How many deliveries one step checks. */
const BATCH = 500;

/** The same for dropping by size: a step must not drop much more than necessary. */
const SMALL_BATCH = 10;

/** Steps per trim, so that a sweep stays short. Enough for five thousand deliveries a second. */
const STEPS = 100;

/** Entries that one trim checks for deletion. */
const FORGOTTEN = 10_000;

/** Trims what is due. False if another worker trimmed a short while ago. */
export async function trimAccount(redis: Redis | Cluster, account: string, options: TrimOptions): Promise<boolean> {
	const key = (what: string) => accountKey(redis, account, what);
	if ((await redis.set(key('trim'), '1', 'PX', EVERY_MS, 'NX')) === null) {
		return false;
	}

	const steps = createSteps(redis, key);
	const [seconds] = await redis.time();
	const now = Number(seconds) * 1000;
	await dropOldTexts(steps, {...options, now});
	await lookAgain(steps, now);
	await forgetOld(steps, now);
	return true;
}

function createSteps(redis: Redis | Cluster, key: TrimSteps['key']): TrimSteps {
	const run = createScripts(redis, {countTexts, dropTexts});
	const sizes = ['text-sizes', 'text-bytes'];
	const textsOf = (ids: readonly string[]) => ids.map(id => `delivery:${id}`);
	return {
		redis,
		key,
		async countTexts(ids) {
			await run('countTexts', [...sizes, ...textsOf(ids)].map(key), ids);
		},
		async dropTexts(ids, now) {
			await run('dropTexts', ['due', 'unconfirmed', 'trim-later', ...sizes, ...textsOf(ids)].map(key), [now, ...ids]);
		},
	};
}

/** Counts new texts, then drops texts that are too old, too many or too large. */
async function dropOldTexts(steps: TrimSteps, {textMs, texts, bytes, now}: TrimOptions & {now: number}): Promise<void> {
	const {redis, key} = steps;
	await walk(steps, {name: 'trim-counted', until: now, limit: BATCH, act: steps.countTexts});
	const [, firstTooMany = '0'] = await redis.zrevrange(key('ledger'), texts, texts, 'WITHSCORES');
	const until = Math.max(now - textMs, Number(firstTooMany));
	const drop = (ids: readonly string[]) => steps.dropTexts(ids, now);
	await walk(steps, {name: 'trim-texts', until, limit: BATCH, act: drop});
	const isTooLarge = async () => Number((await redis.get(key('text-bytes'))) ?? 0) > bytes;
	await walk(steps, {name: 'trim-texts', until: now, limit: SMALL_BATCH, act: drop, goesOn: isTooLarge});
}

interface Walk {
	/** Name of the cursor, which stores the position. */
	readonly name: string;
	readonly until: number;
	/** Deliveries in one step. */
	readonly limit: number;
	act(ids: readonly string[]): Promise<void>;
	goesOn?(): Promise<boolean>;
}

/** Walks the ledger once in order of arrival. */
async function walk(steps: TrimSteps, {name, until, limit, act, goesOn = async () => true}: Walk): Promise<void> {
	const {redis, key} = steps;
	let cursor = Number((await redis.get(key(name))) ?? 0);
	for (let step = 0; step < STEPS && (await goesOn()); step++) {
		const {ids, last = cursor} = await arrived(steps, {from: String(cursor), until, limit});
		if (ids.length > 0) {
			await act(ids);
		}

		const isFull = ids.length === limit;
		// More deliveries may still arrive with the score of the last one, but never enough to fill a step.
		cursor = isFull && last === cursor ? last + 1 : last;
		await redis.set(key(name), String(cursor), 'PX', KEPT_MS);
		if (!isFull) {
			return;
		}
	}
}

/** Checks the deliveries that were not done when the cursor passed, starting with the one that has waited longest. */
async function lookAgain({redis, key, dropTexts}: TrimSteps, now: number): Promise<void> {
	const ids = await redis.zrange(key('trim-later'), '0', String(BATCH - 1));
	if (ids.length > 0) {
		await dropTexts(ids, now);
	}
}

/** Removes entries older than a week, in rounds: many of them may still have posts that are due much later. */
async function forgetOld(steps: TrimSteps, now: number): Promise<void> {
	const {redis, key} = steps;
	const limit = FORGOTTEN;
	const after = (await redis.get(key('trim-old'))) ?? '-inf';
	const {ids, last} = await arrived(steps, {from: `(${after}`, until: now - KEPT_MS, limit});
	if (ids.length > 0) {
		const [due, unconfirmed] = await Promise.all(['due', 'unconfirmed'].map(name => redis.zmscore(key(name), ...ids)));
		const done = ids.filter((_, index) => due?.[index] == null && unconfirmed?.[index] == null);
		if (done.length > 0) {
			await redis.zrem(key('ledger'), ...done);
		}
	}

	await Promise.all(['failed', 'parked'].map(name => redis.zremrangebyscore(key(name), '-inf', now - KEPT_MS)));
	const next = ids.length === limit ? String(last) : '-inf';
	await redis.set(key('trim-old'), next, 'PX', KEPT_MS);
}

/** Deliveries in order of arrival, and the arrival time of the last one. */
async function arrived(
	{redis, key}: TrimSteps,
	{from, until, limit}: {from: string; until: number; limit: number},
): Promise<{ids: string[]; last: number | undefined}> {
	const found = await redis.zrangebyscore(key('ledger'), from, until, 'WITHSCORES', 'LIMIT', 0, limit);
	const last = found.at(-1);
	return {ids: found.filter((_, index) => index % 2 === 0), last: last === undefined ? undefined : Number(last)};
}
