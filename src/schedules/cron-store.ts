// The crons of an account: texts that a bot posts at due times, and handlers that run then.

import {hash} from 'node:crypto';
import type {Cluster, Redis} from 'ioredis';
import {z} from '../api/zod.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {CheckedCron} from '../queue/cron.js';
import {accountKey, sharedKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';

const What = z.discriminatedUnion('kind', [
	/** `target` as JSON text. */
	z.object({kind: z.literal('send'), target: z.string(), text: z.string(), widget: z.string().optional()}),
	/** Name of the bot's handler. */
	z.object({kind: z.literal('handler'), handler: z.string()}),
]);

export const StoredCron = z.object({v: z.literal(1), cron: CheckedCron, what: What});
export type StoredCron = Omit<z.infer<typeof StoredCron>, 'v'>;

/** Counts by outcome. */
export interface CronCounts {
	readonly fired: number;
	/** Due times that passed while no worker ran. */
	readonly missed: number;
	/** Due times skipped because the one before was not done yet. */
	readonly skipped: number;
	/** Runs that a person asked for, in addition. */
	readonly byHand: number;
	/** Milliseconds since 1970. 0 for never. */
	readonly firedAt: number;
	/** When a worker last noticed due times that had passed. */
	readonly missedAt: number;
}

export interface CronStore {
	/** Only for the run that holds the delivery. `stale` if another run has taken over. */
	putFor(origin: {ref: DeliveryRef; run: number}, id: string, cron: StoredCron): Promise<'put' | 'stale'>;
	put(account: string, id: string, cron: StoredCron): Promise<void>;
	/** False if there was none. */
	remove(account: string, id: string): Promise<boolean>;
	all(account: string): Promise<ReadonlyMap<string, StoredCron>>;
	read(account: string, id: string): Promise<StoredCron | undefined>;
	counts(account: string, id: string): Promise<CronCounts>;
	count(account: string, id: string, more: Partial<CronCounts>): Promise<void>;
	/** Stores the delivery of this due time. Returns that of the previous due time; undefined the first time. */
	swapDelivery(account: string, id: string, delivery: string): Promise<string | undefined>;
	/** Changes with every change of a cron in any process. */
	version(): Promise<string>;
}

/** Keys: origin delivery, crons. */
const putFor = `
local d = redis.call('HMGET', KEYS[1], 'status', 'run')
if d[2] ~= ARGV[1] or (d[1] ~= 'running' and d[1] ~= 'done') then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
`;

export function createCronStore(redis: Redis | Cluster): CronStore {
	const run = createScripts(redis, {putFor});
	// One key for all accounts, so that a check does not read each account.
	const versionKey = sharedKey(redis, 'crons-version');
	const key = (account: string) => accountKey(redis, account, 'crons');
	const countKey = (account: string, id: string) => accountKey(redis, account, `cron:${id}`);

	return {
		async putFor({ref, run: number}, id, cron) {
			const keys = [accountKey(redis, ref.account, `delivery:${ref.id}`), key(ref.account)];
			const isPut = (await run('putFor', keys, [number, id, encode(cron)])) === 1;
			await redis.incr(versionKey);
			return isPut ? 'put' : 'stale';
		},
		async put(account, id, cron) {
			await redis.hset(key(account), id, encode(cron));
			await redis.incr(versionKey);
		},
		async remove(account, id) {
			const [removed] = await Promise.all([redis.hdel(key(account), id), redis.del(countKey(account, id))]);
			await redis.incr(versionKey);
			return removed === 1;
		},
		async swapDelivery(account, id, delivery) {
			const before = await redis.hget(countKey(account, id), 'delivery');
			await redis.hset(countKey(account, id), 'delivery', delivery);
			return before ?? undefined;
		},
		async version() {
			return (await redis.get(versionKey)) ?? '';
		},
		async all(account) {
			const stored = Object.entries(await redis.hgetall(key(account)));
			return new Map(stored.map(([id, json]) => [id, decode(json)]));
		},
		async read(account, id) {
			const json = await redis.hget(key(account), id);
			return json === null ? undefined : decode(json);
		},
		async counts(account, id) {
			const stored = await redis.hgetall(countKey(account, id));
			const number = (name: keyof CronCounts) => Number(stored[name] ?? 0);
			return {
				fired: number('fired'),
				missed: number('missed'),
				skipped: number('skipped'),
				byHand: number('byHand'),
				firedAt: number('firedAt'),
				missedAt: number('missedAt'),
			};
		},
		async count(account, id, {firedAt, missedAt, ...more}) {
			const counting = redis.multi();
			for (const [name, by] of Object.entries(more)) {
				counting.hincrby(countKey(account, id), name, by);
			}

			for (const [name, at] of Object.entries({firedAt, missedAt})) {
				if (at !== undefined) {
					counting.hset(countKey(account, id), name, at);
				}
			}

			await counting.exec();
		},
	};
}

function encode(cron: StoredCron): string {
	return JSON.stringify({v: 1, ...cron});
}

function decode(json: string): StoredCron {
	const {v: _, ...cron} = StoredCron.parse(JSON.parse(json));
	return cron;
}

/** A short id of a cron of an account. Valid as the id of a job scheduler. */
export function cronTickId(account: string, id: string): string {
	return hash('sha1', `${account} ${id}`).slice(0, 20);
}

/** The outbox for the texts of a cron. */
export function cronOutbox(account: string, id: string): DeliveryRef {
	return {account, id: `cron-${cronTickId(account, id)}`};
}
