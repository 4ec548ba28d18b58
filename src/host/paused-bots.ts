// Bots that an operator has paused on all hosts. They answer each message with a fixed text.

import {setTimeout as sleep} from 'node:timers/promises';
import type {DeliveriesOptions} from '../delivery/deliveries.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import type {BotAccount} from './bots.js';
import type {Host} from './connections.js';

const KEY = '{bothy}:paused';

/** How often a process reads the paused bots, and so how long a pause takes to apply everywhere. */
const LOOK_MS = 5_000;

/** Maps the tag of each paused account to its answer. */
export async function readPaused(redis: RedisConnection): Promise<ReadonlyMap<string, string>> {
	return new Map(Object.entries(await redis.hgetall(KEY)));
}

export async function pauseBot(
	redis: RedisConnection,
	{account, text}: {account: string; text: string},
): Promise<void> {
	await redis.hset(KEY, account, text);
}

/** Resolves to false if it was not paused. */
export async function resumeBot(redis: RedisConnection, account: string): Promise<boolean> {
	return (await redis.hdel(KEY, account)) === 1;
}

const FIRST_TRIES = 20;
const FIRST_WAIT_MS = 50;

type Handle = DeliveriesOptions<BotAccount>['handle'];

/** Answers for paused bots. Resolves when the paused bots are known, unless Redis is away. */
export async function openPauses(
	{teardown}: Host,
	redis: RedisConnection,
	{everyMs = LOOK_MS} = {},
): Promise<(handle: Handle) => Handle> {
	let paused: ReadonlyMap<string, string> = new Map();
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
	return handle =>
		async function handleUnlessPaused(task) {
			const text = paused.get(accountTag(task.account));
			// Nobody waits for an answer to a payload that Bothy made (a cron, a failed send).
			await (text === undefined || task.payload.trigger.startsWith('bothy:') ? handle(task) : task.say.reply(text));
		};
}
