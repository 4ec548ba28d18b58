// Puts the text of a recurring message into its outbox.

import type {DeliveryRef} from '../delivery/ref.js';
import {isPending} from '../outbox/entry-state.js';
import type {OutboxStore} from '../outbox/store.js';

interface CronText {
	readonly target: string;
	readonly text: string;
	readonly widget?: string | undefined;
	/** The due time, milliseconds since 1970. */
	readonly planned: number;
	/** A person asked for it before its time. */
	readonly byHand?: true;
}

/** False while the text of the previous due time is not posted yet. */
export async function putCronText(
	ref: DeliveryRef,
	{target, text, widget, planned, byHand}: CronText,
	{outboxes, enqueue}: {readonly outboxes: OutboxStore; enqueue(ref: DeliveryRef): Promise<void>},
): Promise<boolean> {
	const n = Math.floor(planned / 1000);
	const entries = await outboxes.read(ref);
	if (entries.some(entry => entry.n !== n && isPending(entry.state))) {
		return false;
	}

	await outboxes.put(ref, {
		n,
		kind: 'send',
		target,
		text,
		dueAt: 0,
		mayBePosted: false,
		...(widget !== undefined && {widget}),
		...(byHand && {byHand}),
	});
	await outboxes.trim(ref);
	await enqueue(ref);
	return true;
}
