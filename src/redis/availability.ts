// Whether Redis accepts writes, and the steps that wait until it does.

import {setTimeout as sleep} from 'node:timers/promises';
import {Semaphore} from '../semaphore.js';

/** Redis did not answer for as long as this step could wait. Redis may still run the step later. */
export class StoreUnavailable extends Error {
	override name = 'StoreUnavailable' as const;
	readonly code = 'store-unavailable';

	constructor() {
		super('Redis did not answer before the time of this handler was over. Try again later.');
	}
}

export interface Availability {
	/** True from the first step that Redis did not answer until Redis accepts a write again. */
	readonly isAway: boolean;
	/** Runs a step once. Undefined if Redis is away or does not answer. */
	attempt<Result>(step: () => Promise<Result>): Promise<Result | undefined>;
	/**
	 * Runs a step that is safe to repeat. While Redis is away it waits, and then repeats the step.
	 *
	 * @throws StoreUnavailable as soon as `isOver` is true; the step's own error if Redis did answer.
	 */
	retry<Result>(step: () => Promise<Result>, isOver: () => boolean): Promise<Result>;
	close(): void;
}

/** Runs a repeatable step of a run. While Redis is away it waits, at most until the run is over. */
export type Retry = <Result>(step: () => Promise<Result>) => Promise<Result>;

export interface AvailabilityOptions {
	/** Resolves when Redis accepts a write. Rejects, or takes long, while it does not. */
	probe(): Promise<unknown>;
	readonly log: {warn(fields: object, message: string): void; info(fields: object, message: string): void};
}

const PROBE_EVERY_MS = 100;

/** How often a waiting step checks whether Redis is back or its own time is over. */
const LOOK_MS = 50;

/** How many waiting steps run at a time. If all ran at once, none would be answered in time. */
const AT_ONCE = 64;

const CURE = 'check that Redis runs and that its disk has room; `bothy doctor` says more';

export function createAvailability({probe, log}: AvailabilityOptions): Availability {
	let isAway = false;
	let isClosed = false;
	let looking: Promise<void> | undefined;
	const waiting = new Semaphore(AT_ONCE);

	function leave(error: unknown): void {
		if (!isAway) {
			isAway = true;
			log.warn({reason: reasonOf(error), cure: CURE}, 'Redis does not answer; deliveries wait for it');
			void waitUntilBack();
		}
	}

	async function waitUntilBack(): Promise<void> {
		const since = performance.now();
		for (;;) {
			await sleep(PROBE_EVERY_MS, undefined, {ref: false});
			if (isClosed || (await succeeds(probe()))) {
				break;
			}
		}

		isAway = false;
		log.info({awayMs: Math.round(performance.now() - since)}, 'Redis answers again');
	}

	/** Wrapped, because a step may return undefined. */
	async function attempt<Result>(step: () => Promise<Result>): Promise<{readonly result: Result} | undefined> {
		try {
			return isAway ? undefined : {result: await step()};
		} catch (error) {
			if (!isOutage(error)) {
				throw error;
			}

			leave(error);
			return undefined;
		}
	}

	/** One timer for all waiting steps. */
	function look(): Promise<void> {
		looking ??= sleep(LOOK_MS, undefined, {ref: false}).then(() => {
			looking = undefined;
		});
		return looking;
	}

	return {
		get isAway() {
			return isAway;
		},
		async attempt(step) {
			return (await attempt(step))?.result;
		},
		async retry(step, isOver) {
			for (let done = await attempt(step); ; done = await waiting.run(() => attempt(step))) {
				if (done) {
					return done.result;
				}

				if (isOver()) {
					throw new StoreUnavailable();
				}

				await look();
			}
		},
		close() {
			isClosed = true;
		},
	};
}

/** For a store that is always available. */
export const ALWAYS_AVAILABLE: Availability = {
	isAway: false,
	attempt: step => step(),
	retry: step => step(),
	close() {},
};

async function succeeds(promise: Promise<unknown>): Promise<boolean> {
	try {
		await promise;
		return true;
	} catch {
		return false;
	}
}

function reasonOf(error: unknown): string {
	// ioredis names an option of its own when it has no connection.
	if (error instanceof Error && /enableOfflineQueue|maxRetriesPerRequest/.test(error.message)) {
		return 'not connected';
	}

	return error instanceof Error ? error.message : String(error);
}

/**
 * Refusals of a Redis that answers but cannot work: it is starting, failing over, full or unable to write. Before
 * version 7, refusals of a script follow a colon.
 */
const CANNOT_WORK = /(^|: -)(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)/;

/** Messages of ioredis when no answer came. It has no class for most of these. */
const NO_ANSWER =
	/^(Command (timed out|aborted)|Connection |Stream isn't writeable|Socket |All sentinels|None of startup nodes|Cluster |Too many Cluster|Node is disconnected|Failed to refresh|Reached the max retries|timeout|(connect|read|write) E[A-Z]+)/;

/** Any other error is our own bug, or a real refusal. */
export function isOutage(error: unknown): error is Error {
	if (!(error instanceof Error)) {
		return false;
	}

	return (
		(error.name === 'ReplyError' ? CANNOT_WORK : NO_ANSWER).test(error.message) ||
		error.name === 'ClusterAllFailedError'
	);
}
