// The services that the realm's parts share.

import type {Clock} from './clock.js';
import type {EventQueues} from './events/queues.js';
import type {Recorder} from './exchanges/recorder.js';
import type {Store} from './store/store.js';
import type {Trouble} from './trouble/trouble.js';

/** An event for the log. Never contains keys, tokens or the text of messages. */
export interface LogLine {
	readonly event: 'request' | 'error' | 'webhook';
	readonly [detail: string]: unknown;
}

export interface Services {
	readonly store: Store;
	readonly clock: Clock;
	readonly queues: EventQueues;
	readonly trouble: Trouble;
	readonly exchanges: Recorder;
	readonly log: (line: LogLine) => void;
	readonly version: string;
	readonly featureLevel: number;
	/** When the realm was started, in UNIX seconds. */
	readonly generation: number;
	/** How often clients are asked to report presence. */
	readonly presencePingSeconds: number;
	/** Whether callers without login can read web-public content. */
	readonly publicAccess: boolean;
	/** Base URL of the organization. */
	readonly site: string;
	/** Call it when a webhook was enqueued. */
	readonly wakeWebhooks: () => void;
	/** Call it when a scheduled message was created or changed. */
	readonly wakeDeliverer: () => void;
	/** Call it when the retention of a channel has changed. */
	readonly wakeExpiry: () => void;
}
