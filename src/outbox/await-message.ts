// Waits for the outcome of a send.

import {setTimeout as sleep} from 'node:timers/promises';
import {ALWAYS_AVAILABLE, type Retry} from '../redis/availability.js';
import {readState} from './entry-state.js';
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
		const parts = readState(entry?.state ?? 'unknown');
		if (parts.kind === 'sent' && parts.messageId !== 0) {
			return parts.messageId;
		}

		if (parts.kind === 'failed' || parts.kind === 'unknown' || parts.kind === 'sent' || parts.kind === 'cancelled') {
			throw new Error(parts.kind === 'failed' ? `Not posted: ${parts.reason}` : 'It is unknown whether it was posted');
		}

		await sleep(pauseMs, undefined, {signal});
	}
}
