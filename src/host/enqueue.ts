// Has a delivery taken by a worker: the job says which.

import type {z} from 'zod';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import type {backgroundDeliveries} from '../queue/background-deliveries.js';
import type {AddOptions, OpenQueue} from '../queue/define-queue.js';
import type {sends} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import type {Host} from './connections.js';

/** A worker that could not be told of an outbox finds it in a sweep. */
export function enqueueOrWarn(log: Host['log'], enqueue: (ref: DeliveryRef) => Promise<void>) {
	return (ref: DeliveryRef) =>
		enqueue(ref).catch((error: Error) => {
			log.warn({delivery: ref.id, reason: error.message}, 'could not enqueue an outbox; the sweep will');
		});
}

/** Puts a delivery into a line of jobs. */
export function createEnqueue<Data extends typeof sends.schema | typeof backgroundDeliveries.schema>(
	queue: OpenQueue<Data>,
	accounts: readonly Account[],
) {
	const byTag = new Map(accounts.map(account => [accountTag(account), account]));
	return async function enqueue(ref: DeliveryRef, {deadHolder, ...options}: EnqueueOptions = {}): Promise<void> {
		const account = byTag.get(ref.account);
		if (account) {
			const {site, email} = account;
			// Both lines take this; the schema of each drops what it does not know.
			const data = {v: 1, site, email, delivery: ref.id, deadHolder} as z.input<Data>;
			await queue.add(data, options);
		}
	};
}

interface EnqueueOptions extends AddOptions {
	readonly deadHolder?: string;
}
