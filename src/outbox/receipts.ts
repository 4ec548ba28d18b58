// Receipts: an event queue of an account's own messages shows which of our posts the service carried out, even if no
// answer came. Each account has one queue, which all workers share. Redis stores what was read from it.

import {setTimeout as sleep} from 'node:timers/promises';
import {z} from '../api/zod.js';
import type {Client} from '../client/client.js';
import {ApiError} from '../client/errors.js';
import {isLockedOut, wasAnswered} from '../client/judge.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {hears, register} from './receipt-queue.js';

/** What an attempt to post should know before it begins. */
export interface Before {
	/** Queue that gets the receipt. Empty if there is none. */
	readonly queue: string;
	/** The message will be newer than this one. 0 if none is known. */
	readonly after: number;
}

export interface Asked {
	readonly localId: string;
	/** Queue that was named in the post. */
	readonly queue: string;
	/** Channel of the post. Undefined for a direct message. */
	readonly channel: string | number | undefined;
}

export interface Receipts {
	/** `delayMs`: it is unknown whether the service offers a queue, and the outcome of a post without one could stay unknown. */
	before(client: Client): Promise<Before | {readonly delayMs: number}>;
	/** Reports that a message of this account has this id. */
	sawMessage(client: Client, id: number): void;
	/**
	 * The id of the message for `localId`. `absent`: not carried out so far, and the queue has no gap and covers
	 * that conversation. `gap`: the queue cannot tell. `unsure`: the service cannot be asked now.
	 */
	find(client: Client, asked: Asked): Promise<number | 'absent' | 'gap' | 'unsure'>;
}

/** How long knowledge about a queue stays valid. */
const FRESH_MS = 5_000;

/** Maximum time between two reads of a queue while messages are posted, so that it stays short and alive. */
const READ_EVERY_MS = 60_000;

/** How long to wait before asking again a service that offers no queue. */
const WITHOUT_MS = 10 * 60_000;

/** Longer than a call to the service may take. The lock of a dead worker lapses after this time. */
const LOCK_MS = 20_000;

/** Delay of a job whose queue another worker is opening. */
const OPENING_MS = 2_000;
const OPENING_STEP_MS = 20;
const COME_BACK_MS = 1_000;

/** Longer than any outcome stays unsettled. */
const KEPT_MS = 24 * 3600 * 1000;

const Stored = z.object({
	v: z.literal('1'),
	queue: z.string(),
	/** Whether it covers all public channels, subscribed or not. */
	all: z.enum(['0', '1']),
	last: z.coerce.number(),
	max: z.coerce.number(),
	readAt: z.coerce.number(),
});
type Stored = z.infer<typeof Stored>;

interface Known {
	stored: Stored | undefined;
	checkedAt: number;
	newest: number;
	asking: Promise<void> | undefined;
	/** Whether the service refused the account's key. */
	isLockedOut: boolean;
}

