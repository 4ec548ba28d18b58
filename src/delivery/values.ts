// What bots keep between messages, in Redis: one hash for each account, written by current runs alone.

import type {Cluster, Redis} from 'ioredis';
import {accountKey, type DeliveryRef} from './ref.js';
import {RunOver} from './run-over.js';
import {createScripts} from './run-script.js';

/** Keys that one account may have. */
export const MOST_KEYS = 10_000;

/** Whether a run may still write. */
const CURRENT = `
local function isCurrent(delivery, run)
	local d = redis.call('HMGET', delivery, 'status', 'run')
	return d[2] == run and (d[1] == 'running' or d[1] == 'done')
end
`;

/** Keys: delivery, values. `before` is compared where it is asked for; an absent value is 0 long there. */
const put = `${CURRENT}
local run, key, value, compares, before = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if not isCurrent(KEYS[1], run) then return 'stale' end
local current = redis.call('HGET', KEYS[2], key)
if compares == '1' and (current or '') ~= before then return 'changed' end
if value == '' then
	redis.call('HDEL', KEYS[2], key)
elseif not current and redis.call('HLEN', KEYS[2]) >= ${MOST_KEYS} then
	return 'full'
else
	redis.call('HSET', KEYS[2], key, value)
end
return 'put'
`;

/** Keys: delivery, values. */
const clear = `${CURRENT}
if not isCurrent(KEYS[1], ARGV[1]) then return 'stale' end
redis.call('DEL', KEYS[2])
return 'put'
`;

/** The run that writes. */
export interface Writer {
	readonly ref: DeliveryRef;
	readonly run: number;
}

type Put = 'put' | 'changed' | 'full';

/** JSON texts by key; a stale writer's methods throw. */
export interface Values {
	get(key: string): Promise<string | undefined>;
	keys(): Promise<string[]>;
	put(key: string, value: string | undefined, before?: {readonly text: string | undefined}): Promise<Put>;
	clear(): Promise<void>;
}

export type ValueStore = (writer: Writer) => Values;

export function createValueStore(redis: Redis | Cluster): ValueStore {
	const run = createScripts(redis, {put, clear});
	return ({ref, run: number}) => {
		const values = accountKey(ref.account, 'values');
		const keys = [accountKey(ref.account, `delivery:${ref.id}`), values];
		const write = async (name: 'put' | 'clear', args: (string | number)[]) => {
			const result = (await reachable(run(name, keys, [number, ...args]))) as Put | 'stale';
			if (result === 'stale') {
				throw new RunOver('Another run has taken over this delivery');
			}

			return result;
		};

		return {
			get: async key => (await reachable(redis.hget(values, key))) ?? undefined,
			keys: () => reachable(redis.hkeys(values)),
			put: (key, value = '', before) => write('put', [key, value, before ? 1 : 0, before?.text ?? '']),
			async clear() {
				await write('clear', []);
			},
		};
	};
}

/** Without Redis nothing can be kept or found. */
async function reachable<Result>(asking: Promise<Result>): Promise<Result> {
	try {
		return await asking;
	} catch (error) {
		if (error instanceof Error && error.name === 'ReplyError') {
			throw error;
		}

		throw new Error('Redis is away, and with it what the bot keeps', {cause: error});
	}
}
