// The steps of posting as Redis scripts. The holder of an outbox's lock posts its entries. Each step says whether the
// holder may still do so.

import {KEPT_MS, OUTBOX_KINDS} from '../delivery/store.js';
import {NOW} from '../redis/run-script.js';

/** A worker that is silent for this long is dead: another worker may take over the outbox. */
export const LOCK_MS = 15_000;

/** Whether nothing has begun yet for an entry in this state; whether its state may still change by itself. */
const IDLE = `
local function isIdle(state)
	return not state or state == 'waiting' or string.sub(state, 1, 8) == 'retrying'
end
local function isOpen(state)
	return isIdle(state) or string.sub(state, 1, 7) == 'sending' or string.sub(state, 1, 2) == 're'
end
`;

/**
 * Keys: delivery, outbox, lock. Also begins the attempt for the first entry, if it was never tried and is due:
 * it is usually the only entry.
 */
const open = `${NOW}${IDLE}
local READABLE = {${OUTBOX_KINDS.map(kind => `${kind} = true`).join(', ')}}
local holder = redis.call('GET', KEYS[3])
if holder and holder ~= ARGV[1] then return false end
redis.call('SET', KEYS[3], ARGV[1], 'PX', ${LOCK_MS})
local fields = redis.call('HGETALL', KEYS[2])
local values, first = {}, nil
for i = 1, #fields, 2 do values[fields[i]] = fields[i + 1] end
for field in pairs(values) do
	local n = tonumber(field)
	if n and (not first or n < first) and isOpen(values['state ' .. field]) then first = n end
end
local begun = ''
if first then
	local n = string.format('%.0f', first)
	local state = values['state ' .. n]
	local entry = cjson.decode(values[n])
	local isNew = not state or state == 'waiting'
	if isNew and READABLE[entry.kind] and entry.v == 1 and not entry.mayBePosted and entry.dueAt <= now and entry.via ~= 'service' then
		redis.call('HSET', KEYS[2], 'state ' .. n, ARGV[2])
		begun = n
	end
end
return {redis.call('HGET', KEYS[1], 'work'), fields, begun}
`;

/** Done once the run and all entries have ended. Until then a sweep checks the outbox. */
const CLOSE = `${IDLE}
local function closeOutbox(delivery, due, outbox, lock, nonce, id, nextMs)
	if redis.call('GET', lock) == nonce then redis.call('DEL', lock) end
	if redis.call('HGET', delivery, 'status') == 'running' then return 0 end
	local fields = redis.call('HKEYS', outbox)
	for i = 1, #fields do
		if tonumber(fields[i]) then
			if isOpen(redis.call('HGET', outbox, 'state ' .. fields[i])) then
				redis.call('ZADD', due, now + nextMs, id)
				return 0
			end
		end
	end
	redis.call('ZREM', due, id)
	return 1
end
`;

/** Keys: outbox, lock. Begins an attempt, unless the entry was cancelled or moved to another time in the meantime. */
const begin = `${NOW}
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'lost' end
redis.call('PEXPIRE', KEYS[2], ${LOCK_MS})
local field = 'state ' .. ARGV[2]
local state = redis.call('HGET', KEYS[1], field)
if state == 'cancelled' then return 'cancelled' end
if redis.call('HDEL', KEYS[1], 'cancel ' .. ARGV[2]) == 1 then
	redis.call('HSET', KEYS[1], field, 'cancelled')
	return 'cancelled'
end
local entry = cjson.decode(redis.call('HGET', KEYS[1], ARGV[2]))
if entry.dueAt > now and entry.via ~= 'service' then return 'moved' end
redis.call('HSET', KEYS[1], field, ARGV[3])
return 'begun'
`;

/**
 * Keys: outbox, lock, unsettled, delivery, due; message if one was posted. A certain result is recorded even without the
 * lock, as long as the attempt is still stored. A message that was found is recorded only while it belongs to this entry.
 * Also closes the outbox if a time for the next look is given. If a certain message had been assigned to another entry by
 * mistake, that entry loses it and is posted again. Both happen in one step, since a worker may die between two steps.
 * A cancel that arrived while the outcome was unknown is carried out now. Argument: the end as JSON.
 */
const end = `${NOW}${CLOSE}
local e = cjson.decode(ARGV[1])
local nonce, n, state, id, isFound = e.nonce, e.n, e.state, e.id, e.isFound
local owner = id .. ' ' .. n
if KEYS[6] and isFound and redis.call('GET', KEYS[6]) ~= owner then return 0 end
if KEYS[6] and not isFound then
	local other = redis.call('GET', KEYS[6])
	if other and other ~= owner then
		local otherId, otherN = string.match(other, '^(%S+) (%S+)$')
		local outbox = string.sub(KEYS[1], 1, #KEYS[1] - #id) .. otherId
		local taken = 'sent ' .. string.match(KEYS[6], '(%d+)$')
		if redis.call('HGET', outbox, 'state ' .. otherN) == taken then
			redis.call('HSET', outbox, 'state ' .. otherN, 'waiting')
			redis.call('ZADD', KEYS[5], now, otherId)
		end
	end
	redis.call('SET', KEYS[6], owner, 'PX', ${KEPT_MS})
end
local field = 'state ' .. n
local holds = redis.call('GET', KEYS[2]) == nonce
if not holds and redis.call('HGET', KEYS[1], field) ~= e.attempt then return 0 end
local result = 1
if not isOpen(state) and redis.call('HDEL', KEYS[1], 'cancel ' .. n) == 1 then
	local scheduled = string.match(state, '^scheduled (%d+)')
	if scheduled then
		state = 'retracting ' .. scheduled
		result = 2
	end
end
redis.call('HSET', KEYS[1], field, state)
if state == 'unknown' or string.sub(state, 1, 6) == 'failed' then
	redis.call('ZADD', KEYS[3], now, owner)
else
	redis.call('ZREM', KEYS[3], owner)
end
if e.closeMs then
	closeOutbox(KEYS[4], KEYS[5], KEYS[1], KEYS[2], nonce, id, e.closeMs)
elseif holds then
	redis.call('PEXPIRE', KEYS[2], ${LOCK_MS})
end
return result
`;

