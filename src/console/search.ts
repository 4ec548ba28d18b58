// Searches the ledgers of all accounts, latest first, a limited number of steps at a time.

import {SILENCE} from '../delivery/answers.js';
import {type LedgerStatus, statusWord} from '../delivery/ledger.js';
import {accountKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {createScripts} from '../redis/run-script.js';
import {hasLostSend, Row, rowScript} from './row-script.js';

export interface SearchQuery {
	/** Tags. */
	readonly accounts: readonly string[];
	/** In lower case; empty for all. */
	readonly needle: string;
	readonly status?: LedgerStatus | undefined;
	/** Milliseconds since 1970, both included. */
	readonly since: number;
	readonly before: number;
}

export interface FoundRow extends Row {
	readonly account: string;
	readonly word: LedgerStatus;
}

export interface SearchResult {
	readonly rows: readonly FoundRow[];
	/** Everything after this time was searched. Undefined if everything was. */
	readonly searchedTo: number | undefined;
}

/** Rows of a page. */
const PAGE = 50;

/** Deliveries that one script looks at: it takes a few milliseconds, and Redis does nothing else in that time. */
const SCANNED = 500;

/** Scripts of one search. They run one after the other in Redis, which has to answer within two seconds. */
const STEPS = 12;

/** Deliveries that are read by their ids. */
const MOST_OPEN = 200;

export function createSearch(redis: RedisConnection): (query: SearchQuery) => Promise<SearchResult> {
	const run = createScripts(redis, {rows: rowScript});

	async function read(account: string, index: string, wanted: object): Promise<[last: string, isEnd: 0 | 1, Row[]]> {
		const prefix = accountKey(redis, account, '');
		const query = JSON.stringify({prefix, silence: SILENCE, ...wanted});
		const [last, isEnd, rows] = (await run('rows', [`${prefix}${index}`], [query])) as [string, 0 | 1, string[]];
		// A newer version may store others.
		return [last, isEnd, rows.flatMap(row => Row.safeParse(JSON.parse(row)).data ?? [])];
	}

	/** What is open, or has sends that failed, is in an index that is not in the order of arrival. It is small. */
	async function readOpen(account: string, index: string, {needle}: SearchQuery): Promise<Row[]> {
		const members = await redis.zrange(accountKey(redis, account, index), '0', String(MOST_OPEN - 1));
		const ids = [...new Set(members.map(member => member.split(' ')[0] ?? ''))];
		const [, , rows] = ids.length === 0 ? ['', 1, []] : await read(account, index, {ids, needle});
		return rows;
	}

	async function walk(
		account: string,
		query: SearchQuery,
		{index, steps}: {index: string; steps: number},
	): Promise<{rows: Row[]; reached: number | undefined}> {
		const found = new Map<string, Row>();
		let max = query.before;
		for (let step = 0; step < steps; step++) {
			const limit = PAGE - found.size;
			const only = query.status === 'flood' ? 'flood' : undefined;
			const wanted = {needle: query.needle, only, max, min: query.since, scan: SCANNED, limit};
			const [last, isEnd, rows] = await read(account, index, wanted);
			for (const row of rows.filter(row => fits(row, query.status))) {
				found.set(row.id, row);
			}

			const reached = last === '' ? query.since : Number(last);
			if (isEnd === 1) {
				return {rows: [...found.values()], reached: undefined};
			}

			// Several may have arrived in one millisecond, but never as many as a step looks at.
			max = reached === max ? reached - 1 : reached;
			if (found.size >= PAGE) {
				break;
			}
		}

		return {rows: [...found.values()], reached: max};
	}

	async function searchAccount(account: string, query: SearchQuery, steps: number) {
		const {status} = query;
		if (status === 'running' || status === 'held') {
			const rows = (await readOpen(account, 'due', query)).filter(row => fits(row, status));
			return {rows: rows.filter(row => isWithin(row, query)), reached: undefined};
		}

		if (status === 'parked') {
			return walk(account, query, {index: 'parked', steps});
		}

		if (status !== 'failed') {
			return walk(account, query, {index: 'ledger', steps});
		}

		const [{rows, reached}, unsettled] = await Promise.all([
			walk(account, query, {index: 'failed', steps}),
			readOpen(account, 'unsettled', query),
		]);
		const others = unsettled.filter(row => fits(row, status) && isWithin(row, query));
		return {rows: [...new Map([...rows, ...others].map(row => [row.id, row])).values()], reached};
	}

	return async function search(query) {
		const steps = Math.max(1, Math.floor(STEPS / Math.max(1, query.accounts.length)));
		const parts = await Promise.all(
			query.accounts.map(async account => ({account, ...(await searchAccount(account, query, steps))})),
		);
		const horizon = Math.max(0, ...parts.map(({reached}) => reached ?? 0));
		const all = parts
			.flatMap(({account, rows}) => rows.map(row => ({...row, account, word: wordOf(row)})))
			.filter(({arrivedAt}) => arrivedAt >= horizon)
			.toSorted((a, b) => b.arrivedAt - a.arrivedAt);
		const rows = all.slice(0, PAGE);
		const searchedTo = all.length > PAGE ? rows.at(-1)?.arrivedAt : horizon;
		return {rows, searchedTo: searchedTo === 0 ? undefined : searchedTo};
	};
}

function wordOf(row: Row): LedgerStatus {
	return statusWord(row, row.error !== '' || hasLostSend(row));
}

function fits(row: Row, status: LedgerStatus | undefined): boolean {
	return status === undefined || wordOf(row) === status;
}

function isWithin({arrivedAt}: Row, {since, before}: SearchQuery): boolean {
	return arrivedAt >= since && arrivedAt <= before;
}
