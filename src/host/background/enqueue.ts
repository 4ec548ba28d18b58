// Enqueues a job for a delivery.

import type {z} from '../../api/zod.js';
import type {Account} from '../../config/accounts.js';
import type {DeliveryRef} from '../../delivery/ref.js';
import type {backgroundDeliveries} from '../../queue/background-deliveries.js';
import type {AddOptions, OpenQueue} from '../../queue/define-queue.js';
import {onceAMinute} from '../../queue/once-a-minute.js';
import type {sends} from '../../queue/sends.js';
import {accountTag} from '../../redis/account-key.js';
import type {Host} from '../connections.js';

/** If enqueueing fails, the sweep finds the outbox later. */
export function enqueueOrWarn(log: Host['log'], enqueue: (ref: DeliveryRef) => Promise<void>) {
	const isNew = onceAMinute();
	return (ref: DeliveryRef) =>
		enqueue(ref).catch((error: Error) => {
			if (isNew(ref.account)) {
				log.warn({delivery: ref.id, reason: error.message}, 'could not enqueue an outbox; the sweep will');
			}
		});
}

/** Adds a job for a delivery to a queue. */
export function createEnqueue<Data extends typeof sends.schema | typeof backgroundDeliveries.schema>(
	queue: OpenQueue<Data>,
	accounts: readonly Account[],
) {
	const byTag = new Map(accounts.map(account => [accountTag(account), account]));
	return async function enqueue(ref: DeliveryRef, {deadHolder, ...options}: EnqueueOptions = {}): Promise<void> {
		const account = byTag.get(ref.account);
		if (account) {
			const {site, email} = account;
			// The job fits both queues: each schema drops unknown fields.
			const data = {v: 1, site, email, delivery: ref.id, deadHolder} as z.input<Data>;
			await queue.add(data, options);
		}
	};
}

interface EnqueueOptions extends AddOptions {
	readonly deadHolder?: string;
}
