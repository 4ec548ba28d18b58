// Polls for the events of the bot's account, whenever the test kit waits for what follows: the same code as in a worker, but
// no poll blocks.

import type {Event} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {EventTrigger} from '../delivery/event-triggers.js';
import type {Work} from '../delivery/work.js';
import {createKnownPeople} from '../events/known-people.js';
import {openQueue} from '../events/message-events.js';
import {sleepByTimer} from '../events/retry.js';
import {createTaker} from '../events/taker.js';
import {createMemoryInbox} from './memory-inbox.js';

export interface FeedOptions {
	readonly client: Client;
	readonly wanted: readonly EventTrigger[];
	readonly log: {info(fields: object): void; warn(fields: object): void; error(fields: object): void};
	deliver(work: Work): Promise<void>;
}

export interface Feed {
	/** Takes what has happened. Resolves to false if nothing has. */
	pump(): Promise<boolean>;
}

/** For a bot whose account gets webhooks. */
export const NO_FEED: Feed = {pump: async () => false};

export async function openFeed({client, wanted, log, deliver}: FeedOptions): Promise<Feed> {
	const tag = client.email;
	const retry = {signal: new AbortController().signal, log, account: tag, sleep: sleepByTimer};
	const reader = {...(await client.getOwnUser()), email: client.email};
	const people = createKnownPeople(client, retry);
	const taker = createTaker({tag, client, reader, people, inbox: createMemoryInbox(), retry, wanted, deliver});
	const queue = await openQueue(client, retry, taker.eventTypes);
	await taker.catchUp(queue.max_message_id ?? -1);
	let last = queue.last_event_id;

	return {
		async pump() {
			const {events} = await client.getEvents({queue_id: queue.queue_id, last_event_id: last, dont_block: true});
			for (const event of events as Event[]) {
				await taker.take(event);
				last = event.id;
			}

			return events.length > 0;
		},
	};
}
