// Posts what a delivery has said outside of the webhook's answer: in sequence, each entry once.

import {randomUUID} from 'node:crypto';
import type {RedisStore} from './redis-store.js';
import {type DeliveryRef, sendId} from './ref.js';
import type {EntryState, StoredEntry} from './store.js';

/** How an attempt to post an entry ended. */
export type Posted =
	| {readonly kind: 'sent'; readonly messageId: number}
	/** The service said no, and will say so again. */
	| {readonly kind: 'refused'; readonly reason: string}
	/** It was certainly not carried out, and may be tried after a while. */
	| {readonly kind: 'later'; readonly delayMs: number}
	/** Nobody knows. */
	| {readonly kind: 'unknown'};

export interface OutboxWork {
	readonly store: RedisStore;
	now(): number;
	/** Posts an entry. The payload is undefined where it is no longer kept. */
	post(entry: StoredEntry, payload: string | undefined): Promise<Posted>;
	/** Looks for an entry that may have been posted: the id of its message, or whether it is not there or cannot be read. */
	look(entry: StoredEntry, payload: string | undefined): Promise<number | 'absent' | 'unreadable'>;
	/** Has the outbox worked again when an entry's time has come; asked twice, it does so once. */
	wakeLater(id: string, delayMs: number): Promise<void>;
}

/** What is left: milliseconds after which to come back, or nothing. */
export interface OutboxResult {
	readonly posted: number;
	readonly comeBackMs: number | undefined;
}

/** While another worker has the outbox. */
const LOCKED_MS = 500;

/** Long enough for a service to finish what it was doing when the connection broke. */
const UNKNOWN_MS = 10_000;

/** A sweep looks after an outbox whose job was lost, this long after its time. */
const SAFETY_MS = 5_000;

export async function workOutbox(ref: DeliveryRef, work: OutboxWork): Promise<OutboxResult> {
	const nonce = randomUUID();
	const opened = await work.store.openOutbox(ref, nonce);
	if (!opened) {
		return {posted: 0, comeBackMs: LOCKED_MS};
	}

	const {entries, payload} = opened;
	let posted = 0;
	let comeBackMs: number | undefined;
	let nextMs = Number.POSITIVE_INFINITY;
	const mark = (n: number, state: EntryState) => work.store.markEntry(ref, nonce, {n, state});

	for (const entry of entries) {
		if (entry.state !== 'waiting' && entry.state !== 'sending') {
			continue;
		}

		const waitMs = entry.dueAt - work.now();
		if (waitMs > 0) {
			nextMs = Math.min(nextMs, waitMs);
			await work.wakeLater(sendId(ref, entry.n), waitMs);
			continue;
		}

		const outcome = await postOnce(entry, {work, payload, mark});
		if (outcome === 'lost lock') {
			return {posted, comeBackMs: LOCKED_MS};
		}

		if (outcome === 'parked') {
			// Never twice outranks never lost: a person decides.
			await mark(entry.n, 'unknown');
		} else if (outcome.kind === 'sent') {
			posted++;
			await mark(entry.n, `sent ${outcome.messageId}`);
		} else if (outcome.kind === 'refused') {
			await mark(entry.n, `failed ${outcome.reason}`);
		} else {
			// What comes after it waits: an outbox is posted in sequence.
			if (outcome.kind === 'later') {
				await mark(entry.n, 'waiting');
			}

			comeBackMs = outcome.kind === 'later' ? outcome.delayMs : UNKNOWN_MS;
			break;
		}
	}

	await work.store.closeOutbox(ref, nonce, (comeBackMs ?? (Number.isFinite(nextMs) ? nextMs : 0)) + SAFETY_MS);
	return {posted, comeBackMs};
}

interface Attempt {
	readonly work: OutboxWork;
	readonly payload: string | undefined;
	mark(n: number, state: EntryState): Promise<boolean>;
}

async function postOnce(entry: StoredEntry, {work, payload, mark}: Attempt): Promise<Posted | 'lost lock' | 'parked'> {
	if (entry.mayBePosted || entry.state === 'sending') {
		const found = await work.look(entry, payload);
		if (found === 'unreadable') {
			return 'parked';
		}

		if (found !== 'absent') {
			return {kind: 'sent', messageId: found};
		}
	}

	// A worker that dies from here on leaves a state that makes the next one look first.
	return (await mark(entry.n, 'sending')) ? work.post(entry, payload) : 'lost lock';
}
