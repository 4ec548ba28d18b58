// What Redis holds of accounts, read by one script: the same few steps for each account, however large its ledger is.

import {Redis} from 'ioredis';
import {z} from '../../api/zod.js';
import {accountKey} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {createScripts} from '../../redis/run-script.js';
import {KEPT_SECONDS} from '../wrong-tokens.js';

/** Of an account's latest deliveries, so many show how fast its bot is. */
const SAMPLED = 50;

/** So many crons of an account are looked at. */
const MOST_CRONS = 50;

/** Cluster: keys of two accounts are in different slots. */
const TOGETHER = 25;

/** Keys: the ledger of each account; the account's other keys begin like it. Arguments: times in milliseconds since 1970. */
const standing = `
local hour, day = ARGV[1], ARGV[2]
local all = {}
for i, ledger in ipairs(KEYS) do
	local prefix = string.sub(ledger, 1, #ledger - #'ledger')
	local key = function(what) return prefix .. what end
	local r = {
		lastHour = redis.call('ZCOUNT', ledger, hour, '+inf'),
		open = redis.call('ZCARD', key('due')),
		held = redis.call('ZCOUNT', key('due'), '+inf', '+inf'),
		unsettled = redis.call('ZCARD', key('unsettled')),
		trouble = redis.call('GET', key('trouble')) or nil,
		wrongTokens = tonumber(redis.call('GET', key('wrong-tokens')) or 0),
		wrongTokensTtl = redis.call('TTL', key('wrong-tokens')),
		pauseMs = redis.call('PTTL', key('pause')),
		took = {}, missed = {}
	}
	local first = redis.call('ZRANGE', key('unsettled'), 0, 0, 'WITHSCORES')
	if first[1] then
		local id, n = string.match(first[1], '^(%S+) (%S+)$')
		r.unsettledFirst = {id = id, at = tonumber(first[2]), state = redis.call('HGET', key('outbox:' .. id), 'state ' .. n) or nil}
	end
	for name, since in pairs({failed = hour, parked = day}) do
		r[name] = redis.call('ZCOUNT', key(name), since, '+inf')
		local latest = redis.call('ZREVRANGE', key(name), 0, 0, 'WITHSCORES')
		local oldest = redis.call('ZRANGEBYSCORE', key(name), since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
		if oldest[1] then
			r[name .. 'Latest'] = {id = latest[1], at = tonumber(latest[2]), since = tonumber(oldest[2]),
				error = string.sub(redis.call('HGET', key('delivery:' .. latest[1]), 'error') or '', 1, 400)}
		end
	end
	r.floods, r.slow = 0, 0
	for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', ledger, '+inf', hour, 'LIMIT', 0, ${SAMPLED})) do
		local d = redis.call('HMGET', key('delivery:' .. id), 'at', 'end', 'status')
		if d[3] == 'flood' then r.floods = r.floods + 1
		elseif d[1] and d[2] and d[3] ~= 'parked' then r.took[#r.took + 1] = tonumber(d[2]) - tonumber(d[1]) end
	end
	for index, id in ipairs(redis.call('HKEYS', key('crons'))) do
		if index > ${MOST_CRONS} then break end
		local c = redis.call('HMGET', key('cron:' .. id), 'missed', 'missedAt')
		if c[2] and tonumber(c[2]) >= tonumber(day) then
			r.missed[#r.missed + 1] = {id = id, count = tonumber(c[1] or 0), at = tonumber(c[2])}
		end
	end
	all[i] = cjson.encode(r)
end
return all
`;

/** Lua has one kind of table: an empty list comes as an object. */
const list = <Item extends z.ZodType>(item: Item) =>
	z.union([z.array(item), z.strictObject({}).transform((): z.infer<Item>[] => [])]);

const Latest = z.object({id: z.string(), at: z.number(), since: z.number(), error: z.string()}).optional();

const Stored = z.object({
	lastHour: z.number(),
	/** Deliveries that run or have something left to post. */
	open: z.number(),
	held: z.number(),
	/** Sends that failed or are unknown. */
	unsettled: z.number(),
	unsettledFirst: z.object({id: z.string(), at: z.number(), state: z.string().optional()}).optional(),
	/** Of the last hour. */
	failed: z.number(),
	failedLatest: Latest,
	/** Of the last day. */
	parked: z.number(),
	parkedLatest: Latest,
	trouble: z.string().optional(),
	wrongTokens: z.number(),
	wrongTokensTtl: z.number(),
	/** How long the service asked the account to wait. */
	pauseMs: z.number(),
	/** Milliseconds that the latest deliveries took. */
	took: list(z.number()),
	/** How many of the latest deliveries came too fast from one person. */
	floods: z.number(),
	/** Crons whose due times passed within the last day. */
	missed: list(z.object({id: z.string(), count: z.number(), at: z.number()})),
});

export type StoredStanding = z.infer<typeof Stored>;

const HOUR_MS = 3_600_000;

/** In the order of the tags. `now` is Redis's time. */
export async function readStored(
	redis: RedisConnection,
	tags: readonly string[],
	now: number,
): Promise<StoredStanding[]> {
	const run = createScripts(redis, {standing});
	const size = redis instanceof Redis ? TOGETHER : 1;
	const groups = Array.from({length: Math.ceil(tags.length / size)}, (_, index) =>
		tags.slice(index * size, (index + 1) * size),
	);
	const found = await Promise.all(
		groups.map(group =>
			run(
				'standing',
				group.map(tag => accountKey(redis, tag, 'ledger')),
				[now - HOUR_MS, now - 24 * HOUR_MS],
			),
		),
	);
	return (found as string[][]).flat().map(text => Stored.parse(JSON.parse(text)));
}

/** When the last wrong token came. */
export function wrongTokenAt({wrongTokensTtl}: StoredStanding, now: number): number {
	return now - Math.max(0, KEPT_SECONDS - wrongTokensTtl) * 1000;
}
