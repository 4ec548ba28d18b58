// What a poller works with: the account, its calls to the service, and what is stored for it.

import type {Event} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {EventTrigger} from '../delivery/event-triggers.js';
import type {Work} from '../delivery/work.js';
import type {Inbox} from './inbox.js';
import type {KnownPeople} from './known-people.js';
import type {Reader} from './payload-from-message.js';
import type {RetryOptions} from './retry.js';

export interface Scene {
	/** The tag of the account in Redis. */
	readonly tag: string;
	readonly client: Client;
	readonly reader: Reader;
	readonly people: KnownPeople;
	readonly inbox: Omit<Inbox, 'hold' | 'release' | 'wanted' | 'want'>;
	readonly retry: RetryOptions;
	/** What the account's bot declares besides mentions and direct messages. */
	readonly wanted: readonly EventTrigger[];
	/** Resolves once the delivery is stored. The same work makes one delivery, however often it arrives. */
	deliver(work: Work): Promise<void>;
}

/** Turns one type of event into deliveries. */
export interface Watch {
	readonly eventType: string;
	/** Delivers what happened while nobody polled. Runs when a queue is open, before its events. */
	catchUp(): Promise<void>;
	take(event: Event): Promise<void>;
}

/** With these options, all sources give messages as webhooks do: Markdown, the original topic, and always an avatar. */
export const SAME = {apply_markdown: false, client_gravatar: false};
