// What Redis keeps of presence: up to when each slice is looked after, and how each account stands.

import {z} from 'zod';
import type {RedisConnection} from '../redis/connection.js';

const PresenceState = z.object({
	v: z.literal(1),
	/** Fingerprint of the account's configuration: with another one it starts anew. */
	config: z.string(),
	/** Whether the service said that this is no bot; it is asked once. */
	isPerson: z.boolean(),
	/** Milliseconds since 1970, as all times here. */
	pingedAt: z.int().optional(),
	/** It is not pinged until its configuration changes. */
	parked: z.object({at: z.int().optional(), reason: z.string()}).optional(),
	/** The last ping failed, but the next may not. */
	failed: z.object({at: z.int(), reason: z.string()}).optional(),
	/** The service asked for patience. */
	waitUntil: z.int().optional(),
});
export type PresenceState = z.infer<typeof PresenceState>;

export interface PresenceStore {
	/**
	 * Takes on a slice until a time, and answers from when on nobody else has it: every instant is given out once, also
	 * when two jobs ask at the same time.
	 */
	claim(slice: number, time: {now: number; until: number; catchUpMs: number}): Promise<number>;
	/** How accounts stand, in their order; undefined for one that is new. */
	read(tags: readonly string[]): Promise<(PresenceState | undefined)[]>;
	write(states: ReadonlyMap<string, PresenceState>): Promise<void>;
}

/** Nothing here belongs to one account: one tag, so one slot of a Cluster. */
const ACCOUNTS = 'bothy:{presence}:accounts';
const untilKey = (slice: number) => `bothy:{presence}:until:${slice}`;

/** How long the end of a claim is remembered. */
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
	return {
		async claim(slice, {now, until, catchUpMs}) {
			return Number(await redis.eval(CLAIM, 1, untilKey(slice), now, until, catchUpMs, KEPT_MS));
		},
		async read(tags) {
			const found = tags.length === 0 ? [] : await redis.hmget(ACCOUNTS, ...tags);
			return found.map(readPresenceState);
		},
		async write(states) {
			if (states.size > 0) {
				await redis.hset(ACCOUNTS, new Map([...states].map(([tag, state]) => [tag, JSON.stringify(state)])));
			}
		},
	};
}

/** What another version wrote is as good as nothing. */
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
