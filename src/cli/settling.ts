// Says whether Redis has been there long enough for the holders of deliveries to say that they live: whoever looks for
// lapsed leases sooner would take for dead who only could not be heard.

import {LEASE_MS} from '../delivery/store.js';

export interface SettlingOptions {
	/** Resolves when Redis answers. */
	ping(): Promise<unknown>;
	/** How long holders get. Default: one lease. */
	readonly settleMs?: number;
}

export interface Settling {
	isSettled(): boolean;
	/** Redis was away and has come back. */
	restart(): void;
	stop(): void;
}

const PING_EVERY_MS = 500;

/** A Redis that takes longer is as good as away: receivers give up after half a second. */
const SLOW_MS = 1_000;

export function watchSettling({ping, settleMs = LEASE_MS}: SettlingOptions): Settling {
	let settledAt = performance.now() + settleMs;
	let askedAt: number | undefined;
	const restart = () => {
		settledAt = performance.now() + settleMs;
	};
	const isSlow = () => askedAt !== undefined && performance.now() - askedAt > SLOW_MS;
	const timer = setInterval(async () => {
		if (askedAt !== undefined) {
			return;
		}

		askedAt = performance.now();
		const isAway = await ping().then(
			() => false,
			() => true,
		);
		if (isAway || isSlow()) {
			restart();
		}

		askedAt = undefined;
	}, PING_EVERY_MS);
	timer.unref();

	return {
		// One that stands still says nothing of it; that nothing comes back does.
		isSettled: () => !isSlow() && performance.now() >= settledAt,
		restart,
		stop: () => clearInterval(timer),
	};
}
