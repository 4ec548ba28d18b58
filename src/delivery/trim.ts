// Keeps the ledger small, a few steps at a time: the text of messages goes first, a week later the entry itself. What
// somebody must still look after is left alone until it is done.

import type {Cluster, Redis} from 'ioredis';
import {KEPT_MS} from './scripts.js';

export interface TrimOptions {
	/** How long the text of a message is kept, in milliseconds. */
	readonly textMs: number;
	/** Of how many deliveries, the latest, the text is kept at most. */
	readonly texts: number;
}

/** What trimming does in Redis for one account. */
export interface TrimSteps {
	readonly redis: Redis | Cluster;
	/** Name of a key of the account. */
	key(what: string): string;
	/** Drops the text of those of these deliveries that are done, and remembers the others for another look. */
	dropTexts(ids: readonly string[], now: number): Promise<void>;
}

/** An account is trimmed this often at most, however many workers sweep. */
const EVERY_MS = 10_000;

/** Deliveries that one step looks at. */
const BATCH = 500;

/** Steps in one go, so that a sweep stays short: enough for five thousand deliveries a second. */
const STEPS = 100;

/** Entries that one go looks at to forget them. */
const FORGOTTEN = 10_000;

/** Does what is due now; false when another did it a short while ago. */
export async function trimAccount(steps: TrimSteps, options: TrimOptions): Promise<boolean> {
	const {redis, key} = steps;
	if ((await redis.set(key('trim'), '1', 'PX', EVERY_MS, 'NX')) === null) {
		return false;
	}

	const [seconds] = await redis.time();
	const now = Number(seconds) * 1000;
	await dropOldTexts(steps, {...options, now});
	await lookAgain(steps, now);
	await forgetOld(steps, now);
	return true;
}

/** Goes through the ledger in order of arrival, once; a cursor says how far it came. */
async function dropOldTexts(steps: TrimSteps, {textMs, texts, now}: TrimOptions & {now: number}): Promise<void> {
	const {redis, key} = steps;
	const [, firstTooMany = '0'] = await redis.zrevrange(key('ledger'), texts, texts, 'WITHSCORES');
	const until = Math.max(now - textMs, Number(firstTooMany));
	let cursor = Number((await redis.get(key('trim-texts'))) ?? 0);
	for (let step = 0; step < STEPS; step++) {
		const {ids, last = cursor} = await arrived(steps, {from: String(cursor), until, limit: BATCH});
		if (ids.length > 0) {
			await steps.dropTexts(ids, now);
		}

		const isFull = ids.length === BATCH;
		// Others may still arrive with the score of the last one, but not as many as would fill a step.
		cursor = isFull && last === cursor ? last + 1 : last;
		await redis.set(key('trim-texts'), String(cursor), 'PX', KEPT_MS);
		if (!isFull) {
			return;
		}
	}
}

/** What was not done when the cursor passed, first that which waits longest for a look. */
async function lookAgain({redis, key, dropTexts}: TrimSteps, now: number): Promise<void> {
	const ids = await redis.zrange(key('trim-later'), '0', String(BATCH - 1));
	if (ids.length > 0) {
		await dropTexts(ids, now);
	}
}

/** Takes out what is older than a week, round and round: among it may stand much that waits for a day far ahead. */
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

	const next = ids.length === limit ? String(last) : '-inf';
	await redis.set(key('trim-old'), next, 'PX', KEPT_MS);
}

/** Deliveries in order of arrival, and when the last of them arrived. */
async function arrived(
	{redis, key}: TrimSteps,
	{from, until, limit}: {from: string; until: number; limit: number},
): Promise<{ids: string[]; last: number | undefined}> {
	const found = await redis.zrangebyscore(key('ledger'), from, until, 'WITHSCORES', 'LIMIT', 0, limit);
	const last = found.at(-1);
	return {ids: found.filter((_, index) => index % 2 === 0), last: last === undefined ? undefined : Number(last)};
}
