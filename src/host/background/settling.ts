// Says whether Redis has been back for one lease. Until then, a process that is alive may not have renewed its lease yet, so
// an expired lease proves nothing.

import {LEASE_MS} from '../../delivery/store.js';

export interface SettlingOptions {
	/** Resolves when Redis answers. */
	ping(): Promise<unknown>;
	/** How long holders get to renew their leases. Default: one lease. */
	readonly settleMs?: number;
	/** A monotonic clock, in milliseconds. */
	readonly now?: () => number;
	/** Repeats something; returns a function that stops it. */
	readonly every?: (ms: number, act: () => void) => () => void;
}

export interface Settling {
	isSettled(): boolean;
	/** Call it when Redis answers again. */
	restart(): void;
	stop(): void;
}

const PING_EVERY_MS = 2_000;

/** A slower Redis counts as away: commands fail after two seconds. */
const SLOW_MS = 1_000;

export function watchSettling(options: SettlingOptions): Settling {
	const {ping, settleMs = LEASE_MS, now = () => performance.now(), every = keepDoing} = options;
	let settledAt = now() + settleMs;
	let askedAt: number | undefined;
	const restart = () => {
		settledAt = now() + settleMs;
	};
	const isSlow = () => askedAt !== undefined && now() - askedAt > SLOW_MS;
	const stop = every(PING_EVERY_MS, async () => {
		if (askedAt !== undefined) {
			return;
		}

		askedAt = now();
		const isAway = await ping().then(
			() => false,
			() => true,
		);
		if (isAway || isSlow()) {
			restart();
		}

		askedAt = undefined;
	});

	return {
		// A frozen Redis gives no error, only no answer.
		isSettled: () => !isSlow() && now() >= settledAt,
		restart,
		stop,
	};
}

function keepDoing(ms: number, act: () => void): () => void {
	const timer = setInterval(act, ms).unref();
	return () => clearInterval(timer);
}
