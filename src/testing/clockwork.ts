// Lets time pass for realm and host together, and finds out when nothing is under way.

import {setTimeout as sleep} from 'node:timers/promises';
import type {OpenRealm} from '../realm/index.js';
import type {Feed} from './event-feed.js';
import type {TestHost} from './host.js';

/**
 * How long a handler that waits for something outside of the kit is waited for while time passes, in turns of so many real
 * milliseconds: then it is taken to wait for time. Longer before and after the wait than between two due times.
 */
const LONG = {turns: 25, turnMs: 4};
const SHORT = {turns: 5, turnMs: 1};

export interface ClockworkOptions {
	readonly realm: OpenRealm;
	readonly host: TestHost;
	/** Messages on their way to the realm. */
	readonly speaking: ReadonlySet<Promise<unknown>>;
	readonly feed: Feed;
}

export function createClockwork({realm, host, speaking, feed}: ClockworkOptions) {
	const {clock} = realm.services;

	/** Resolves when nothing is under way. */
	async function idle(): Promise<void> {
		do {
			clock.advance(0);
			await Promise.all([...speaking, realm.webhooksDone(), host.idle()]);
		} while (host.isBusy() || host.isRunning() || (await feed.pump()));
	}

	/** As far as it goes without more time: a handler may wait for something of its own. */
	async function idleOrHanging({turns, turnMs}: typeof LONG): Promise<void> {
		let isIdle = false;
		const idling = idle().then(() => {
			isIdle = true;
		});
		const hanging = async () => {
			for (let still = 0; still < turns && !isIdle; ) {
				await sleep(turnMs);
				still = host.isRunning() && !host.isBusy() ? still + 1 : 0;
			}
		};
		await Promise.race([idling, hanging()]);
	}

	function advanceTo(time: number): void {
		clock.advance(Math.max(0, time - clock.now()));
	}

	return {
		idle,
		/** What becomes due is done at its time, one after the other. */
		async waitUntil(end: number): Promise<void> {
			await idleOrHanging(LONG);
			for (;;) {
				const next = Math.min(host.next(), clock.next);
				if (next > end) {
					break;
				}

				advanceTo(next);
				host.work();
				await idleOrHanging(SHORT);
			}

			advanceTo(end);
			host.lookAtDrafts();
			await idleOrHanging(LONG);
		},
	};
}
