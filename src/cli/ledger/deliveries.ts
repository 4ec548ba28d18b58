// `bothy deliveries`: lists deliveries, shows one in full, or follows new ones.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Account} from '../../config/accounts.js';
import {isOpen, type LedgerStatus, searchLedger, statusOf} from '../../delivery/ledger.js';
import type {RedisStore} from '../../delivery/redis-store.js';
import type {LedgerEntry} from '../../delivery/store.js';
import {isPending} from '../../outbox/entry-state.js';
import {accountTag} from '../../redis/account-key.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from '../once.js';
import {headerOf, jsonOf, lineOf, pageOf, type Shown} from './ledger-entry.js';

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
	/** Exit with 1 if a delivery in the list failed. */
	readonly fail?: true;
}

export async function listDeliveries(terminal: Terminal, options: ListOptions): Promise<number> {
	const accounts = chooseAccounts(findAccounts(terminal), options.bot);
	const {store} = await openLedger(terminal);
	const nameWidth = Math.max(3, ...accounts.map(({name}) => name.length));
	const {paint} = terminal;
	const format = (entry: LedgerEntry) => {
		const shown = {entry, account: accountOf(accounts, entry)};
		return options.json
			? jsonOf(shown, {withText: options.text === true, whole: false})
			: lineOf(shown, {paint, nameWidth, withText: options.text === true});
	};
	const search = {accounts: accounts.map(accountTag), since: options.since ?? 0, limit: options.limit};
	// Read before the search, so that every later delivery counts as new.
	const earlier = options.follow ? await latestEntries(store, search.accounts) : [];
	const found = await searchLedger(store, {...search, status: options.status});
	if (!options.json && (found.length > 0 || options.follow)) {
		terminal.print(paint('dim', headerOf({nameWidth})));
	}

	for (const entry of found) {
		terminal.print(format(entry));
	}

	if (found.length === 0) {
		terminal.note(emptyText(accounts, options));
	}

	if (options.follow) {
		const seen = [...earlier, ...found];
		await follow(store, {...search, seen, status: options.status, show: entry => terminal.print(format(entry))});
	}

	return options.fail && found.some(hasFailed) ? 1 : 0;
}

function hasFailed(entry: LedgerEntry): boolean {
	const status = statusOf(entry);
	return status === 'failed' || status === 'parked';
}

async function latestEntries(store: RedisStore, accounts: readonly string[]): Promise<LedgerEntry[]> {
	return (await Promise.all(accounts.map(account => store.list(account, {since: 0, limit: KNOWN})))).flat();
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

/** Poll interval of `--follow`, in milliseconds. */
const LOOK_MS = 500;

/** How many of an account's latest deliveries count as known when `--follow` begins: several may arrive in one millisecond. */
const KNOWN = 50;

/** At most this many deliveries are watched for changes. Beyond that, the oldest is dropped. */
const MOST_WATCHED = 500;

/** How long deliveries are watched at least. An unconfirmed answer may become late after a minute. */
const WATCHED_MS = 120_000;

interface Following {
	readonly accounts: readonly string[];
	readonly since: number;
	/** Entries that are shown already, or that are too old to show. */
	readonly seen: readonly LedgerEntry[];
	readonly status: LedgerStatus | undefined;
	show(entry: LedgerEntry): void;
}

/** Shows new and changed entries until the process ends. */
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

/** A change of this value is printed as a new line. */
function lookOf(entry: LedgerEntry): string {
	const states = entry.outbox.map(({n, state}) => [n, isPending(state) ? 'waiting' : state]);
	return JSON.stringify([statusOf(entry), entry.decision, entry.runs, states]);
}

function latestOf(entries: readonly LedgerEntry[], account: string): number {
	return Math.max(0, ...entries.filter(({ref}) => ref.account === account).map(({arrivedAt}) => arrivedAt));
}

function forgetSettled(watched: Map<string, {entry: LedgerEntry}>, newest: ReadonlyMap<string, number>): void {
	for (const [key, {entry}] of watched) {
		// Keep the newest of each account: otherwise the next search would report it as new.
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

/** Several, if one message reached several bots. */
export async function findDeliveries(
	store: RedisStore,
	{accounts, id}: {accounts: readonly Account[]; id: string},
): Promise<Shown[]> {
	const found = await Promise.all(
		accounts.map(async account => ({account, entry: await store.read({account: accountTag(account), id})})),
	);
	const withId = found.flatMap(({account, entry}) => (entry ? [{account, entry}] : []));
	const shown = withId.length > 0 ? withId : await findByReference(store, {accounts, reference: id});
	if (shown.length === 0) {
		const names = accounts.map(({name}) => name).join(', ');
		throw new CommandError(
			`Expected the id of a delivery to ${names}, or the reference in an apology, found "${id}", which is not in the ledger. ` +
				'`bothy deliveries` lists the deliveries of the last week.',
		);
	}

	return shown;
}

/** The deliveries whose error has this reference. */
async function findByReference(
	store: RedisStore,
	{accounts, reference}: {accounts: readonly Account[]; reference: string},
): Promise<Shown[]> {
	const refs = await Promise.all(accounts.map(account => store.findReference(accountTag(account), reference)));
	const entries = await Promise.all(refs.map(ref => ref && store.read(ref)));
	return entries.flatMap(entry => (entry ? [{entry, account: accountOf(accounts, entry)}] : []));
}
