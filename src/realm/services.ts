// What the realm's parts hand each other.

import type {Clock} from './clock.js';
import type {EventQueues} from './events/queues.js';
import type {Store} from './store/store.js';
import type {Trouble} from './trouble/trouble.js';

/** One thing that happened, for the log. Never holds keys, tokens or the text of messages. */
export interface LogLine {
	readonly event: 'request' | 'error' | 'webhook';
	readonly [detail: string]: unknown;
}

export interface Services {
	readonly store: Store;
	readonly clock: Clock;
	readonly queues: EventQueues;
	readonly trouble: Trouble;
	readonly log: (line: LogLine) => void;
	readonly version: string;
	readonly featureLevel: number;
	/** When the realm was started, in UNIX seconds. */
	readonly generation: number;
	/** How often clients are asked to say that they are here. */
	readonly presencePingSeconds: number;
	/** Whether those without login see what is public. */
	readonly publicAccess: boolean;
	/** Base URL of the organization. */
	readonly site: string;
	/** Says that an outgoing webhook was put in line. */
	readonly wakeWebhooks: () => void;
	/** Says that a message was scheduled, or that one was changed. */
	readonly wakeDeliverer: () => void;
	/** Says that a channel keeps its messages for another time than before. */
	readonly wakeExpiry: () => void;
}
