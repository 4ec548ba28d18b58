// `bothy sends`: what waits to be posted, and what a person must decide.

import type {Account} from '../../config/accounts.js';
import type {DeliveryRef} from '../../delivery/ref.js';
import type {StoredEntry} from '../../delivery/store.js';
import {createEnqueue} from '../../host/background/enqueue.js';
import {readTrouble, type Trouble} from '../../host/checks/troubles.js';
import {settleSend} from '../../host/ledger/settle.js';
import {shown, stateText} from '../../host/ledger/shown.js';
import {shownTarget, targetOf} from '../../host/ledger/shown-target.js';
import {isPending, isUnsettled, readFailures, readState} from '../../outbox/entry-state.js';
import {createOutboxStore, type OutboxStore} from '../../outbox/store.js';
import {type OpenQueue, openQueue} from '../../queue/define-queue.js';
import {sends} from '../../queue/sends.js';
import {accountKey, accountTag} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from '../once.js';
import {type Row, tableLines} from '../table.js';
import type {SendStatus} from './send-statuses.js';
import {isoTime, shortTime, zoneName} from './since.js';

export interface SendsOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
	/** Milliseconds since 1970. */
	readonly since?: number;
	readonly text?: true;
	readonly json?: true;
	/** Exit with 1 if a send in the list failed or is unknown. */
	readonly fail?: true;
}

export interface Found {
	readonly account: Account;
	readonly ref: DeliveryRef;
	readonly entry: StoredEntry;
}

export async function listSends(
	terminal: Terminal,
	{bot, status, since, text, json, fail}: SendsOptions,
): Promise<number> {
	const {found, opened} = await findSends(terminal, {bot, since});
	const {accounts, connection} = opened;
	const wanted = found.filter(({status: own}) => status === undefined || own === status);
	const tags = accounts.map(accountTag);
	const troubles = await Promise.all(tags.map(tag => readTrouble(connection, tag)));
	const reasonOf = ({ref, entry}: Found) => lastErrorOf(entry, troubles[tags.indexOf(ref.account)]);
	const paint = (cell: string, column: number) => (column === 1 ? terminal.paint('bold', cell) : cell);
	if (json) {
		for (const send of wanted) {
			terminal.print(JSON.stringify(jsonOf(send, {error: reasonOf(send), withText: text === true})));
		}
	} else if (wanted.length > 0) {
		const rows = wanted.map(send => ({...rowOf(send, {error: reasonOf(send), withText: text === true}), paint}));
		terminal.print(tableLines(['BOT', 'SEND', 'STATUS', `DUE (${zoneName()})`], rows).join('\n'));
	} else {
		terminal.note(status === undefined ? 'Nothing waits, and nothing failed.' : `Nothing is ${status}.`);
	}

	if (wanted.some(({entry}) => entry.state === 'unknown')) {
		terminal.note('Check whether it was posted, then run: bothy sends resolve <id> --sent, or bothy sends retry <id>');
	}

	return fail && wanted.some(({entry}) => isUnsettled(entry.state)) ? 1 : 0;
}

interface ShownSend {
	readonly error: string | undefined;
	readonly withText: boolean;
}

function rowOf({account, ref, entry}: Found, {error, withText}: ShownSend): Row {
	const {failures} = readFailures(entry.state);
	const notes = [
		`${shownTarget(entry.target)}  ${shown(entry.text, withText)}`,
		failures > 0 ? stateText(entry.state) : '',
		error ?? '',
	];
	const due = entry.dueAt === 0 ? 'at once' : shortTime(entry.dueAt);
	return {cells: [account.name, `${ref.id}/${entry.n}`, statusOf(entry), due], notes};
}

function jsonOf({account, ref, entry}: Found, {error, withText}: ShownSend): object {
	return {
		bot: account.name,
		email: account.email,
		site: account.site,
		id: `${ref.id}/${entry.n}`,
		status: statusOf(entry),
		state: entry.state,
		target: targetOf(entry.target),
		dueAt: isoTime(entry.dueAt),
		error: error ?? null,
		text: shown(entry.text, withText),
	};
}

/** Why it failed, or why it waits although it is due. */
export function lastErrorOf({state, dueAt}: StoredEntry, trouble: Trouble | undefined): string | undefined {
	const parts = readState(state);
	if (parts.kind === 'failed') {
		return parts.reason;
	}

	return isPending(state) && dueAt <= Date.now() ? trouble?.reason : undefined;
}

