// Recurring work, done by the process that first notices that it is due. Redis's clock decides, because the clocks of
// machines may be wrong: a clock that is ahead must not delay the work of the others.

import {createHash} from 'node:crypto';
import {sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';

/** Key: the latest turn. Arguments: period, and the offset of each turn. Returns the indexes of the turns that are due. */
const take = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local due = {}
for i = 2, #ARGV do
	local turn = string.format('%.0f', math.floor((now - tonumber(ARGV[i])) / tonumber(ARGV[1])))
	if redis.call('HGET', KEYS[1], ARGV[i]) ~= turn then
		redis.call('HSET', KEYS[1], ARGV[i], turn)
		due[#due + 1] = i - 2
	end
end
return due
`;

const SHA = createHash('sha1').update(take).digest('hex');

export interface Turns {
	stop(): Promise<void>;
}

export interface TurnsOptions {
	readonly redis: RedisConnection;
	/** Identifies this kind of work. */
	readonly name: string;
	readonly periodMs: number;
	/** How many turns each period has, spread over it. Default 1. */
	readonly count?: number;
	/** Does the turn with this index. */
	act(index: number): Promise<void>;
	report(error: Error): void;
}

/** How often a process checks whether a turn is due. */
const LOOK_MS = 2_500;

/** The same for long periods, for which a few seconds do not matter. */
const LOOK_SELDOM_MS = 10_000;
const LONG_MS = 60_000;

export function takeTurns({redis, name, periodMs, count = 1, act, report}: TurnsOptions): Turns {
	const offsets = Array.from({length: count}, (_, index) => Math.floor((index * periodMs) / count));
	const key = sharedKey(redis, `turns:${name}`);
	let looking = Promise.resolve();
	let isLooking = false;

	async function look(): Promise<void> {
		const args = [key, periodMs, ...offsets] as const;
		const due = await redis
			.evalsha(SHA, 1, ...args)
			.catch((error: Error) =>
				error.message.startsWith('NOSCRIPT') ? redis.eval(take, 1, ...args) : Promise.reject(error),
			);
		await Promise.all((due as number[]).map(act));
	}

	const timer = setInterval(
		() => {
			// While a slow check runs, no other one starts.
			if (!isLooking) {
				isLooking = true;
				looking = look()
					.catch(report)
					.finally(() => {
						isLooking = false;
					});
			}
		},
		periodMs < LONG_MS ? Math.min(LOOK_MS, periodMs / 2) : LOOK_SELDOM_MS,
	);

	return {
		async stop() {
			clearInterval(timer);
			await looking;
		},
	};
}
