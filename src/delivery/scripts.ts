// The steps of a delivery as Redis scripts. All keys of a script belong to one account, so they share one slot of a Cluster.
// A broken connection may have run a script whose result was lost. So a repeated call gets its first result.

import {LAST_ARRIVAL} from './store.js';

/** How long a delivery stays readable. */
export const KEPT_MS = 7 * 24 * 3600 * 1000;

/** Milliseconds by Redis's own clock: the clocks of holders may differ. */
export const NOW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`;

/** Makes a worker post an inline answer. Decodes the answer before it changes anything. */
const POST_ANSWER = `
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

/** Keys: delivery, due, outbox, unconfirmed, ledger, flood, parked. Arguments: the request as JSON, and the work. */
const claim = `${NOW}${POST_ANSWER}
local key, due, outbox, notConfirmed, ledger, flood = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local r, work = cjson.decode(ARGV[1]), ARGV[2]
local id, nonce, lease, isLate, silence, apology = r.id, r.nonce, r.leaseMs, r.isLate, r.silence, r.apology

local d = redis.call('HMGET', key, 'status', 'run', 'holder', 'lease', 'decision', 'answer', 'arrivals', 'stops')
local status, run, holder, decision, arrivals = d[1], tonumber(d[2]), d[3], d[5], d[7] or '|'

if not status then
	redis.call('ZADD', ledger, now, id)
	if r.perMinute > 0 then
		local count = redis.call('INCR', flood)
		if count == 1 then redis.call('PEXPIRE', flood, 60000) end
		if count > r.perMinute then
			local answer = count == r.perMinute + 1 and r.floodAnswer or silence
			redis.call('HSET', key, 'v', 1, 'status', 'flood', 'decision', isLate and 'late' or 'inline', 'run', 0,
				'at', now, 'end', now, 'work', work, 'answer', answer)
			redis.call('PEXPIRE', key, ${KEPT_MS})
			if isLate then
				if answer ~= silence then
					redis.call('HSETNX', outbox, '1', cjson.encode({v = 1, kind = 'reply', target = '',
						text = cjson.decode(answer).content, dueAt = 0, mayBePosted = false}))
					redis.call('PEXPIRE', outbox, ${KEPT_MS})
					redis.call('ZADD', due, now, id)
				end
				return {'late'}
			end
			return {'answer', answer, 'flood'}
		end
	end
	local first = isLate and 'late' or 'none'
	redis.call('HSET', key, 'v', 1, 'status', 'running', 'decision', first, 'run', 1, 'at', now, 'holder', nonce,
		'lease', now + lease, 'work', work, 'arrivals', '|' .. nonce .. '|')
	redis.call('PEXPIRE', key, ${KEPT_MS})
	redis.call('ZADD', due, now + lease, id)
	return {'run', '1', first}
end

-- An earlier connection may ask again after a later one has come: it counts once, and carries nothing any more.
local place = string.find(arrivals, '|' .. nonce .. '|', 1, true)
if r.isArrival and not place then
	arrivals = arrivals .. nonce .. '|'
	redis.call('HSET', key, 'arrivals', arrivals)
end
local isFollowed = place and place + #nonce + 1 < #arrivals
local _, bars = string.gsub(arrivals, '|', '')
local isLast = bars > ${LAST_ARRIVAL}

if status ~= 'running' then
	if decision == 'late' then return {'late'} end
	if status ~= 'flood' and d[6] ~= silence then
		if isLast and r.posts then
			postAnswer(key, due, outbox, notConfirmed, id, d[6], false, now)
			return {'late'}
		end
		if r.isArrival and not isFollowed then
			redis.call('HSET', key, 'carrier', nonce)
			redis.call('ZADD', notConfirmed, now + r.unconfirmedMs, id)
		end
		if isLast then return {'last'} end
	end
	return {'answer', d[6], status}
end

if (isLate or isLast) and decision == 'none' then
	decision = 'late'
	redis.call('HSET', key, 'decision', decision)
end

if holder == nonce then return {'run', d[2], decision} end
if tonumber(d[4]) > now and holder ~= r.deadHolder then
	if decision == 'late' then return {'late'} end
	return {'busy', holder}
end

-- A run that a stop cut short is no crash.
if run - tonumber(d[8] or 0) >= r.maxRuns then
	redis.call('ZADD', KEYS[7], redis.call('HGET', key, 'at'), id)
	if r.isUnasked then
		redis.call('HSET', key, 'status', 'parked', 'end', now, 'answer', silence)
		redis.call('ZADD', due, now, id)
		if decision == 'late' then return {'late'} end
		return {'answer', silence, 'parked'}
	end
	redis.call('HSET', key, 'status', 'parked', 'end', now, 'answer', cjson.encode({content = apology}))
	if decision == 'late' then
		redis.call('HSETNX', outbox, '9999', cjson.encode({v = 1, kind = 'reply', target = '', text = apology, dueAt = 0,
			mayBePosted = false}))
		redis.call('PEXPIRE', outbox, ${KEPT_MS})
		redis.call('ZADD', due, now, id)
		return {'late'}
	end
	redis.call('HSET', key, 'decision', 'inline', 'carrier', nonce)
	redis.call('ZADD', notConfirmed, now + r.unconfirmedMs, id)
	redis.call('ZADD', due, now, id)
	return {'answer', cjson.encode({content = apology}), 'parked'}
end

if r.leavesLapsed then
	if decision == 'late' then return {'late'} end
	return {'busy', holder}
end

redis.call('HSET', key, 'run', run + 1, 'holder', nonce, 'lease', now + lease)
redis.call('HDEL', key, 'held')
redis.call('ZADD', due, now + lease, id)
return {'run', tostring(run + 1), decision}
`;

