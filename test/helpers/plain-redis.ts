// A connection without our retries and timeouts, to the one server of a URL.

import type {RedisOptions} from 'ioredis';
import {Redis} from 'ioredis';
import {readRedisUrl} from '../../src/redis/redis-url.js';

export function plainRedis(url: string, options: Omit<RedisOptions, 'replyMapping'> = {}): Redis {
	const {nodes = [], options: named} = readRedisUrl(url) ?? {};
	const redis = new Redis({maxRetriesPerRequest: null, ...named, ...nodes[0], ...options});
	redis.on('error', () => {});
	return redis;
}
