// Bots that an operator has paused, on all hosts: each message to them is answered with a text instead.

import {setTimeout as sleep} from 'node:timers/promises';
import type {DeliveriesOptions} from '../delivery/deliveries.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import type {BotAccount} from './bots.js';
import type {Host} from './connections.js';

const KEY = '{bothy}:paused';

/** How often a process looks who is paused; so long a pause may take to begin everywhere. */
const LOOK_MS = 5_000;

/** Tag of each paused account, and the text that answers for it. */
export async function readPaused(redis: RedisConnection): Promise<ReadonlyMap<string, string>> {
	return new Map(Object.entries(await redis.hgetall(KEY)));
}

export async function pauseBot(
	redis: RedisConnection,
	{account, text}: {account: string; text: string},
): Promise<void> {
	await redis.hset(KEY, account, text);
}

/** False when it was not paused. */
export async function resumeBot(redis: RedisConnection, account: string): Promise<boolean> {
	return (await redis.hdel(KEY, account)) === 1;
}

const FIRST_TRIES = 20;
const FIRST_WAIT_MS = 50;

type Handle = DeliveriesOptions<BotAccount>['handle'];

/** Answers for paused bots. Resolves when it is known who is paused, unless Redis is away. */
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
			// Away: what was known holds.
			return false;
		}
	};
	// Its connection may be new.
	for (let tries = 0; tries < FIRST_TRIES && !(await look()); tries++) {
		await sleep(FIRST_WAIT_MS);
	}

	const timer = setInterval(look, everyMs).unref();
	teardown.add(async () => clearInterval(timer));
	return handle =>
		async function handleUnlessPaused(task) {
			const text = paused.get(accountTag(task.account));
			// Work of our own making (a cron, a failed send) have nobody to answer.
			await (text === undefined || task.work.kind !== 'message' ? handle(task) : task.run.say.reply(text));
		};
}
