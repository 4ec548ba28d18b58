// Reads a page of the ledger in one script: short rows instead of whole deliveries.

import {z} from '../api/zod.js';
import type {EntryState} from '../outbox/entry-state.js';
import {isUnsettled} from '../outbox/entry-state.js';

/**
 * Keys: an index of the account. Argument: what is wanted as JSON. An index is a sorted set of ids by time. Without a range, it
 * reads the given ids. `only` is the stored status of all rows. Stops at `limit` rows. Returns how far it got, whether the index ends there, and the rows as JSON.
 *
 * A needle is looked for in the whole stored text first, which is fast, and then in the fields that people know.
 */
export const rowScript = `
local q = cjson.decode(ARGV[1])
local index = KEYS[1]
local prefix = q.prefix
local function lower(text) return string.lower(text or '') end
local function has(text) return string.find(lower(text), q.needle, 1, true) ~= nil end

local function str(value) return type(value) == 'string' and value or nil end

local function describe(work)
	local ok, w = pcall(cjson.decode, work)
	if not ok or type(w) ~= 'table' then return {} end
	if w.kind == 'message' and type(w.payload) == 'table' and type(w.payload.message) == 'table' then
		local m = w.payload.message
		local where = m.display_recipient
		return {kind = str(w.payload.trigger), name = str(m.sender_full_name), email = str(m.sender_email), person = m.sender_id,
			message = m.id, channel = str(where), topic = str(m.subject), text = str(w.payload.data)}
	end
	local by = type(w.by) == 'table' and w.by or {}
	local request = type(w.request) == 'table' and w.request or {}
	return {kind = str(w.kind), name = str(by.name), email = str(by.email), person = by.id,
		what = str(w.handler) or str(w.name) or str(request.path) or str(w.emoji), text = str(w.newText) or str(request.body)}
end

-- As JSON stores it. JavaScript does not escape the slash.
local escaped = string.gsub(string.sub(lower(cjson.encode(q.needle)), 2, -2), '\\\\/', '/')

local function fits(id, work, error, d)
	if q.needle == '' or has(id) or has(error) then return true end
	local text = lower(work)
	if not (string.find(text, q.needle, 1, true) or string.find(text, escaped, 1, true)) then return false end
	return has(d().name) or has(d().email) or has(d().text) or has(d().what) or has(d().channel) or has(d().topic)
		or tostring(d().person) == q.needle or tostring(d().message) == q.needle
end

local function rowOf(id)
	local f = redis.call('HMGET', prefix .. 'delivery:' .. id, 'v', 'status', 'decision', 'run', 'stops', 'held', 'at', 'end',
		'error', 'work', 'answer')
	if f[1] ~= '1' or (q.only and f[2] ~= q.only) then return nil end
	local known
	local function d()
		known = known or (f[10] and describe(f[10]) or {})
		return known
	end
	if not fits(id, f[10], f[9], d) then return nil end
	local sends = {}
	local outbox = redis.call('HGETALL', prefix .. 'outbox:' .. id)
	local states = {}
	for i = 1, #outbox, 2 do states[outbox[i]] = outbox[i + 1] end
	for i = 1, #outbox, 2 do
		if string.match(outbox[i], '^%d+$') then
			sends[#sends + 1] = string.sub(states['state ' .. outbox[i]] or 'waiting', 1, 200)
		end
	end
	local w = d()
	return cjson.encode({id = id, status = f[2], decision = f[3], runs = tonumber(f[4]), stops = tonumber(f[5] or 0),
		isHeld = f[6] and true or false, arrivedAt = tonumber(f[7]), endedAt = tonumber(f[8] or 0), hasText = f[10] and true or false,
		isSilent = f[11] == q.silence, error = string.sub(f[9] or '', 1, 300), sends = sends,
		kind = w.kind, who = w.name, channel = w.channel, topic = w.topic, what = w.what})
end

local rows = {}
if q.ids then
	for _, id in ipairs(q.ids) do
		local row = rowOf(id)
		if row then rows[#rows + 1] = row end
	end
	return {'', 1, rows}
end
local found = redis.call('ZREVRANGEBYSCORE', index, q.max, q.min, 'WITHSCORES', 'LIMIT', 0, q.scan)
local last = ''
for i = 1, #found, 2 do
	last = found[i + 1]
	local row = rowOf(found[i])
	if row then rows[#rows + 1] = row end
	if #rows >= q.limit then return {last, 0, rows} end
end
return {last, #found < 2 * q.scan and 1 or 0, rows}
`;

/** Lua cannot tell an empty list from an empty object. */
const States = z.union([z.array(z.string()), z.strictObject({}).transform((): string[] => [])]);

export const Row = z.object({
	id: z.string(),
	status: z.enum(['running', 'done', 'parked', 'flood']),
	decision: z.enum(['none', 'inline', 'late']),
	runs: z.number(),
	stops: z.number(),
	isHeld: z.boolean(),
	/** Milliseconds since 1970; 0 for not yet. */
	arrivedAt: z.number(),
	endedAt: z.number(),
	hasText: z.boolean(),
	isSilent: z.boolean(),
	/** The beginning of the error; empty if there is none. */
	error: z.string(),
	/** The states of what it posts. */
	sends: States,
	/** The trigger, or the kind of the work. Absent once the text was dropped, like the others below. */
	kind: z.string().optional(),
	who: z.string().optional(),
	channel: z.string().optional(),
	topic: z.string().optional(),
	/** The handler, path or emoji. */
	what: z.string().optional(),
});
export type Row = z.infer<typeof Row>;

/** The states are as the scripts write them. */
export function hasLostSend({sends}: Row): boolean {
	return sends.some(state => isUnsettled(state as EntryState));
}
