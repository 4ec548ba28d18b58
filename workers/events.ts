// Polls for the messages of accounts that get no webhooks, and turns those that call a bot into deliveries. A long poll never
// finishes, so it does not run as a BullMQ job. Each account has one poller among all workers. The poller holds a lease,
// which lapses within seconds if the poller dies.

import {randomUUID} from 'node:crypto';
import {setTimeout} from 'node:timers/promises';
import type {Payload} from '../src/api/index.js';
import type {Client} from '../src/client/client.js';
import {ApiError} from '../src/client/errors.js';
import type {Inbox} from '../src/events/inbox.js';
import {openMessageEvents, type Received, readHistory} from '../src/events/message-events.js';
import {payloadFromMessage, type Reader} from '../src/events/payload-from-message.js';
import {type RetryOptions, retryUntilAnswered, type Sleep, sleepByTimer, spread} from '../src/events/retry.js';
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
	/** Lets a bot answer. Resolves once the delivery is stored. The same payload makes one delivery, however often it arrives. */
	deliver(account: AccountName, payload: Payload): Promise<void>;
	/** Waits between two polls, and before a retry of a failed call. */
	readonly sleep?: Sleep;
}

/** How often a poller renews its lease, and the others check it. */
const HOLD_MS = 1_500;

/** Delay before an account that the service refused is tried again. */
const REFUSED_MS = 30_000;

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
	const holding = setInterval(async () => {
		const isOurs = await inbox.hold(tag, holder).catch(() => true);
		if (!isOurs) {
			log.warn({account: tag}, 'another process has taken over the polling of an account');
			lost.abort();
		}
	}, HOLD_MS);
	holding.unref();
	const signal = AbortSignal.any([stop, lost.signal]);
	while (!signal.aborted) {
		try {
			await poll(account, {...dependencies, retry: {signal, log, account: tag, sleep}});
		} catch (error) {
			if (!signal.aborted) {
				log.error({account: tag, reason: String(error), next: nextStep(error)}, 'cannot poll for messages');
				await sleep(spread(REFUSED_MS), signal).catch(() => {});
			}
		}
	}

	clearInterval(holding);
}

interface PollDependencies extends EventDependencies {
	readonly retry: RetryOptions;
}

/** Opens a queue, reads the messages that no queue got, and follows the queue. Starts over when the queue is gone. */
async function poll(account: AccountName, dependencies: PollDependencies): Promise<never> {
	const {inbox, log, retry} = dependencies;
	const client = dependencies.clientOf(account);
	if (!client) {
		throw new Error('No such account in the configuration');
	}

	const tag = accountTag(account);
	const isBot = createBotCheck(client, retry);
	for (;;) {
		const reader = await retryUntilAnswered(retry, () => client.getOwnUser({}, {signal: retry.signal}));
		const events = await openMessageEvents(client, retry);
		log.info({account: tag, queue: events.queueId}, 'polling for the messages of an account');
		const take = (received: Received) => takeMessage(received, {account, client, reader, isBot, dependencies});
		try {
			const {latest, earliest} = await inbox.begin(tag, events.newest);
			const missed = await readHistory(client, latest, retry);
			for (const received of missed.filter(found => isMissed(found, {latest, earliest}))) {
				await take(received);
			}

			await events.follow(take);
			log.warn({account: tag, queue: events.queueId}, 'an event queue expired; opening another');
		} catch (error) {
			// A queue that nobody reads is deleted by the service after ten minutes.
			await events.remove().catch(() => {});
			throw error;
		}
	}
}

/** A later edit may have added the mention. Such a message does not call the bot, as with webhooks. */
function isMissed({message}: Received, {latest, earliest}: {latest: number; earliest: number}): boolean {
	return message.id > latest || (message.id > earliest && message.last_edit_timestamp === undefined);
}

interface Taking {
	readonly account: AccountName;
	readonly client: Client;
	readonly reader: Reader;
	readonly isBot: (userId: number) => Promise<boolean>;
	readonly dependencies: PollDependencies;
}

async function takeMessage({message, flags}: Received, taking: Taking): Promise<void> {
	const {account, reader, isBot, dependencies} = taking;
	const {retry, inbox, deliver} = dependencies;
	retry.signal.throwIfAborted();
	const payload = payloadFromMessage(message, flags, {...reader, email: account.email});
	const tag = accountTag(account);
	if (!payload || (await inbox.isHandled(tag, message.id)) || (await isBot(message.sender_id))) {
		return;
	}

	await deliver(account, await withHtml(payload, taking));
	await inbox.markHandled(tag, message.id);
}

/** A mention by ID alone contains no name: the HTML shows who is meant. Without the HTML the bot sees the mention in its text. */
async function withHtml(payload: Payload, {client, dependencies: {retry}}: Taking): Promise<Payload> {
	if (!payload.data.includes('@**|')) {
		return payload;
	}

	const asked = {message_id: payload.message.id, apply_markdown: true};
	try {
		const {message} = await retryUntilAnswered(retry, () => client.getMessage(asked, {signal: retry.signal}));
		return {...payload, message: {...payload.message, rendered_content: message.content}};
	} catch (error) {
		if (error instanceof ApiError) {
			// The message was deleted since.
			return payload;
		}

		throw error;
	}
}

/**
 * Whether a user is a bot, which no message shows. A sender who is not in the list of users is one of the service's own
 * bots. Before feature level 384 the service lists all users instead of the one.
 */
function createBotCheck(client: Client, retry: RetryOptions): (userId: number) => Promise<boolean> {
	const known = new Map<number, boolean>();
	return async function isBot(userId) {
		if (!known.has(userId)) {
			const {signal} = retry;
			const {members} = await retryUntilAnswered(retry, () => client.getUsers({user_ids: [userId]}, {signal}));
			known.set(userId, true);
			for (const member of members) {
				known.set(member.user_id, member.is_bot);
			}
		}

		return known.get(userId) ?? true;
	};
}

function nextStep(error: unknown): string {
	if (error instanceof ApiError && error.status === 401) {
		return "check that `email`, `key` and `site` match the bot's zuliprc, and that the bot is active";
	}

	return 'retrying in half a minute';
}
