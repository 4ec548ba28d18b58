// Bots that an operator has paused, on all hosts: messages to them are answered with a text, or wait until they are resumed.

import {setTimeout as sleep} from 'node:timers/promises';
import {z} from '../api/zod.js';
import type {DeliveriesOptions} from '../delivery/deliveries.js';
import type {RedisStore} from '../delivery/redis-store.js';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import {isUnasked, type Work} from '../delivery/work.js';
import {accountTag, sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import type {BotAccount} from './bots.js';
import type {Host} from './connections.js';

const KEY = 'paused';

/** What a paused bot answers unless the operator gives another text. */
export const PAUSED_TEXT = 'I am paused at the moment. Please ask again later.';

/** How often a process reads the paused bots, and so how long a pause takes to apply everywhere. */
const LOOK_MS = 5_000;

/** `text` answers each message; without one the messages wait. */
const Paused = z.object({
	v: z.literal(1),
	text: z.string().optional(),
	/** Since when, milliseconds since 1970. An earlier version stored none. */
	at: z.number().optional(),
});
export type Paused = Omit<z.infer<typeof Paused>, 'v'>;

/** By the tag of each paused account. */
export async function readPaused(redis: RedisConnection): Promise<ReadonlyMap<string, Paused>> {
	const stored = Object.entries(await redis.hgetall(sharedKey(redis, KEY)));
	return new Map(stored.map(([account, json]) => [account, Paused.parse(JSON.parse(json))]));
}

export async function pauseBot(redis: RedisConnection, account: string, paused: Omit<Paused, 'at'>): Promise<void> {
	const stored: z.infer<typeof Paused> = {v: 1, ...paused, at: Date.now()};
	await redis.hset(sharedKey(redis, KEY), account, JSON.stringify(stored));
}

interface Resuming {
	readonly redis: RedisConnection;
	readonly store: Pick<RedisStore, 'wakeHeld'>;
	/** Enqueues a delivery that was held. */
	rerun(ref: DeliveryRef, options: {id: string}): Promise<void>;
}

/** Lets a bot run again, first on what was held. `count` says how much that was. */
export async function resumeAccount(
	{redis, store, rerun}: Resuming,
	account: string,
): Promise<{wasPaused: boolean; count: number}> {
	const wasPaused = (await redis.hdel(sharedKey(redis, KEY), account)) === 1;
	let count = 0;
	for (let held = await store.wakeHeld(account); held.length > 0; held = await store.wakeHeld(account)) {
		count += held.length;
		for (const ref of held) {
			await rerun(ref, {id: sendId(ref, 0)});
		}
	}

	return {wasPaused, count};
}

const FIRST_TRIES = 20;
const FIRST_WAIT_MS = 50;

type Handle = DeliveriesOptions<BotAccount>['handle'];

export interface Pauses {
	/** Whether work waits until its bot is resumed. Work without a caller always waits, because nobody would read an answer. */
	isHeld(asked: {readonly account: BotAccount; readonly work: Work}): Promise<boolean>;
	/** Answers for bots that are paused with a text. */
	unlessPaused(handle: Handle): Handle;
}

/** Resolves when it is known who is paused, unless Redis is away. */
export async function openPauses({teardown}: Host, redis: RedisConnection, {everyMs = LOOK_MS} = {}): Promise<Pauses> {
	let paused: ReadonlyMap<string, Paused> = new Map();
	const look = async () => {
		try {
			paused = await readPaused(redis);
			return true;
		} catch {
			// Redis is away: keep what is known.
			return false;
		}
	};
	// The connection may be new.
	for (let tries = 0; tries < FIRST_TRIES && !(await look()); tries++) {
		await sleep(FIRST_WAIT_MS);
	}

	const timer = setInterval(look, everyMs).unref();
	teardown.add(async () => clearInterval(timer));
	return {
		async isHeld({account, work}) {
			const isMeant = () => {
				const rule = paused.get(accountTag(account));
				return rule !== undefined && (rule.text === undefined || isUnasked(work));
			};
			// The bot may have been resumed. A delivery that is held too late would wait for the next sweep.
			if (isMeant()) {
				await look();
			}

			return isMeant();
		},
		unlessPaused: handle =>
			async function handleUnlessPaused(task) {
				const text = paused.get(accountTag(task.account))?.text;
				await (text === undefined ? handle(task) : task.run.say.reply(text));
			},
	};
}
