// The scripts that decide how an answer goes out: on the webhook's connection, or later by a worker.

import {NOW} from '../../redis/run-script.js';
import {KEPT_MS} from '../store.js';

/** Makes a worker post an inline answer. Decodes the answer before it changes anything. */
export const POST_ANSWER = `
local function postAnswer(delivery, due, outbox, unconfirmed, id, answer, mayBePosted, now)
	local said = cjson.decode(answer)
	local entry = cjson.encode({v = 1, kind = 'reply', target = '', text = said.content, widget = said.widget_content,
		dueAt = 0, mayBePosted = mayBePosted})
	redis.call('ZREM', unconfirmed, id)
	redis.call('HSET', delivery, 'decision', 'late')
	redis.call('HSETNX', outbox, '10000', entry)
	if redis.call('PTTL', outbox) < ${KEPT_MS} then redis.call('PEXPIRE', outbox, ${KEPT_MS}) end
	redis.call('ZADD', due, now, id)
end
`;

/** Keys: delivery. */
export const decideLate = `
local d = redis.call('HMGET', KEYS[1], 'decision', 'answer')
if d[1] == 'inline' then return d[2] end
redis.call('HSET', KEYS[1], 'decision', 'late')
return false
`;

/** Keys: delivery, due, outbox, unconfirmed. Posts an inline answer that no connection confirmed in time. Searches for it first. */
export const turnLate = `${NOW}${POST_ANSWER}
local since = redis.call('ZSCORE', KEYS[4], ARGV[1])
if not since or tonumber(since) > now then return 0 end
local d = redis.call('HMGET', KEYS[1], 'decision', 'answer')
if d[1] ~= 'inline' then
	redis.call('ZREM', KEYS[4], ARGV[1])
	return 0
end
postAnswer(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], d[2], true, now)
return 1
`;

/** Keys: delivery, due, outbox, unconfirmed. Posts an inline answer whose carrier closed before it was written in full. */
export const answerLost = `${NOW}${POST_ANSWER}
local d = redis.call('HMGET', KEYS[1], 'decision', 'answer', 'carrier')
if d[1] ~= 'inline' or d[3] ~= ARGV[2] or not redis.call('ZSCORE', KEYS[4], ARGV[1]) then return 0 end
postAnswer(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], d[2], false, now)
return 1
`;

/** Keys: unconfirmed, and each delivery. Arguments: id and carrier of each. */
export const confirm = `
for i = 2, #KEYS do
	local id, carrier = ARGV[2 * i - 3], ARGV[2 * i - 2]
	if redis.call('HGET', KEYS[i], 'carrier') == carrier then redis.call('ZREM', KEYS[1], id) end
end
return 1
`;
