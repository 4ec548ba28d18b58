// Keeps the texts of deliveries within their limits. See `trim.ts`.

/** Keys: text-sizes, text-bytes, and each delivery. Counts the bytes of work that were not counted before. */
export const countTexts = `
for i = 1, #ARGV do
	local size = redis.call('HSTRLEN', KEYS[i + 2], 'work')
	if size > 0 and redis.call('HSETNX', KEYS[1], ARGV[i], size) == 1 then
		redis.call('INCRBY', KEYS[2], size)
	end
end
return 1
`;

/**
 * Keys: due, unconfirmed, trim-later, text-sizes, text-bytes, and each delivery. Drops the work of deliveries that have no
 * work left.
 */
export const dropTexts = `
for i = 2, #ARGV do
	local id, key = ARGV[i], KEYS[i + 4]
	local status = redis.call('HGET', key, 'status')
	local isOpen = status == 'running' or redis.call('ZSCORE', KEYS[1], id) or redis.call('ZSCORE', KEYS[2], id)
	if status and isOpen then
		redis.call('ZADD', KEYS[3], ARGV[1], id)
	else
		redis.call('HDEL', key, 'work')
		redis.call('ZREM', KEYS[3], id)
		redis.call('DECRBY', KEYS[5], redis.call('HGET', KEYS[4], id) or 0)
		redis.call('HDEL', KEYS[4], id)
	end
end
return 1
`;
