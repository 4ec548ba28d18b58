// Counts the webhooks with a wrong token for each account, for `bothy doctor`: the bot may have a new token on the service.

import {accountKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';

/** The count starts at zero again this long after the last wrong token. */
export const KEPT_SECONDS = 24 * 3_600;

export async function countWrongTokens(
	redis: RedisConnection,
	{account, count}: {readonly account: string; readonly count: number},
): Promise<void> {
	const key = accountKey(redis, account, 'wrong-tokens');
	await Promise.all([redis.incrby(key, count), redis.expire(key, KEPT_SECONDS)]);
}
