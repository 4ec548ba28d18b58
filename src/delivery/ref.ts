// Which delivery is meant: the same payload posted again is the same delivery.

import {hash} from 'node:crypto';
import type {Payload} from '../api/index.js';

/** One delivery of one bot account. */
export interface DeliveryRef {
	/** Site and email of the account; deliveries of one account share a slot of a Redis Cluster. */
	readonly account: string;
	/** Message id and a fingerprint of sender, time and text. */
	readonly id: string;
}

/** What keys of an account are tagged with. */
export function accountTag({site, email}: {site: string; email: string}): string {
	return `${site}|${email.toLowerCase()}`;
}

/** The account in braces: all of its keys share a slot, whichever script asks. */
export function accountKey(account: string, what: string): string {
	return `bothy:{${account}}:${what}`;
}

/**
 * The service gives a delivery no id. A message id alone will not do: a realm that was reset counts from one again.
 */
export function deliveryRef(account: {site: string; email: string}, {message, data}: Payload): DeliveryRef {
	const fingerprint = hash('sha1', `${message.sender_id} ${message.timestamp} ${data}`).slice(0, 12);
	return {account: accountTag(account), id: `${message.id}-${fingerprint}`};
}

/** A short id of the n-th send of a delivery: fit for a job, the same on every rerun. */
export function sendId({account, id}: DeliveryRef, n: number): string {
	return `${hash('sha1', `${account} ${id}`).slice(0, 20)}-${n}`;
}
