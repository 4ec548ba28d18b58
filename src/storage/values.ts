// What bots store between messages, in Redis: one hash for each account. Only current runs may write it.

import {randomUUID} from 'node:crypto';
import type {Cluster, Redis} from 'ioredis';
import type {DeliveryRef} from '../delivery/ref.js';
import {TakenOverError} from '../delivery/run-expired-error.js';
import {accountKey} from '../redis/account-key.js';
import {ALWAYS_AVAILABLE, type Retry} from '../redis/availability.js';
import {createScripts} from '../redis/run-script.js';

/** Maximum number of keys per account. */
export const MOST_KEYS = 10_000;

/** Whether a run may still write. */
const CURRENT = `
local function isCurrent(delivery, run)
	local d = redis.call('HMGET', delivery, 'status', 'run')
	return d[2] == run and (d[1] == 'running' or d[1] == 'done')
end
`;

/** How long a repeated step gets its first result. */
const REPEATABLE_MS = 10 * 60_000;

/**
 * Keys: delivery, values, results. `before` is compared only if it is given; an absent value has length 0. `copyTo` is a
 * second key that gets the value. If a step is repeated because its result was lost, it gets that result. A new comparison
 * would find the step's own value.
 */
const put = `${CURRENT}
local w, value = cjson.decode(ARGV[1]), ARGV[2]
local run, key, nonce, copyTo = w.run, w.key, w.nonce, w.copyTo
if not isCurrent(KEYS[1], run) then return 'stale' end
local first = redis.call('HGET', KEYS[3], nonce)
if first then return first end
local current = redis.call('HGET', KEYS[2], key)
local result = 'put'
if w.before and (current or '') ~= w.before then
	result = 'changed'
elseif value == '' then
	redis.call('HDEL', KEYS[2], key)
elseif (not current or (copyTo and redis.call('HEXISTS', KEYS[2], copyTo) == 0)) and redis.call('HLEN', KEYS[2]) >= ${MOST_KEYS} then
	result = 'full'
else
	redis.call('HSET', KEYS[2], key, value)
	if copyTo then redis.call('HSET', KEYS[2], copyTo, value) end
end
redis.call('HSET', KEYS[3], nonce, result)
redis.call('PEXPIRE', KEYS[3], ${REPEATABLE_MS})
return result
`;

/** Keys: delivery, values. */
const clear = `${CURRENT}
if not isCurrent(KEYS[1], cjson.decode(ARGV[1]).run) then return 'stale' end
redis.call('DEL', KEYS[2])
return 'put'
`;

/** The run that writes. */
export interface Writer {
	readonly ref: DeliveryRef;
	readonly run: number;
}

type Put = 'put' | 'changed' | 'full';

export interface Before {
	readonly text: string | undefined;
	readonly copyTo?: string | undefined;
}

/** JSON texts by key. The methods of a stale writer throw. */
export interface Values {
	get(key: string): Promise<string | undefined>;
	keys(): Promise<string[]>;
	/** Stores a value, or deletes it. With `before`, only if that is the present value, and in the same step under `copyTo` too. */
	put(key: string, value: string | undefined, before?: Before): Promise<Put>;
	clear(): Promise<void>;
}

export type ValueStore = (writer: Writer, retry?: Retry) => Values;

/** `name` tells one collection of an account's values from another. */
export function createValueStore(redis: Redis | Cluster, name: 'values' | 'questions' = 'values'): ValueStore {
	const run = createScripts(redis, {put, clear});
	return ({ref, run: number}, retry = ALWAYS_AVAILABLE.retry as Retry) => {
		const values = accountKey(redis, ref.account, name);
		const keys = [accountKey(redis, ref.account, `delivery:${ref.id}`), values];
		const own = randomUUID();
		let puts = 0;
		const write = async (name: 'put' | 'clear', scriptKeys: string[], request: object, ...texts: string[]) => {
			const args = [JSON.stringify({run: String(number), ...request}), ...texts];
			const result = (await retry(() => run(name, scriptKeys, args))) as Put | 'stale';
			if (result === 'stale') {
				throw new TakenOverError();
			}

			return result;
		};

		return {
			get: async key => (await retry(() => redis.hget(values, key))) ?? undefined,
			keys: () => retry(() => redis.hkeys(values)),
			put(key, value = '', before) {
				const results = accountKey(redis, ref.account, `put-results:${ref.id}`);
				const nonce = `${own} ${++puts}`;
				return write(
					'put',
					[...keys, results],
					{key, nonce, ...(before && {before: before.text ?? '', copyTo: before.copyTo})},
					value,
				);
			},
			async clear() {
				await write('clear', keys, {});
			},
		};
	};
}
