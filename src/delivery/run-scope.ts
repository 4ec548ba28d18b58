// What a run gives to the bot, and what it needs from its host.

import type {Availability, Retry} from '../redis/availability.js';
import type {Writer} from '../storage/values.js';
import type {Outbound} from './outbound.js';
import type {DeliveryRef} from './ref.js';
import type {Carried} from './store.js';

/** A run, as the bot and its host see it. */
export interface RunScope {
	/** Where the bot posts. */
	readonly say: Outbound;
	/** Aborts when the handler must stop. */
	readonly signal: AbortSignal;
	/** The run that all writes of the bot belong to. */
	readonly writer: Writer;
	/** Waits for Redis. For everything that the bot stores besides its posts. */
	readonly retry: Retry;
}

export interface RunHost {
	/** Identifies this process in leases. */
	readonly process: string;
	/** Tells the workers that an outbox has something to post. */
	enqueue(ref: DeliveryRef): Promise<void>;
	/** Steps that wait while Redis is away. Default: no step waits, and each runs once. */
	readonly availability?: Availability;
	/** No connection carries the answer of a run that was recorded as inline. */
	answerLost?(carried: Carried): void;
	/** A monotonic clock in milliseconds. Default: `performance.now`, and a timer checks all deadlines. */
	readonly elapsed?: () => number;
	readonly log: {
		info(fields: object, message: string): void;
		warn(fields: object, message: string): void;
		error(fields: object, message: string): void;
	};
}
