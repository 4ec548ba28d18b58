// The ledger in Redis: what was stored of each delivery, latest first.

import type {Cluster, Redis} from 'ioredis';
import {readEntries} from '../outbox/store.js';
import {accountKey} from '../redis/account-key.js';
import type {DeliveryRef} from './ref.js';
import type {LedgerEntry, Status} from './store.js';
import {type TrimOptions, trimAccount} from './trim.js';

export interface RedisLedger {
	/** One delivery as the ledger shows it. */
	read(ref: DeliveryRef): Promise<LedgerEntry | undefined>;
	/** The delivery whose error has this reference, which people read in an apology. */
	findReference(account: string, reference: string): Promise<DeliveryRef | undefined>;
	/** A page of the ledger, latest first. */
	list(account: string, options: {since: number; limit: number; skip?: number}): Promise<LedgerEntry[]>;
	/** Drops what the ledger no longer needs. False if another process did so a short while ago. */
	trim(account: string, options: TrimOptions): Promise<boolean>;
}

export function createRedisLedger(redis: Redis | Cluster): RedisLedger {
	async function read(ref: DeliveryRef): Promise<LedgerEntry | undefined> {
		const [fields, entries] = await Promise.all([
			redis.hgetall(accountKey(redis, ref.account, `delivery:${ref.id}`)),
			redis.hgetall(accountKey(redis, ref.account, `outbox:${ref.id}`)),
		]);
		return readLedgerEntry(ref, fields, entries);
	}

	return {
		read,
		async findReference(account, reference) {
			const id = await redis.get(accountKey(redis, account, `reference:${reference.toLowerCase()}`));
			return id === null ? undefined : {account, id};
		},
		async list(account, {since, limit, skip = 0}) {
			const ids = await redis.zrevrangebyscore(
				accountKey(redis, account, 'ledger'),
				'+inf',
				since,
				'LIMIT',
				skip,
				limit,
			);
			const found = await Promise.all(ids.map(id => read({account, id})));
			return found.filter(entry => entry !== undefined);
		},
		trim: (account, options) => trimAccount(redis, account, options),
	};
}

function readLedgerEntry(
	ref: DeliveryRef,
	fields: Record<string, string>,
	outbox: Record<string, string>,
): LedgerEntry | undefined {
	if (fields.v !== '1') {
		return undefined;
	}

	return {
		ref,
		// Only the scripts write these.
		status: fields.status as Status,
		decision: fields.decision as LedgerEntry['decision'],
		runs: Number(fields.run),
		stops: Number(fields.stops ?? 0),
		isHeld: fields.held !== undefined,
		arrivedAt: Number(fields.at),
		endedAt: fields.end === undefined ? undefined : Number(fields.end),
		work: fields.work,
		answer: fields.answer,
		error: fields.error,
		outbox: readEntries(outbox),
	};
}
