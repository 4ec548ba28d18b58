// `bothy deliveries`: the ledger in lines, one of its entries whole, or what happens while one looks.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Account} from '../config/accounts.js';
import {isOpen, type LedgerStatus, searchLedger, statusOf} from '../delivery/ledger.js';
import type {RedisStore} from '../delivery/redis-store.js';
import type {LedgerEntry} from '../delivery/store.js';
import {isPending} from '../outbox/entry-state.js';
import {accountTag} from '../redis/account-key.js';
import {jsonOf, lineOf, pageOf, type Shown} from './ledger-entry.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import type {Paint} from './paint.js';

export interface ListOptions {
	readonly bot?: string;
	readonly status?: LedgerStatus;
	/** Milliseconds since 1970. */
	readonly since?: number;
	readonly limit: number;
	readonly follow?: true;
	/** Show the text of messages. */
	readonly text?: true;
	readonly json?: true;
}

export async function listDeliveries(terminal: Terminal, options: ListOptions): Promise<undefined> {
	const accounts = chooseAccounts(findAccounts(terminal), options.bot);
	const {store} = await openLedger(terminal);
	const format = formatFor(accounts, {...options, paint: terminal.paint});
	const search = {accounts: accounts.map(accountTag), since: options.since ?? 0, limit: options.limit};
	const found = await searchLedger(store, {...search, status: options.status});
	for (const entry of found) {
		terminal.print(format(entry));
	}

	if (found.length === 0) {
		terminal.note(emptyText(accounts, options));
	}

	if (options.follow) {
		await follow(store, {...search, seen: found, status: options.status, show: entry => terminal.print(format(entry))});
	}
}

function formatFor(
	accounts: readonly Account[],
	{json, text, paint}: ListOptions & {readonly paint: Paint},
): (entry: LedgerEntry) => string {
	const nameWidth = Math.max(...accounts.map(({name}) => name.length));
	return entry => {
		const shown = {entry, account: accountOf(accounts, entry)};
		return json ? jsonOf(shown, {withText: text === true, whole: false}) : lineOf(shown, {paint, nameWidth});
	};
}

function accountOf(accounts: readonly Account[], {ref}: LedgerEntry): Account {
	const account = accounts.find(candidate => accountTag(candidate) === ref.account);
	if (!account) {
		throw new Error(`Expected a delivery of one of the chosen accounts, found one of ${ref.account}`);
	}

	return account;
}

function emptyText(accounts: readonly Account[], {status, since}: ListOptions): string {
	const names = accounts.map(({name}) => name).join(', ');
	if (status === undefined && since === undefined) {
		return `No deliveries yet for ${names}. Mention one of them, or write to it.`;
	}

	const without = [status && '--status', since !== undefined && '--since'].filter(Boolean).join(' and ');
	return `No matching deliveries for ${names}. Try without ${without}.`;
}

/** How often the ledger is looked at, in milliseconds. */
const LOOK_MS = 500;

/** How many changing deliveries are watched; beyond that the oldest is not. */
const MOST_WATCHED = 500;

/** Deliveries are watched this long in any case: an answer of which nobody knows turns late after a minute. */
const WATCHED_MS = 120_000;

interface Following {
	readonly accounts: readonly string[];
	readonly since: number;
	/** Shown already. */
	readonly seen: readonly LedgerEntry[];
	readonly status: LedgerStatus | undefined;
	show(entry: LedgerEntry): void;
}

/** Shows what is new or has changed, for ever. */
async function follow(store: RedisStore, {accounts, since, seen, status, show}: Following): Promise<never> {
	const watched = new Map(seen.map(entry => [keyOf(entry), {entry, look: lookOf(entry)}]));
	const newest = new Map(accounts.map(account => [account, Math.max(since, latestOf(seen, account))]));
	for (;;) {
		await sleep(LOOK_MS);
		const arrived = await Promise.all(
			accounts.map(account => store.list(account, {since: newest.get(account) ?? 0, limit: 1_000})),
		);
		const known = await Promise.all([...watched.values()].map(({entry}) => store.read(entry.ref)));
		const current = new Map([...known, ...arrived.flat()].flatMap(entry => (entry ? [[keyOf(entry), entry]] : [])));
		for (const entry of [...current.values()].toSorted((a, b) => a.arrivedAt - b.arrivedAt)) {
			const look = lookOf(entry);
			if (watched.get(keyOf(entry))?.look !== look && (status === undefined || statusOf(entry) === status)) {
				show(entry);
			}

			watched.set(keyOf(entry), {entry, look});
			newest.set(entry.ref.account, Math.max(newest.get(entry.ref.account) ?? 0, entry.arrivedAt));
		}

		forgetSettled(watched, newest);
	}
}

function keyOf({ref}: LedgerEntry): string {
	return `${ref.account} ${ref.id}`;
}

/** What a change of is worth a new line. */
function lookOf(entry: LedgerEntry): string {
	const states = entry.outbox.map(({n, state}) => [n, isPending(state) ? 'waiting' : state]);
	return JSON.stringify([statusOf(entry), entry.decision, entry.runs, states]);
}

function latestOf(entries: readonly LedgerEntry[], account: string): number {
	return Math.max(0, ...entries.filter(({ref}) => ref.account === account).map(({arrivedAt}) => arrivedAt));
}

function forgetSettled(watched: Map<string, {entry: LedgerEntry}>, newest: ReadonlyMap<string, number>): void {
	for (const [key, {entry}] of watched) {
		// The newest of an account would be taken for a new one.
		const isNewest = entry.arrivedAt === newest.get(entry.ref.account);
		const isSettled = !isOpen(entry) && entry.arrivedAt < Date.now() - WATCHED_MS;
		if (!isNewest && (isSettled || watched.size > MOST_WATCHED)) {
			watched.delete(key);
		}
	}
}

export async function showDelivery(
	terminal: Terminal,
	{id, bot, text, json}: Pick<ListOptions, 'bot' | 'text' | 'json'> & {id: string},
): Promise<undefined> {
	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const {store} = await openLedger(terminal);
	const {paint} = terminal;
	const found = await findDeliveries(store, {accounts, id});
	const options = {withText: text === true, whole: true, withPayload: true, paint};
	terminal.print(
		found.map(shown => (json ? jsonOf(shown, options) : pageOf(shown, options))).join(json ? '\n' : '\n\n'),
	);
}

/** Several where one message reached several bots. */
export async function findDeliveries(
	store: RedisStore,
	{accounts, id}: {accounts: readonly Account[]; id: string},
): Promise<Shown[]> {
	const found = await Promise.all(
		accounts.map(async account => ({account, entry: await store.read({account: accountTag(account), id})})),
	);
	const shown = found.flatMap(({account, entry}) => (entry ? [{account, entry}] : []));
	if (shown.length === 0) {
		const names = accounts.map(({name}) => name).join(', ');
		throw new CommandError(
			`Expected the id of a delivery to ${names}, found "${id}", which is not in the ledger. ` +
				'`bothy deliveries` lists the deliveries of the last week.',
		);
	}

	return shown;
}
