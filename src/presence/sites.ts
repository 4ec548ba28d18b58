// What a process knows of the sites: their ping intervals, their queues, and whether they answer.

import {ApiError} from '../client/errors.js';
import {Semaphore} from '../semaphore.js';

export interface Site {
	readonly line: Semaphore;
	/** Whether the last ping got no answer. */
	isAway: boolean;
	/** The service's ping interval. Calls `ask` once an hour, which throws what the client throws. */
	intervalMs(ask: () => Promise<number>): Promise<number>;
}

/** The default of services. */
const USUAL_INTERVAL_MS = 60_000;

const ASKED_EVERY_MS = 3_600_000;

/** Delay after an outage. A refusal concerns only the account that asked. */
const ASKED_AGAIN_MS = 60_000;

/** Concurrent calls to one site. */
const AT_ONCE = 20;

export function createSites(now: () => number): (url: string) => Site {
	const sites = new Map<string, Site>();
	return function siteOf(url) {
		const site = sites.get(url) ?? {line: new Semaphore(AT_ONCE), isAway: false, intervalMs: cacheInterval(now)};
		sites.set(url, site);
		return site;
	};
}

function cacheInterval(now: () => number): Site['intervalMs'] {
	let asked: Promise<number> | undefined;
	let askAgainAt = 0;
	let last = USUAL_INTERVAL_MS;

	return function intervalMs(ask) {
		if (asked === undefined || now() >= askAgainAt) {
			askAgainAt = now() + ASKED_EVERY_MS;
			asked = ask().then(
				found => {
					last = found;
					return found;
				},
				(error: unknown) => {
					askAgainAt = error instanceof ApiError ? 0 : now() + ASKED_AGAIN_MS;
					return last;
				},
			);
		}

		return asked;
	};
}
