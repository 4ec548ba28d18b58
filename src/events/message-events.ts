// Reads an account's messages as they come: an event queue that is polled, and the history for what no queue told.

import {z} from 'zod';
import {Message} from '../api/index.js';
import type {Client} from '../client/client.js';
import {ApiError, ResponseError} from '../client/errors.js';
import {type RetryOptions, retryUntilAnswered} from './retry.js';

/** A message as its reader got it. */
export interface Received {
	readonly message: Message;
	readonly flags: readonly string[];
}

export interface MessageEvents {
	readonly queueId: string;
	/** The newest message that was there when the queue was opened; -1 when there was none. */
	readonly newest: number;
	/** Takes the messages of the queue, one after the other; resolves when the service does not know it any more. */
	follow(take: (received: Received) => Promise<void>): Promise<void>;
	/** Has the service forget the queue, also when `signal` has fired. */
	remove(): Promise<void>;
}

/** Beyond the time for which the service holds a poll. */
const SLACK_MS = 10_000;

/** Where the service does not say how long that is, in seconds. */
const LONGEST_POLL = 90;

/** Between the beginnings of two polls: servers allow 200 in a minute, and who exceeds that may not send either. */
const BETWEEN_MS = 300;

const REMOVE_MS = 3_000;

/** As many as a page of history has. */
const PAGE = 1_000;

/** Messages before the last known one that are looked at again: one of them may have become visible after it. */
const OVERLAP = 50;

/** What both sources must give alike: Markdown, the topic as it is, and always an avatar, as webhooks have them. */
const SAME = {apply_markdown: false, client_gravatar: false};

export async function openMessageEvents(client: Client, retry: RetryOptions): Promise<MessageEvents> {
	const {signal, sleep} = retry;
	const queue = await retryUntilAnswered(retry, () =>
		client.register(
			{
				event_types: ['message'],
				// The latter names the time of a poll.
				fetch_event_types: ['message', 'realm'],
				client_capabilities: {notification_settings_null: true, empty_topic_name: true},
				...SAME,
			},
			{signal},
		),
	);
	const queueId = queue.queue_id;
	const timeoutMs = (queue.event_queue_longpoll_timeout_seconds ?? LONGEST_POLL) * 1000 + SLACK_MS;

	async function poll(last: number) {
		try {
			return await retryUntilAnswered(retry, before =>
				client.getEvents(
					// After a failure of the server's own it should answer at once.
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
					if (event.type === 'message') {
						await take(readMessage(event));
					}

					// A heartbeat counts as well.
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

function readMessage(event: object): Received {
	const {data, error} = MessageEvent.safeParse(event);
	if (!data) {
		const issue = error.issues[0];
		throw new ResponseError('getEvents', 200, `message event: ${issue?.path.join('.')}: ${issue?.message}`);
	}

	return data;
}

/** Messages that may call their reader, from a few before `latest` on to the newest, in order. */
export async function readHistory(
	client: Client,
	latest: number,
	retry: RetryOptions,
	perPage = PAGE,
): Promise<readonly Received[]> {
	const found = new Map<number, Received>();
	for (const what of ['mentioned', 'dm']) {
		for await (const message of pages(client, {what, latest, perPage}, retry)) {
			found.set(message.id, {message, flags: message.flags ?? []});
		}
	}

	return [...found.values()].toSorted((a, b) => a.message.id - b.message.id);
}

async function* pages(
	client: Client,
	{what, latest, perPage}: {what: string; latest: number; perPage: number},
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
			narrow: [['is', what]] as [string, string][],
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