export function createReceipts(redis: RedisConnection): Receipts {
	const accounts = new WeakMap<Client, Known>();
	const key = (client: Client, what: string) => accountKey(redis, accountTag(client), what);

	function knownOf(client: Client): Known {
		const known = accounts.get(client) ?? {
			stored: undefined,
			checkedAt: Number.NEGATIVE_INFINITY,
			newest: 0,
			asking: undefined,
			isLockedOut: false,
		};
		accounts.set(client, known);
		return known;
	}

	async function load(client: Client): Promise<Stored | undefined> {
		const {data} = Stored.safeParse(await redis.hgetall(key(client, 'receipts')));
		return data;
	}

	async function refresh(client: Client, known: Known): Promise<void> {
		known.stored = await load(client);
		if (!known.stored) {
			known.stored = await obtain(client);
		} else if (known.stored.readAt < Date.now() - READ_EVERY_MS) {
			await locked(client, () => read(client));
			known.stored = await load(client);
		}

		known.newest = Math.max(known.newest, known.stored?.max ?? 0);
		known.checkedAt = performance.now();
	}

	/** A queue for an account that has none. This worker opens it, or another one just did. */
	async function obtain(client: Client): Promise<Stored | undefined> {
		for (const end = performance.now() + OPENING_MS; ; await sleep(OPENING_STEP_MS)) {
			await locked(client, async () => {
				// Another worker may have opened one since the last check.
				if (!(await load(client))) {
					await open(client);
				}
			});
			const stored = await load(client);
			if (stored || performance.now() > end) {
				return stored;
			}
		}
	}

	/** Only one worker asks at a time. `undefined` if another one is asking. */
	async function locked<Result>(client: Client, act: () => Promise<Result>): Promise<Result | undefined> {
		const lock = key(client, 'receipts-lock');
		if ((await redis.set(lock, '1', 'PX', LOCK_MS, 'NX')) === null) {
			return undefined;
		}

		try {
			return await act();
		} finally {
			await redis.del(lock);
		}
	}

	async function open(client: Client): Promise<void> {
		const stored = {v: 1, readAt: Date.now(), ...(await register(client))};
		await redis
			.multi()
			.hset(key(client, 'receipts'), stored)
			.pexpire(key(client, 'receipts'), stored.queue === '' ? WITHOUT_MS : KEPT_MS)
			.exec();
	}

	/** Reads new events and stores them. False if the queue is gone. */
	async function read(client: Client): Promise<boolean> {
		const stored = await load(client);
		if (!stored || stored.queue === '') {
			return false;
		}

		try {
			const {events} = await client.getEvents({
				queue_id: stored.queue,
				last_event_id: stored.last,
				dont_block: true,
			});
			const writing = redis.multi();
			for (const event of events) {
				const receipt = Receipt.safeParse(event);
				if (receipt.success) {
					const {local_message_id: localId, message} = receipt.data;
					writing.set(key(client, `receipt:${localId}`), message.id, 'PX', KEPT_MS);
				}
			}

			const last = events.at(-1)?.id ?? stored.last;
			await writing
				.hset(key(client, 'receipts'), {last, readAt: Date.now()})
				.pexpire(key(client, 'receipts'), KEPT_MS)
				.exec();
			return true;
		} catch (error) {
			if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
				await redis.del(key(client, 'receipts'));
				knownOf(client).checkedAt = Number.NEGATIVE_INFINITY;
				return false;
			}

			throw error;
		}
	}

	return {
		async before(client) {
			const known = knownOf(client);
			if (performance.now() - known.checkedAt > FRESH_MS) {
				known.asking ??= refresh(client, known)
					.catch(error => {
						// What is known stays valid. A search for receipts will notice that the queue is gone.
						known.checkedAt = performance.now();
						known.isLockedOut = isLockedOut(error);
					})
					.finally(() => {
						known.asking = undefined;
					});
				if (!known.stored) {
					await known.asking;
				}
			}

			if (!known.stored && known.isLockedOut) {
				// The service will refuse the post as well, so the post needs no receipt.
				return {queue: '', after: known.newest};
			}

			// Without a queue, a deleted message looks the same as one that was never posted.
			return known.stored ? {queue: known.stored.queue, after: known.newest} : {delayMs: COME_BACK_MS};
		},
		sawMessage(client, id) {
			const known = knownOf(client);
			known.newest = Math.max(known.newest, id);
		},
		async find(client, {localId, queue, channel}) {
			const found = () => redis.get(key(client, `receipt:${localId}`));
			const earlier = await found();
			if (earlier !== null) {
				return Number(earlier);
			}

			const stored = await load(client);
			if (queue === '' || stored?.queue !== queue) {
				return 'gap';
			}

			try {
				const isThere = await locked(client, () => read(client));
				const now = await found();
				if (now !== null) {
					return Number(now);
				}

				if (isThere === undefined) {
					return 'unsure';
				}

				return isThere && (await hears(client, {channel, all: stored.all === '1'})) ? 'absent' : 'gap';
			} catch (error) {
				// An invalid answer cannot tell. A service that does not answer, or refuses the key, may tell later.
				return wasAnswered(error) ? 'gap' : 'unsure';
			}
		},
	};
}

const Receipt = z.looseObject({
	type: z.literal('message'),
	local_message_id: z.string(),
	message: z.looseObject({id: z.int()}),
});