/** Keys: message, found. A message that was found in the conversation belongs to the first entry that asks. */
const claimMessage = `
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ${KEPT_MS}) and redis.call('GET', KEYS[1]) ~= ARGV[1] then
	return 0
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ${KEPT_MS})
return 1
`;

/** Keys: lock. */
const renew = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ${LOCK_MS})
`;

/** Keys: delivery, due, outbox, lock. */
const close = `${NOW}${CLOSE}
return closeOutbox(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], tonumber(ARGV[3]))
`;

/** Keys: due, outbox, schedules. Adds a post that no run of a bot sent. The first version stays. Arguments: its place as JSON, and the entry. */
const put = `${NOW}
local p = cjson.decode(ARGV[1])
local isNew = redis.call('HSETNX', KEYS[2], p.n, ARGV[2])
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', p.keptMs))
redis.call('ZADD', KEYS[1], now, p.id)
if p.name then redis.call('HSET', KEYS[3], p.name, p.id .. ' ' .. p.n) end
return isNew
`;

/**
 * Keys: schedules; if the name was used before, the outbox with that entry. Names an entry, so that a bot can find,
 * move and cancel it. Cancels the entry that had the name before.
 */
const name = `${IDLE}
local name, value, before, n = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if (redis.call('HGET', KEYS[1], name) or '') ~= before then return 0 end
if KEYS[2] and before ~= value then
	local field = 'state ' .. n
	if isIdle(redis.call('HGET', KEYS[2], field)) then redis.call('HSET', KEYS[2], field, 'cancelled') end
end
redis.call('HSET', KEYS[1], name, value)
return 1
`;

/** Keys: schedules. */
const unname = `
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1
`;

/** Keys: outbox, due, schedules. If it is unknown whether the service has a scheduled message, remembers the cancel. */
const cancel = `${NOW}${IDLE}
local field = 'state ' .. ARGV[2]
local json = redis.call('HGET', KEYS[1], ARGV[2])
if not json then return 0 end
local state = redis.call('HGET', KEYS[1], field)
if state and string.sub(state, 1, 7) == 'sending' then
	local entry = cjson.decode(json)
	if entry.via ~= 'service' or entry.dueAt <= now then return 0 end
	redis.call('HSET', KEYS[1], 'cancel ' .. ARGV[2], 1)
	redis.call('HDEL', KEYS[3], ARGV[3])
	return 1
end
local scheduled = state and (string.match(state, '^scheduled (%d+)') or string.match(state, '^rescheduling (%d+)'))
if not scheduled and state ~= 'cancelled' and not isIdle(state) then return 0 end
redis.call('HSET', KEYS[1], field, scheduled and 'retracting ' .. scheduled or 'cancelled')
redis.call('HDEL', KEYS[3], ARGV[3])
redis.call('ZADD', KEYS[2], now, ARGV[1])
return 1
`;

/** Keys: outbox, due, delivery. Moves an entry to another time. */
const move = `${NOW}${IDLE}
local json = redis.call('HGET', KEYS[1], ARGV[2])
local state = redis.call('HGET', KEYS[1], 'state ' .. ARGV[2])
local scheduled = state and (string.match(state, '^scheduled (%d+)') or string.match(state, '^rescheduling (%d+)'))
if not json or (not scheduled and not isIdle(state)) then return 0 end
if scheduled then redis.call('HSET', KEYS[1], 'state ' .. ARGV[2], 'rescheduling ' .. scheduled) end
local moved = string.gsub(json, '"dueAt":[%d.e+]+', '"dueAt":' .. ARGV[3] .. ARGV[4], 1)
redis.call('HSET', KEYS[1], ARGV[2], moved)
local kept = math.max(${KEPT_MS}, tonumber(ARGV[3]) - now + ${KEPT_MS})
for _, key in ipairs({KEYS[1], KEYS[3]}) do
	if redis.call('PTTL', key) < kept then redis.call('PEXPIRE', key, kept) end
end
redis.call('ZADD', KEYS[2], now, ARGV[1])
return 1
`;

/** Keys: outbox, due, unsettled. A person decides about entries that failed or are unknown. */
const resolve = `${NOW}
local id, n, state = ARGV[1], ARGV[2], ARGV[3]
local field = 'state ' .. n
local found = redis.call('HGET', KEYS[1], field)
if not found or (found ~= 'unknown' and string.sub(found, 1, 6) ~= 'failed') then return found or '' end
redis.call('HSET', KEYS[1], field, state)
redis.call('ZREM', KEYS[3], id .. ' ' .. n)
redis.call('ZADD', KEYS[2], now, id)
return 'resolved'
`;

export const outboxScripts = {
	open,
	begin,
	end,
	claimMessage,
	renew,
	close,
	put,
	name,
	unname,
	cancel,
	move,
	resolve,
} as const;