/** Keys: delivery, due; if the run has a session, its lock too. */
const renew = `${NOW}
local d = redis.call('HMGET', KEYS[1], 'status', 'run', 'decision')
if d[1] ~= 'running' or d[2] ~= ARGV[2] then return 'stale' end
redis.call('HSET', KEYS[1], 'lease', now + tonumber(ARGV[3]))
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
if KEYS[3] and redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('PEXPIRE', KEYS[3], ARGV[3]) end
return d[3] == 'late' and 'late' or 'inline'
`;

/** Keys: delivery, due. What is held has no end, and is due never. */
const release = `${NOW}
local d = redis.call('HMGET', KEYS[1], 'status', 'run', 'decision', 'holder')
if d[1] ~= 'running' or d[2] ~= ARGV[2] or d[4] == '' then return 0 end
redis.call('HSET', KEYS[1], 'lease', 0, 'holder', '', 'decision', d[3] == 'none' and 'late' or d[3])
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
const enterSession = `
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[2] and holder ~= ARGV[4] then return {'busy', holder} end
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return {'stale'} end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return {'entered', redis.call('GET', KEYS[3]) or ''}
`;

/** Keys: delivery. */
const decideLate = `
local d = redis.call('HMGET', KEYS[1], 'decision', 'answer')
if d[1] == 'inline' then return d[2] end
redis.call('HSET', KEYS[1], 'decision', 'late')
return false
`;

/**
 * Keys: delivery, due, outbox, unconfirmed, failed, the reference of the error; if the run has a session, its lock and the
 * session too. Arguments: how the run ended as JSON, and its entries.
 */
const finish = `${NOW}
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
const park = `${NOW}
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
redis.call('ZADD', KEYS[3], redis.call('HGET', KEYS[1], 'at'), ARGV[1])
redis.call('HSET', KEYS[1], 'status', 'parked', 'decision', 'late', 'end', now, 'answer', ARGV[3], 'error', ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`;

/** Keys: delivery, due, outbox. Keeps the first version of an entry. */
const append = `${NOW}
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

/** Keys: delivery, due, outbox, unconfirmed. Posts an inline answer that no connection confirmed in time. Searches for it first. */
const turnLate = `${NOW}${POST_ANSWER}
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
const answerLost = `${NOW}${POST_ANSWER}
local d = redis.call('HMGET', KEYS[1], 'decision', 'answer', 'carrier')
if d[1] ~= 'inline' or d[3] ~= ARGV[2] or not redis.call('ZSCORE', KEYS[4], ARGV[1]) then return 0 end
postAnswer(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], d[2], false, now)
return 1
`;

/** Keys: unconfirmed, and each delivery. Arguments: id and carrier of each. */
const confirm = `
for i = 2, #KEYS do
	local id, carrier = ARGV[2 * i - 3], ARGV[2 * i - 2]
	if redis.call('HGET', KEYS[i], 'carrier') == carrier then redis.call('ZREM', KEYS[1], id) end
end
return 1
`;

/** Keys: text-sizes, text-bytes, and each delivery. Counts the bytes of work that were not counted before. */
const countTexts = `
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
const dropTexts = `
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

export const scripts = {
	claim,
	renew,
	release,
	decideLate,
	finish,
	append,
	turnLate,
	answerLost,
	confirm,
	enterSession,
	countTexts,
	dropTexts,
	park,
} as const;
