// Identifies a delivery: if the service posts the same payload again, it is the same delivery.

import {hash} from 'node:crypto';
import type {Payload} from '../api/index.js';
import {accountTag} from '../redis/account-key.js';

/** One delivery of one bot account. */
export interface DeliveryRef {
	/** Site and email of the account; deliveries of one account share a slot of a Redis Cluster. */
	readonly account: string;
	/** Message id and a fingerprint of sender, time and text. */
	readonly id: string;
}

/**
 * The service gives a delivery no id. A message id alone is not enough: a realm that was reset starts at one again.
 */
export function deliveryRef(account: {site: string; email: string}, {message, data}: Payload): DeliveryRef {
	const fingerprint = hash('sha1', `${message.sender_id} ${message.timestamp} ${data}`).slice(0, 12);
	return {account: accountTag(account), id: `${message.id}-${fingerprint}`};
}

/** The n of a `sendId`. */
export function numberOf(send: string): number {
	return Number(send.split('-').at(-1));
}

/** A short ID of the n-th send of a delivery. It is the same in every rerun, and valid as the ID of a job. */
export function sendId({account, id}: DeliveryRef, n: number): string {
	return `${hash('sha1', `${account} ${id}`).slice(0, 20)}-${n}`;
}
