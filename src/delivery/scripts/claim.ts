// The script that begins a delivery, or returns its state: who runs it, or its answer.

import {NOW} from '../../redis/run-script.js';
import {KEPT_MS, LAST_ARRIVAL, LAST_ARRIVAL_MS} from '../store.js';
import {POST_ANSWER} from './answer.js';

/** Keys: delivery, due, outbox, unconfirmed, ledger, flood, parked. Arguments: the request as JSON, and the work. */
export const claim = `${NOW}${POST_ANSWER}
local key, due, outbox, notConfirmed, ledger, flood = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local r, work = cjson.decode(ARGV[1]), ARGV[2]
local id, nonce, lease, isLate, silence, apology = r.id, r.nonce, r.leaseMs, r.isLate, r.silence, r.apology

local d = redis.call('HMGET', key, 'status', 'run', 'holder', 'lease', 'decision', 'answer', 'arrivals', 'stops', 'at')
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

-- An earlier connection may ask again after a later one arrived. It counts once, and no longer carries an answer.
local place = string.find(arrivals, '|' .. nonce .. '|', 1, true)
if r.isArrival and not place then
	arrivals = arrivals .. nonce .. '|'
	redis.call('HSET', key, 'arrivals', arrivals)
end
local isFollowed = place and place + #nonce + 1 < #arrivals
local _, bars = string.gsub(arrivals, '|', '')
local isRepeat = r.isArrival and bars > 2 and not isFollowed
local isLast = bars > ${LAST_ARRIVAL} or (isRepeat and now - tonumber(d[9]) >= ${LAST_ARRIVAL_MS})

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

-- A run whose process lives or was stopped does not count as a crash.
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
