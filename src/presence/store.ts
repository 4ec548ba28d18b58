// What Redis stores about presence: up to when each slice is done, and the state of each account.

import {z} from '../api/zod.js';
import {accountKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';

const PresenceState = z.object({
	v: z.literal(1),
	/** Fingerprint of the account's configuration. If it changes, the account starts from the beginning. */
	config: z.string(),
	/** Whether the service said that this is no bot. We ask once. */
	isPerson: z.boolean(),
	/** Milliseconds since 1970, like all times here. */
	pingedAt: z.int().optional(),
	/** It is not pinged until its configuration changes. */
	parked: z.object({at: z.int().optional(), reason: z.string()}).optional(),
	/** The last ping failed, but the next may succeed. */
	failed: z.object({at: z.int(), reason: z.string()}).optional(),
	/** The service asked to wait. */
	waitUntil: z.int().optional(),
});
export type PresenceState = z.infer<typeof PresenceState>;

export interface PresenceStore {
	/**
	 * Claims a slice until a time. Returns the start of the part that no other job has: every moment is given out once, even
	 * if two jobs ask at the same time.
	 */
	claim(slice: number, time: {now: number; until: number; catchUpMs: number}): Promise<number>;
	/** The states of the accounts, in the same order. Undefined for a new account. */
	read(tags: readonly string[]): Promise<(PresenceState | undefined)[]>;
	write(states: ReadonlyMap<string, PresenceState>): Promise<void>;
}

/** Nothing here belongs to one account, so one tag and one slot of a Cluster are enough. */
const GROUP = 'presence';

/** How long the end of a claim is stored. */
const KEPT_MS = 3_600_000;

const CLAIM = `
local now, untilMs, catchUp = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
if untilMs > last then
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
end
if last < now - catchUp then
	return now
end
return last
`;

export function createPresenceStore(redis: RedisConnection): PresenceStore {
	const accountsKey = accountKey(redis, GROUP, 'accounts');
	return {
		async claim(slice, {now, until, catchUpMs}) {
			return Number(
				await redis.eval(CLAIM, 1, accountKey(redis, GROUP, `until:${slice}`), now, until, catchUpMs, KEPT_MS),
			);
		},
		async read(tags) {
			const found = tags.length === 0 ? [] : await redis.hmget(accountsKey, ...tags);
			return found.map(readPresenceState);
		},
		async write(states) {
			if (states.size > 0) {
				await redis.hset(accountsKey, new Map([...states].map(([tag, state]) => [tag, JSON.stringify(state)])));
			}
		},
	};
}

/** Ignores values that another version wrote. */
function readPresenceState(text: string | null): PresenceState | undefined {
	if (text === null) {
		return undefined;
	}

	try {
		return PresenceState.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