/** The sends that wait, failed or are unknown, each with its status. */
export async function findSends(
	terminal: Terminal,
	{bot, since = 0}: {bot?: string | undefined; since?: number | undefined},
) {
	const opened = await openSends(terminal, bot);
	const found = (await Promise.all(opened.accounts.map(account => openEntries(opened.outboxes, account)))).flat();
	const times = since === 0 ? [] : await Promise.all(found.map(send => timeOf(send, opened)));
	const wanted = found.filter((_, index) => (times[index] ?? 0) >= since);
	return {opened, found: wanted.map(send => ({...send, status: statusOf(send.entry)}))};
}

/** When it failed, or since when it waits. 0 if that is not known. */
async function timeOf({ref, entry}: Found, {connection}: OpenedSends): Promise<number> {
	const failedAt = await connection.zscore(accountKey(connection, ref.account, 'unsettled'), `${ref.id} ${entry.n}`);
	const arrivedAt = await connection.hget(accountKey(connection, ref.account, `delivery:${ref.id}`), 'at');
	return Number(failedAt ?? (entry.dueAt > 0 ? entry.dueAt : arrivedAt));
}

function statusOf({state}: StoredEntry): string {
	return readState(state).kind;
}

async function openEntries(outboxes: OutboxStore, account: Account): Promise<Found[]> {
	const tag = accountTag(account);
	const [waiting, unsettled] = await Promise.all([outboxes.waiting(tag), outboxes.unsettled(tag)]);
	const ids = new Set([...waiting, ...unsettled.map(({ref}) => ref)].map(({id}) => id));
	const found = await Promise.all(
		[...ids].map(async id => {
			const ref = {account: tag, id};
			const entries = await outboxes.read(ref);
			return entries.map(entry => ({account, ref, entry}));
		}),
	);
	return found.flat().filter(({entry}) => isPending(entry.state) || isUnsettled(entry.state));
}

/** @throws CommandError without `--sent`. */
export function expectSent(sent: true | undefined, id = ''): void {
	if (sent !== true) {
		throw new CommandError(`Expected --sent (treat it as posted). To post it again: bothy sends retry ${id}`.trimEnd());
	}
}

/** Posts one again, or treats it as posted. */
export async function settleOne(
	terminal: Terminal,
	kind: 'retry' | 'resolve',
	{id, bot, json}: {id: string; bot?: string; json?: true},
): Promise<undefined> {
	const [, delivery = '', n = ''] = /^(.+)\/(\d+)$/.exec(id) ?? [];
	const {accounts, outboxes, queue} = await openSends(terminal, bot);
	const holders: Found[] = [];
	for (const account of accounts) {
		const ref = {account: accountTag(account), id: delivery};
		const entry = delivery === '' ? undefined : (await outboxes.read(ref)).find(entry => entry.n === Number(n));
		holders.push(...(entry ? [{account, ref, entry}] : []));
	}

	// A message that mentions two bots makes two deliveries with one ID.
	const unsettled = holders.filter(({entry}) => isUnsettled(entry.state));
	if (unsettled.length > 1) {
		const names = unsettled.map(({account: {name}}) => name).join(' and ');
		throw new CommandError(`${names} both have a send ${id}: choose one with --bot`);
	}

	const [found] = unsettled.length > 0 ? unsettled : holders;
	if (!found) {
		throw new CommandError(`Expected the id of a send, found "${id}". \`bothy sends\` lists them.`);
	}

	const {ref, entry} = found;
	const settling = {outboxes, enqueue: createEnqueue(queue, accounts)};
	const outcome = await settleSend(settling, {ref, n: entry.n}, kind === 'retry' ? 'waiting' : 'sent 0');
	if (outcome !== 'resolved') {
		const standing = outcome === '' ? 'waiting' : stateText(outcome);
		throw new CommandError(`Expected a send that failed or is unknown, but ${id} is ${standing}`);
	}

	const said = kind === 'retry' ? `${id} is posted again.` : `${id} counts as sent.`;
	terminal.print(json ? JSON.stringify({id, status: kind === 'retry' ? 'waiting' : 'sent'}) : said);
}

export interface OpenedSends {
	readonly accounts: readonly Account[];
	readonly outboxes: OutboxStore;
	readonly queue: OpenQueue<typeof sends.schema>;
	readonly connection: RedisConnection;
}

/** The chosen accounts, and the stores and queue for their sends. */
export async function openSends(terminal: Terminal, bot: string | undefined, option?: string): Promise<OpenedSends> {
	const accounts = chooseAccounts(findAccounts(terminal), bot, option);
	const {connection} = await openLedger(terminal);
	const queue = openQueue(sends, connection);
	terminal.teardown.add(() => queue.close());
	return {accounts, outboxes: createOutboxStore(connection), queue, connection};
}
