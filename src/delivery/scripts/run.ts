// The scripts for the holder of a delivery, until its run ends.

import {NOW} from '../../redis/run-script.js';
import {KEPT_MS, LAST_EXCUSED_RUN} from '../store.js';

/** Keys: delivery, due; if the run has a session, its lock too. */
export const renew = `${NOW}
local d = redis.call('HMGET', KEYS[1], 'status', 'run', 'decision')
if d[1] ~= 'running' or d[2] ~= ARGV[2] then return 'stale' end
redis.call('HSET', KEYS[1], 'lease', now + tonumber(ARGV[3]))
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
if KEYS[3] and redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('PEXPIRE', KEYS[3], ARGV[3]) end
return d[3] == 'late' and 'late' or 'inline'
`;

/** Keys: delivery, due. A held delivery does not expire, and is not due until it is woken. */
export const release = `${NOW}
local d = redis.call('HMGET', KEYS[1], 'status', 'run', 'decision', 'holder')
if d[1] ~= 'running' then return 0 end
if tonumber(d[2]) > tonumber(ARGV[2]) then
	if tonumber(ARGV[2]) <= ${LAST_EXCUSED_RUN} and redis.call('HSETNX', KEYS[1], 'released:' .. ARGV[2], 1) == 1 then
		redis.call('HINCRBY', KEYS[1], 'stops', 1)
	end
	return 0
end
if d[2] ~= ARGV[2] or d[4] == '' then return 0 end
redis.call('HSET', KEYS[1], 'lease', 0, 'holder', '', 'decision', d[3] == 'none' and 'late' or d[3],
	'released:' .. ARGV[2], 1)
redis.call('HINCRBY', KEYS[1], 'stops', 1)
if ARGV[3] == '1' then
	redis.call('HSET', KEYS[1], 'held', 1)
	redis.call('PERSIST', KEYS[1])
	redis.call('ZADD', KEYS[2], '+inf', ARGV[1])
else
	redis.call('ZADD', KEYS[2], now, ARGV[1])
end
return 1
`;

/** Keys: delivery, session lock, session. Only one run at a time holds the session of a conversation. */
export const enterSession = `
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[2] and holder ~= ARGV[4] then return {'busy', holder} end
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return {'stale'} end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return {'entered', redis.call('GET', KEYS[3]) or ''}
`;

/**
 * Keys: delivery, due, outbox, unconfirmed, failed, the reference of the error; if the run has a session, its lock and the
 * session too. Arguments: how the run ended as JSON, and its entries.
 */
export const finish = `${NOW}
local f = cjson.decode(ARGV[1])
local id, run = f.id, f.run
local d = redis.call('HMGET', KEYS[1], 'status', 'run', 'decision', 'at')
if d[2] ~= run then return 'stale' end
if d[1] ~= 'running' then return d[1] == 'done' and d[3] or 'stale' end
local decision = (d[3] == 'late' or not f.canAnswer) and 'late' or 'inline'
redis.call('HSET', KEYS[1], 'status', 'done', 'decision', decision, 'answer', f.answer, 'end', now, 'carrier', run)
if f.error then
	redis.call('HSET', KEYS[1], 'error', f.error)
	redis.call('ZADD', KEYS[5], d[4], id)
	if f.hasReference then redis.call('SET', KEYS[6], id, 'PX', ${KEPT_MS}) end
end
if KEYS[7] and redis.call('GET', KEYS[7]) == f.holder then
	redis.call('DEL', KEYS[7])
	if f.session then redis.call('SET', KEYS[8], f.session, 'PX', ${KEPT_MS}) end
end
if decision == 'late' then
	for i = 2, #ARGV, 2 do redis.call('HSETNX', KEYS[3], ARGV[i], ARGV[i + 1]) end
	if redis.call('PTTL', KEYS[3]) < ${KEPT_MS} then redis.call('PEXPIRE', KEYS[3], ${KEPT_MS}) end
end
if decision == 'inline' and #ARGV > 1 then redis.call('ZADD', KEYS[4], now + f.unconfirmedMs, id) end
if redis.call('EXISTS', KEYS[3]) == 1 then
	redis.call('ZADD', KEYS[2], now, id)
else
	redis.call('ZREM', KEYS[2], id)
end
return decision
`;

/** Keys: delivery, due, parked. */
export const park = `${NOW}
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
redis.call('ZADD', KEYS[3], redis.call('HGET', KEYS[1], 'at'), ARGV[1])
redis.call('HSET', KEYS[1], 'status', 'parked', 'decision', 'late', 'end', now, 'answer', ARGV[3], 'error', ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`;

/** Keys: delivery, due, outbox. Keeps the first version of an entry. */
export const append = `${NOW}
local d = redis.call('HMGET', KEYS[1], 'status', 'run')
if d[2] ~= ARGV[2] or (d[1] ~= 'running' and d[1] ~= 'done') then return false end
if d[1] == 'done' then redis.call('ZADD', KEYS[2], now, ARGV[1]) end
local differing, kept = {}, ${KEPT_MS}
for i = 3, #ARGV, 2 do
	kept = math.max(kept, cjson.decode(ARGV[i + 1]).dueAt - now + ${KEPT_MS})
	if redis.call('HSETNX', KEYS[3], ARGV[i], ARGV[i + 1]) == 0 then
		local first = cjson.decode(redis.call('HGET', KEYS[3], ARGV[i]))
		local again = cjson.decode(ARGV[i + 1])
		if first.text ~= again.text or first.target ~= again.target then differing[#differing + 1] = ARGV[i] end
	end
end
if redis.call('PTTL', KEYS[3]) < kept then redis.call('PEXPIRE', KEYS[3], kept) end
if redis.call('PTTL', KEYS[1]) < kept then redis.call('PEXPIRE', KEYS[1], kept) end
return differing
`;
