// Waits for the outcome of a send.

import {setTimeout as sleep} from 'node:timers/promises';
import {ALWAYS_AVAILABLE, type Retry} from '../redis/availability.js';
import type {EntryRef, OutboxStore} from './store.js';

const FIRST_LOOK_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * The id of the message that an entry became.
 *
 * @throws Error if the send was refused or its outcome is unknown; the reason of `signal` if that fires first.
 */
export async function awaitMessage(
	outboxes: Pick<OutboxStore, 'read'>,
	{ref, n}: EntryRef,
	{signal, retry = ALWAYS_AVAILABLE.retry as Retry}: {readonly signal: AbortSignal; readonly retry?: Retry},
): Promise<number> {
	for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
		const entry = (await retry(() => outboxes.read(ref))).find(found => found.n === n);
		const [word, ...rest] = (entry?.state ?? 'unknown').split(' ');
		if (word === 'sent' && rest[0] !== '0') {
			return Number(rest[0]);
		}

		if (word === 'failed' || word === 'unknown' || word === 'sent' || word === 'cancelled') {
			throw new Error(word === 'failed' ? `Not posted: ${rest.join(' ')}` : 'It is unknown whether it was posted');
		}

		await sleep(pauseMs, undefined, {signal});
	}
}
