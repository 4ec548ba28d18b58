// Reads an account's messages as they come: polls an event queue, and reads the history for messages that no queue got.

import {type Event, Message} from '../api/index.js';
import {z} from '../api/zod.js';
import type {Client} from '../client/client.js';
import {ApiError, ResponseError} from '../client/errors.js';
import {type RetryOptions, retryUntilAnswered} from './retry.js';
import {SAME} from './scene.js';

/** A message as the account received it. */
export interface Received {
	readonly message: Message;
	readonly flags: readonly string[];
}

export interface MessageEvents {
	readonly queueId: string;
	/** The newest message when the queue was opened. -1 if there was none. */
	readonly newest: number;
	/** Passes on the events of the queue, one after the other. Resolves when the service no longer knows the queue. */
	follow(take: (event: Event) => Promise<void>): Promise<void>;
	/** Deletes the queue at the service, even if `signal` has fired. */
	remove(): Promise<void>;
}

/** Extra time beyond the service's own limit for a poll. */
const SLACK_MS = 10_000;

/** That limit in seconds, if the service does not name it. */
const LONGEST_POLL = 90;

/** Minimum time between the starts of two polls. Servers allow 200 a minute; an account that exceeds that may not send either. */
const BETWEEN_MS = 300;

const REMOVE_MS = 3_000;

/** The size of a page of history. */
const PAGE = 1_000;

/** How many messages before the last known one are read again. One of them may have become visible after it. */
const OVERLAP = 50;

export function openQueue(client: Client, retry: RetryOptions, eventTypes: readonly string[]) {
	return retryUntilAnswered(retry, () =>
		client.register(
			{
				event_types: [...eventTypes],
				// `realm` contains the time limit of a poll.
				fetch_event_types: ['message', 'realm'],
				client_capabilities: {notification_settings_null: true, empty_topic_name: true},
				...SAME,
			},
			{signal: retry.signal},
		),
	);
}

export async function openMessageEvents(
	client: Client,
	retry: RetryOptions,
	eventTypes: readonly string[] = ['message'],
): Promise<MessageEvents> {
	const {signal, sleep} = retry;
	const queue = await openQueue(client, retry, eventTypes);
	const queueId = queue.queue_id;
	const timeoutMs = (queue.event_queue_longpoll_timeout_seconds ?? LONGEST_POLL) * 1000 + SLACK_MS;

	async function poll(last: number) {
		try {
			return await retryUntilAnswered(retry, before =>
				client.getEvents(
					// After a server error, the next poll should return at once.
					{queue_id: queueId, last_event_id: last, dont_block: before instanceof ResponseError},
					{signal, timeoutMs},
				),
			);
		} catch (error) {
			if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
				return undefined;
			}

			throw error;
		}
	}

	return {
		queueId,
		newest: queue.max_message_id ?? -1,
		async follow(take) {
			let last = queue.last_event_id;
			for (;;) {
				const askedAt = performance.now();
				const answer = await poll(last);
				if (!answer) {
					return;
				}

				for (const event of answer.events) {
					signal.throwIfAborted();
					await take(event);
					// A heartbeat counts too.
					last = event.id;
				}

				await sleep(Math.max(0, askedAt + BETWEEN_MS - performance.now()), signal);
			}
		},
		async remove() {
			await client.deleteQueue({queue_id: queueId}, {timeoutMs: REMOVE_MS});
		},
	};
}

const MessageEvent = z.looseObject({message: Message, flags: z.array(z.string()).default([])});

export function readMessage(event: object): Received {
	const {data, error} = MessageEvent.safeParse(event);
	if (!data) {
		const issue = error.issues[0];
		throw new ResponseError('getEvents', 200, `message event: ${issue?.path.join('.')}: ${issue?.message}`);
	}

	return data;
}

/** Messages that call a bot. */
export const CALLS: readonly Narrow[] = [[['is', 'mentioned']], [['is', 'dm']]];

export type Narrow = [string, string][];

/** Messages that may call the account, or all, from a few before `latest` to the newest, in order. */
export async function readHistory(
	client: Client,
	latest: number,
	retry: RetryOptions,
	{perPage = PAGE, isAll = false}: {perPage?: number; isAll?: boolean} = {},
): Promise<readonly Received[]> {
	const found = new Map<number, Received>();
	for (const narrow of isAll ? [[]] : CALLS) {
		for await (const message of pages(client, {narrow, latest, perPage}, retry)) {
			found.set(message.id, {message, flags: message.flags ?? []});
		}
	}

	return [...found.values()].toSorted((a, b) => a.message.id - b.message.id);
}

async function* pages(
	client: Client,
	{narrow, latest, perPage}: {narrow: Narrow; latest: number; perPage: number},
	retry: RetryOptions,
) {
	let anchor = latest;
	for (;;) {
		const isFirst = anchor === latest;
		const asked = {
			anchor,
			include_anchor: isFirst,
			num_before: isFirst ? OVERLAP : 0,
			num_after: perPage,
			narrow,
			allow_empty_topic_name: true,
			...SAME,
		};
		const {signal} = retry;
		const page = await retryUntilAnswered(retry, () => client.getMessages(asked, {signal}));
		yield* page.messages;
		const last = page.messages.at(-1)?.id ?? anchor;
		if (page.found_newest === true || last <= anchor) {
			return;
		}

		anchor = last;
	}
}
