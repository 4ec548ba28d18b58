// Looks into the ledger across accounts.

import {isPending} from '../outbox/entry-state.js';
import type {RedisStore} from './redis-store.js';
import type {LedgerEntry, StoredEntry} from './store.js';

export const LEDGER_STATUSES = ['running', 'done', 'parked', 'flood', 'failed'] as const;

/** How a delivery stands, in one word. */
export type LedgerStatus = (typeof LEDGER_STATUSES)[number];

/** `failed` is what is done and went wrong: the bot threw, or something that it said could not be posted. */
export function statusOf({status, error, outbox}: LedgerEntry): LedgerStatus {
	const hasFailed = error !== undefined || outbox.some(isLost);
	return status === 'done' && hasFailed ? 'failed' : status;
}

/** What was said and is not to be seen, so far as anybody knows. */
export function isLost({state}: StoredEntry): boolean {
	return state.startsWith('failed') || state === 'unknown';
}

/** Whether something may still happen to it. */
export function isOpen({status, outbox}: LedgerEntry): boolean {
	return status === 'running' || outbox.some(({state}) => isPending(state));
}

export interface Search {
	/** Tags of accounts. */
	readonly accounts: readonly string[];
	/** Milliseconds since 1970. */
	readonly since: number;
	/** The latest so many. */
	readonly limit: number;
	readonly status?: LedgerStatus | undefined;
}

/** Read at once while searching. */
const PAGE = 200;

/** The latest deliveries that fit, in order of arrival. */
export async function searchLedger(store: RedisStore, search: Search): Promise<LedgerEntry[]> {
	const found = await Promise.all(search.accounts.map(account => searchAccount(store, account, search)));
	return found
		.flat()
		.toSorted((a, b) => a.arrivedAt - b.arrivedAt)
		.slice(-search.limit);
}

async function searchAccount(
	store: RedisStore,
	account: string,
	{since, limit, status}: Search,
): Promise<LedgerEntry[]> {
	const found: LedgerEntry[] = [];
	const pageSize = status ? PAGE : Math.min(PAGE, limit);
	for (let skip = 0; found.length < limit; skip += pageSize) {
		const page = await store.list(account, {since, limit: pageSize, skip});
		if (page.length === 0) {
			break;
		}

		found.push(...page.filter(entry => status === undefined || statusOf(entry) === status));
	}

	return found.slice(0, limit);
}
