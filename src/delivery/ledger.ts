// Searches the ledger across accounts.

import {isPending, isUnsettled} from '../outbox/entry-state.js';
import type {RedisStore} from './redis-store.js';
import type {LedgerEntry, StoredEntry} from './store.js';

export const LEDGER_STATUSES = ['running', 'held', 'done', 'parked', 'flood', 'failed'] as const;

/** The state of a delivery, in one word. */
export type LedgerStatus = (typeof LEDGER_STATUSES)[number];

export function statusOf(entry: LedgerEntry): LedgerStatus {
	return statusWord(entry, entry.error !== undefined || entry.outbox.some(isLost));
}

/** `failed`: done, but the bot threw or something that it sent could not be posted. `held`: its bot is paused. */
export function statusWord({status, isHeld}: Pick<LedgerEntry, 'status' | 'isHeld'>, hasFailed: boolean): LedgerStatus {
	if (isHeld && status === 'running') {
		return 'held';
	}

	return status === 'done' && hasFailed ? 'failed' : status;
}

/** Posts that are not visible, as far as Bothy knows. */
export function isLost({state}: StoredEntry): boolean {
	return isUnsettled(state);
}

/** Whether its state may still change. */
export function isOpen({status, outbox}: LedgerEntry): boolean {
	return status === 'running' || outbox.some(({state}) => isPending(state));
}

export interface Search {
	/** Tags of accounts. */
	readonly accounts: readonly string[];
	/** Milliseconds since 1970. */
	readonly since: number;
	/** Maximum number of results; the latest ones. */
	readonly limit: number;
	readonly status?: LedgerStatus | undefined;
}

/** How many are read at once during a search. */
const PAGE = 200;

/** The latest deliveries that match, in order of arrival. */
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
