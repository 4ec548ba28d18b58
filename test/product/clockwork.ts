// Lets time pass for a house, from one due time to the next, and finds out when nothing is under way.

import {setTimeout as sleep} from 'node:timers/promises';
import {accountTag} from '../../src/delivery/ref.js';
import type {House, Organization} from './house.js';
import {look} from './redis-state.js';

/** Between looks at what other processes do, and at what a worker does every second. */
const LOOK_MS = 10;
const LOOK_AT_CRONS_MS = 100;

/** What comes every so often is done this long before the end of a wait, so that what follows from it is done by then. */
const BEFORE_END_MS = 1_000;

export interface ClockworkOptions {
	readonly house: House;
	readonly organization: Organization;
	/** Messages on their way to the realm. */
	readonly speaking: ReadonlySet<Promise<unknown>>;
}

export function createClockwork({house, organization: {realm, account}, speaking}: ClockworkOptions) {
	const {clock} = realm.services;
	const state = () => look(house.redis, accountTag(account), house.now());

	/** Resolves when nothing is under way, and nothing follows soon. A handler that waits for time to pass waits for ever. */
	async function idle(): Promise<void> {
		// A webhook that was under way at the first look may have given the others work.
		for (let idleLooks = 0; idleLooks < 2; ) {
			clock.advance(0);
			await Promise.all([...speaking, realm.webhooksDone()]);
			const {isBusy, soon} = await state();
			idleLooks = isBusy || soon !== undefined ? 0 : idleLooks + 1;
			if (isBusy) {
				await sleep(LOOK_MS);
			} else if (soon !== undefined) {
				await house.jump(soon);
			}
		}
	}

	async function cronsKept(): Promise<void> {
		while (!(await house.areCronsKept())) {
			await sleep(LOOK_AT_CRONS_MS);
		}
	}

	async function advanceTo(time: number): Promise<void> {
		await house.jump(Math.max(house.now(), time));
		await idle();
	}

	return {
		idle,
		/** What becomes due is done at its time, one after the other. */
		async waitUntil(end: number): Promise<void> {
			for (;;) {
				await idle();
				await cronsKept();
				const {next} = await state();
				if (next > end) {
					break;
				}

				await house.jump(next);
			}

			await advanceTo(end - BEFORE_END_MS);
			await advanceTo(end);
		},
	};
}
