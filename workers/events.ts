// Polls for the events of accounts that get no webhooks, and turns those that concern a bot into deliveries. A long poll never
// finishes, so it does not run as a BullMQ job. Each account has one poller among all workers. The poller holds a lease,
// which lapses within seconds if the poller dies.

import {randomUUID} from 'node:crypto';
import {setTimeout} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import type {Client} from '../src/client/client.js';
import {isLockedOut} from '../src/client/judge.js';
import type {EventTrigger} from '../src/delivery/event-triggers.js';
import type {Work} from '../src/delivery/work.js';
import type {Inbox} from '../src/events/inbox.js';
import {createKnownPeople} from '../src/events/known-people.js';
import {openMessageEvents} from '../src/events/message-events.js';
import {type RetryOptions, retryUntilAnswered, type Sleep, sleepByTimer, spread} from '../src/events/retry.js';
import {createTaker} from '../src/events/taker.js';
import type {RunningWorker, WorkerLog} from '../src/queue/define-worker.js';
import {accountTag} from '../src/redis/account-key.js';

interface AccountName {
	readonly site: string;
	readonly email: string;
}

export interface EventDependencies {
	readonly inbox: Inbox;
	readonly log: WorkerLog;
	clientOf(account: AccountName): Client | undefined;
	/** Runs a bot. Resolves once the delivery is stored. The same work makes one delivery, however often it arrives. */
	deliver(account: AccountName, work: Work): Promise<void>;
	/** Waits between two polls, and before a retry of a failed call. */
	readonly sleep?: Sleep;
}

/** How often a poller renews its lease, and the others check it. */
const HOLD_MS = 1_500;

/** Delay before an account that the service refused is tried again. */
const REFUSED_MS = 60_000;

/** For deleting the queues and releasing the leases. */
const CLOSING_MS = 5_000;

export default function startEvents(accounts: readonly AccountName[], dependencies: EventDependencies): RunningWorker {
	const stop = new AbortController();
	const running = accounts.map(account => keepPolling(account, {dependencies, stop: stop.signal}));
	return {
		async close() {
			stop.abort();
			// While Redis is away the stop does not wait for it: a lease lapses by itself.
			await Promise.race([Promise.all(running), setTimeout(CLOSING_MS, undefined, {ref: false})]);
		},
	};
}

/** Polls whenever no other worker does. */
async function keepPolling(
	account: AccountName,
	{dependencies, stop}: {dependencies: EventDependencies; stop: AbortSignal},
): Promise<void> {
	const tag = accountTag(account);
	const {sleep = sleepByTimer} = dependencies;
	while (!stop.aborted) {
		const holder = randomUUID();
		const isOurs = await dependencies.inbox.hold(tag, holder).catch(() => false);
		if (isOurs) {
			await pollWhileHeld(account, {dependencies, stop, holder});
			await dependencies.inbox.release(tag, holder).catch(() => {});
		}

		await sleep(spread(HOLD_MS / 2), stop).catch(() => {});
	}
}

async function pollWhileHeld(
	account: AccountName,
	{dependencies, stop, holder}: {dependencies: EventDependencies; stop: AbortSignal; holder: string},
): Promise<void> {
	const {inbox, log, sleep = sleepByTimer} = dependencies;
	const tag = accountTag(account);
	const lost = new AbortController();
	// While Redis is away, one renewal waits for it. More would all be answered at once when it is back.
	let isAsking = false;
	const holding = setInterval(async () => {
		if (isAsking || lost.signal.aborted) {
			return;
		}

		isAsking = true;
		const isOurs = await inbox.hold(tag, holder).catch(() => true);
		isAsking = false;
		if (!isOurs) {
			log.info({account: tag}, 'another process has taken over the polling of an account');
			lost.abort();
		}
	}, HOLD_MS);
	holding.unref();
	const signal = AbortSignal.any([stop, lost.signal]);
	while (!signal.aborted) {
		const other = new AbortController();
		try {
			const wanted = await inbox.wanted(tag);
			const watching = setInterval(async () => {
				const now = await inbox.wanted(tag).catch(() => wanted);
				if (!isDeepStrictEqual(now, wanted)) {
					log.info({account: tag, triggers: now}, 'a bot declares other triggers; opening another queue');
					other.abort();
				}
			}, HOLD_MS);
			watching.unref();
			const retry = {signal: AbortSignal.any([signal, other.signal]), log, account: tag, sleep};
			await poll(account, {...dependencies, wanted, retry}).finally(() => clearInterval(watching));
		} catch (error) {
			if (!signal.aborted && !other.signal.aborted) {
				log.error({account: tag, reason: String(error), next: nextStep(error)}, 'cannot poll for messages');
				await sleep(spread(REFUSED_MS), signal).catch(() => {});
			}
		}
	}

	clearInterval(holding);
}

interface PollDependencies extends EventDependencies {
	readonly retry: RetryOptions;
	readonly wanted: readonly EventTrigger[];
}

/** Opens a queue, reads the messages that no queue got, and follows the queue. Starts over when the queue is gone. */
async function poll(account: AccountName, dependencies: PollDependencies): Promise<never> {
	const {inbox, log, retry, wanted} = dependencies;
	const client = dependencies.clientOf(account);
	if (!client) {
		throw new Error(`No account ${account.email} on ${account.site} in the configuration`);
	}

	const tag = accountTag(account);
	const people = createKnownPeople(client, retry);
	for (;;) {
		const user = await retryUntilAnswered(retry, () => client.getOwnUser({}, {signal: retry.signal}));
		const reader = {...user, email: account.email};
		const deliver = (work: Work) => dependencies.deliver(account, work);
		const taker = createTaker({tag, client, reader, people, inbox, retry, wanted, deliver});
		const events = await openMessageEvents(client, retry, taker.eventTypes);
		log.info({account: tag, queue: events.queueId, triggers: wanted}, 'polling for the messages of an account');
		try {
			await taker.catchUp(events.newest);
			await events.follow(event => taker.take(event));
			log.info({account: tag, queue: events.queueId}, 'an event queue expired; opening another');
		} catch (error) {
			// A queue that nobody reads is deleted by the service after ten minutes.
			await events.remove().catch(() => {});
			throw error;
		}
	}
}

function nextStep(error: unknown): string {
	if (isLockedOut(error)) {
		return "check that `email`, `key` and `site` match the bot's zuliprc, and that the bot is active";
	}

	return 'retrying within two minutes';
}
