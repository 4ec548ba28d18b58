// What an operator decides about a send that failed or is unknown.

import type {DeliveryRef} from '../../delivery/ref.js';
import type {EntryState} from '../../outbox/entry-state.js';
import type {EntryRef, OutboxStore} from '../../outbox/store.js';

interface Settling {
	readonly outboxes: OutboxStore;
	/** Wakes a worker. */
	enqueue(ref: DeliveryRef): Promise<void>;
}

/** `sent 0` treats it as posted, `waiting` posts it again. If it needs no decision, returns its state. */
export async function settleSend(
	{outboxes, enqueue}: Settling,
	entry: EntryRef,
	state: 'waiting' | 'sent 0',
): Promise<'resolved' | EntryState | ''> {
	const outcome = await outboxes.resolve(entry, state);
	if (outcome === 'resolved') {
		await enqueue(entry.ref);
	}

	return outcome;
}
