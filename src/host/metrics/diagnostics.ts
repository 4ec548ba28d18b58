// Events of a host, through node:diagnostics_channel. Metrics and an operator's tracing subscribe to them. Without a
// subscriber they cost almost nothing.

import {AsyncLocalStorage} from 'node:async_hooks';
import {channel} from 'node:diagnostics_channel';

/** Accounts are named by their section; times are in milliseconds. */
export interface Events {
	/** A run has ended, or a delivery was answered without a run. */
	readonly delivery: {
		readonly bot: string;
		readonly delivery: string;
		readonly trigger: string;
		readonly outcome: 'done' | 'failed' | 'flood' | 'parked' | 'repeat';
		/** How the answer goes out; `none` if there is no answer. */
		readonly answer: 'inline' | 'late' | 'none';
	};
	/** A webhook was answered. The time counts from its first byte. */
	readonly answer: {readonly bot: string; readonly ms: number};
	readonly handler: Work & {readonly bot: string; readonly trigger: string; readonly ms: number};
	/** A worker has ended a job for a delivery's outbox. */
	readonly job: Work & {readonly bot: string; readonly ms: number};
	/** An attempt of a call to the service has ended. `error` is the code of its error. */
	readonly call: Partial<Work> & {
		readonly bot: string;
		readonly operation: string;
		readonly ms: number;
		readonly error: string | undefined;
	};
	/** A webhook was refused. `bot` is empty if no account has the address. */
	readonly refusal: {readonly bot: string; readonly reason: 'unknown_bot' | 'wrong_token'};
	readonly send: {
		readonly bot: string;
		readonly delivery: string;
		readonly outcome: string;
		/** How late a scheduled message was posted. Undefined for other messages. */
		readonly lateMs: number | undefined;
	};
	/** The service answered 429. */
	readonly pause: {readonly bot: string; readonly ms: number};
	/** Somebody reads the metrics. Call `set` with the current values. */
	readonly collect: {set(name: 'waiting_room' | 'redis_up', value: number): void};
}

/** A handler or a job that is under way. */
export interface Work {
	readonly delivery: string;
	/** Unique in this process. */
	readonly work: number;
}

const works = new AsyncLocalStorage<Work>();
let count = 0;

/** Runs `act` as work for a delivery. Calls to the service inside it carry the work's IDs. `ended` gets the time that it took. */
export async function working<Result>(
	delivery: string,
	act: () => Promise<Result>,
	ended: (work: Work & {readonly ms: number}) => void,
): Promise<Result> {
	const work = {delivery, work: ++count};
	const since = performance.now();
	try {
		// Only the events of calls name their work. Node 20 slows down each promise once a store was entered.
		return await (channel('bothy:call').hasSubscribers ? works.run(work, act) : act());
	} finally {
		ended({ms: performance.now() - since, ...work});
	}
}

/** The work that the current code is part of. */
export function atWork(): Work | undefined {
	return works.getStore();
}

export function publish<Name extends keyof Events>(name: Name, event: Events[Name]): void {
	const target = channel(`bothy:${name}`);
	if (target.hasSubscribers) {
		target.publish(event);
	}
}

/** Subscribes; returns a function that unsubscribes. */
export function subscribe<Name extends keyof Events>(name: Name, act: (event: Events[Name]) => void): () => void {
	const target = channel(`bothy:${name}`);
	// Only `publish` above writes to these channels, so the type is right.
	const listener = (event: unknown) => act(event as Events[Name]);
	target.subscribe(listener);
	return () => target.unsubscribe(listener);
}
