// Moves the time of realm and host together, and finds out when they are idle.

import {setTimeout as sleep} from 'node:timers/promises';
import type {OpenRealm} from '../realm/index.js';
import type {Feed} from './event-feed.js';
import type {TestHost} from './host.js';

/**
 * How long to wait for a handler that waits for something outside the kit, in turns of real milliseconds. After that, the handler
 * is assumed to wait for time to pass. Longer at the start and the end of a wait than between two due times.
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

	async function idle(): Promise<void> {
		do {
			clock.advance(0);
			await Promise.all([...speaking, realm.webhooksDone(), host.idle()]);
		} while (host.isBusy() || host.isRunning() || (await feed.pump()));
	}

	/** Waits until everything is idle, or gives up after some turns: a handler may wait for something outside the kit. */
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
		/** Runs everything at its due time, in order. */
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
