// The current state of everything: processes, workers and accounts. `bothy status`, `bothy doctor` and the console read it here, so they
// say the same.

import type {Account} from '../../config/accounts.js';
import {isPresent} from '../../presence/account.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {type OpenQueue, openQueue, type QueueStanding} from '../../queue/define-queue.js';
import {drafts} from '../../queue/drafts.js';
import {presence} from '../../queue/presence.js';
import {sends} from '../../queue/sends.js';
import {accountTag} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {type Running, readRunning, redisTime} from '../announce.js';
import {readSweptAt} from '../background/sweeping.js';
import type {Host} from '../connections.js';
import {type Paused, readPaused} from '../paused-bots.js';
import {type Noted, type NotedBot, type NotedCheck, readNoted} from './noted.js';
import {readStored, type StoredStanding} from './standing-script.js';

/** The workers of a queue, and what waits for them. */
export interface QueueState extends QueueStanding {
	readonly name: string;
	readonly workers: number;
	/** Whether something waits that only a worker can end. */
	readonly isNeeded: boolean;
}

export interface AccountStanding extends StoredStanding {
	readonly account: Account;
	readonly tag: string;
	readonly paused: Paused | undefined;
	readonly noted: NotedBot | undefined;
	readonly check: NotedCheck | undefined;
}

export interface Standing {
	/** Redis's time, milliseconds since 1970. */
	readonly now: number;
	readonly processes: readonly Running[];
	readonly queues: readonly QueueState[];
	readonly sweptAt: number | undefined;
	readonly accounts: readonly AccountStanding[];
}

export type AccountsStanding = Omit<Standing, 'queues' | 'sweptAt'>;

/** Opens the reading of workers and of what waits for them: `CLIENT LIST` and BullMQ's counts, so not for every moment. */
export function openQueueStates(
	{teardown}: Pick<Host, 'teardown'>,
	redis: RedisConnection,
	accounts: readonly Account[],
): () => Promise<QueueState[]> {
	const needed = [openQueue(sends, redis), openQueue(backgroundDeliveries, redis)];
	const hasPresence = accounts.some(isPresent);
	const others = [openQueue(drafts, redis), ...(hasPresence ? [openQueue(presence, redis)] : [])];
	teardown.add(() => Promise.all([...needed, ...others].map(queue => queue.close())));
	return async () =>
		Promise.all([
			...needed.map(queue => readQueue(queue, () => true)),
			...others.map(queue => readQueue(queue, ({oldestAt}) => oldestAt !== undefined)),
		]);
}

async function readQueue(
	queue: Pick<OpenQueue<never>, 'name' | 'standing' | 'countWorkers'>,
	isNeeded: (standing: QueueStanding) => boolean,
): Promise<QueueState> {
	const [standing, workers] = await Promise.all([queue.standing(), queue.countWorkers()]);
	return {...standing, name: queue.name, workers, isNeeded: isNeeded(standing)};
}

export async function readAccountsStanding(
	redis: RedisConnection,
	accounts: readonly Account[],
): Promise<AccountsStanding> {
	const now = await redisTime(redis);
	const tags = accounts.map(accountTag);
	const [processes, paused, noted, stored] = await Promise.all([
		readRunning(redis),
		readPaused(redis),
		readNoted(redis),
		readStored(redis, tags, now),
	]);
	return {
		now,
		processes,
		accounts: stored.map((standing, index) => {
			// One for each tag.
			const account = accounts[index] as Account;
			return {...standing, account, ...notesOf({paused, noted}, tags[index] ?? '')};
		}),
	};
}

function notesOf({paused, noted}: {paused: ReadonlyMap<string, Paused>; noted: Noted}, tag: string) {
	return {tag, paused: paused.get(tag), noted: noted.bots.get(tag), check: noted.checks.get(tag)};
}

/** Everything, for a command that reads once. */
export async function readStanding(
	host: Pick<Host, 'teardown'>,
	redis: RedisConnection,
	accounts: readonly Account[],
): Promise<Standing> {
	const [standing, queues, sweptAt] = await Promise.all([
		readAccountsStanding(redis, accounts),
		openQueueStates(host, redis, accounts)(),
		readSweptAt(redis),
	]);
	return {...standing, queues, sweptAt};
}

/** The value below which this share of the others is. Undefined if there is none. */
export function percentile(values: readonly number[], share: number): number | undefined {
	return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}
