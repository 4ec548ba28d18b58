// `bothy sends` and `bothy send`: lists sends, resolves unknown ones, and posts a message from the terminal.

import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {readMoment} from '../bot/moment.js';
import {ApiError} from '../client/errors.js';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {createEnqueue} from '../host/enqueue.js';
import {readTrouble, type Trouble} from '../host/troubles.js';
import {type EntryState, isPending, readFailures} from '../outbox/entry-state.js';
import {createOutboxStore, type OutboxStore} from '../outbox/store.js';
import {type OpenQueue, openQueue} from '../queue/define-queue.js';
import {sends, Target} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {shown, stateText} from './ledger-entry.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {openClient} from './open-client.js';
import {printable} from './paint.js';
import type {SendStatus} from './send-statuses.js';
import {shownTarget, targetOf} from './shown-target.js';
import {isoTime, localTime, shortTime, zoneName} from './since.js';
import {type Row, tableLines} from './table.js';

export interface SendsOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
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

export async function listSends(terminal: Terminal, {bot, status, text, json, fail}: SendsOptions): Promise<number> {
	const {accounts, outboxes, connection} = await open(terminal, bot);
	const found = (await Promise.all(accounts.map(account => openEntries(outboxes, account)))).flat();
	const wanted = found.filter(({entry}) => status === undefined || statusOf(entry) === status);
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
		terminal.note('Check whether it was posted, then run: bothy sends resolve <id> --sent | --again');
	}

	return fail && wanted.some(({entry}) => isUnsettled(entry)) ? 1 : 0;
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

/** Why it failed, or why it still waits although it is due. */
function lastErrorOf({state, dueAt}: StoredEntry, trouble: Trouble | undefined): string | undefined {
	if (state.startsWith('failed ')) {
		return state.slice('failed '.length);
	}

	return isPending(state) && dueAt <= Date.now() ? trouble?.reason : undefined;
}

/** Sends that wait, failed or are unknown, with their status. */
export async function findSends(terminal: Terminal, bot: string | undefined) {
	const opened = await open(terminal, bot);
	const found = (await Promise.all(opened.accounts.map(account => openEntries(opened.outboxes, account)))).flat();
	return {opened, found: found.map(send => ({...send, status: statusOf(send.entry)}))};
}

function statusOf({state}: StoredEntry): string {
	return state.split(' ')[0] ?? state;
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
	return found.flat().filter(({entry}) => isPending(entry.state) || isUnsettled(entry));
}

/** Whether a person must decide. */
function isUnsettled({state}: StoredEntry): boolean {
	return /^(failed|unknown)/.test(state);
}

export async function resolveSend(
	terminal: Terminal,
	{id, bot, sent, again, json}: {id: string; bot?: string; sent?: true; again?: true; json?: true},
): Promise<undefined> {
	if ((sent === true) === (again === true)) {
		throw new CommandError('Expected either --sent (treat it as posted) or --again (post it again)');
	}

	const [, delivery = '', n = ''] = /^(.+)\/(\d+)$/.exec(id) ?? [];
	const {accounts, outboxes, queue} = await open(terminal, bot);
	const holders: Found[] = [];
	for (const account of accounts) {
		const ref = {account: accountTag(account), id: delivery};
		const entry = delivery === '' ? undefined : (await outboxes.read(ref)).find(entry => entry.n === Number(n));
		holders.push(...(entry ? [{account, ref, entry}] : []));
	}

	// A message that mentions two bots creates deliveries with the same id.
	const unsettled = holders.filter(({entry}) => isUnsettled(entry));
	if (unsettled.length > 1) {
		const names = unsettled.map(({account: {name}}) => name).join(' and ');
		throw new CommandError(`${names} both have a send ${id}: choose one with --bot`);
	}

	const [found] = unsettled.length > 0 ? unsettled : holders;
	if (!found) {
		throw new CommandError(`Expected the id of a send, found "${id}". \`bothy sends\` lists them.`);
	}

	const {ref, entry} = found;
	const outcome = await outboxes.resolve({ref, n: entry.n}, sent ? 'sent 0' : 'waiting');
	if (outcome !== 'resolved') {
		const standing = outcome === '' ? 'waiting' : stateText(outcome);
		throw new CommandError(`Expected a send that failed or is unknown, but ${id} is ${standing}`);
	}

	await createEnqueue(queue, accounts)(ref);
	const said = sent ? `${id} counts as sent.` : `${id} is posted again.`;
	terminal.print(json ? JSON.stringify({id, status: sent ? 'sent' : 'waiting'}) : said);
}

export interface SendOptions {
	readonly account: string;
	readonly target: string;
	readonly text: string;
	readonly at?: string;
	readonly json?: true;
	readonly wait: boolean;
}

/** Stores a message in a new outbox; a worker posts it. Returns the exit code: 1 if it was not posted. */
export async function sendMessage(
	terminal: Terminal,
	{account: name, target, text, at, json, wait}: SendOptions,
): Promise<number> {
	if (text.trim() === '') {
		throw new CommandError('Expected a text that is not blank');
	}

	const to = parseTarget(target);
	const dueAt = at === undefined ? 0 : parseTime(at, new Date());
	const {accounts, outboxes, queue, connection} = await open(terminal, name, 'send <account>');
	const [account, ...others] = accounts;
	if (!account) {
		throw new Error('Expected one account at least');
	}

	if (others.length > 0) {
		const all = accounts.map(({name, email, site}) => `${name} (${email} on ${site})`).join(' and ');
		throw new CommandError(`"${name}" may be ${all}: choose one by its section name or email`);
	}

	await checkTarget(terminal, {account, target: to});
	const id = `cli-${randomUUID()}`;
	const ref = {account: accountTag(account), id};
	const entry = {n: 1, kind: 'send', target: JSON.stringify(to), text, dueAt, mayBePosted: false} as const;
	await outboxes.put(ref, dueAt === 0 ? entry : {...entry, name: id}, dueAt === 0 ? undefined : id);
	await createEnqueue(queue, accounts)(ref);
	const hasWorker = (await queue.countWorkers()) > 0;
	if (!hasWorker) {
		terminal.note('No worker runs (`bothy worker`): the message waits for one.');
	}

	const isWaitedFor = wait && hasWorker && dueAt === 0;
	const {state, trouble} = isWaitedFor ? await outcomeOf(ref, {outboxes, connection}) : IN_LINE;
	const reason = isWaitedFor ? lastErrorOf({...entry, state}, trouble) : undefined;
	const status = state.split(' ')[0] ?? state;
	const result = {id: `${id}/1`, dueAt: isoTime(dueAt), target: to, status, error: reason ?? null};
	const when = dueAt === 0 ? 'at once' : `at ${localTime(dueAt)} ${zoneName()}`;
	const line = isWaitedFor ? outcomeText(state, reason) : `is posted ${when}.`;
	terminal.print(json ? JSON.stringify(result) : `${id}/1 ${line}`);
	return isWaitedFor && status !== 'sent' ? 1 : 0;
}

function outcomeText(state: EntryState, reason: string | undefined): string {
	const [status, ...rest] = state.split(' ');
	const why = reason === undefined ? '' : `: ${reason}`;
	switch (status) {
		case 'sent':
			return `was posted as message ${rest.join(' ')}.`;
		case 'failed':
			return `failed${why}`;
		case 'unknown':
			return 'may have been posted or not. Look, then: bothy sends resolve <id> --sent | --again';
		default:
			return `is not posted yet${why}. \`bothy sends\` shows what becomes of it.`;
	}
}

/** How long `bothy send` waits for a worker to post, in milliseconds. */
const POSTED_MS = 10_000;

interface Outcome {
	readonly state: EntryState;
	readonly trouble: Trouble | undefined;
}

const IN_LINE: Outcome = {state: 'waiting', trouble: undefined};

/** The outcome of the send, or why there is none so far. */
async function outcomeOf(
	ref: DeliveryRef,
	{outboxes, connection}: Pick<OpenedSends, 'outboxes' | 'connection'>,
): Promise<Outcome> {
	const since = performance.now();
	for (;;) {
		const {state = 'waiting'} = (await outboxes.readEntry({ref, n: 1})) ?? {};
		const trouble = await readTrouble(connection, ref.account);
		const waitedMs = performance.now() - since;
		// The fault may be an old one that ends with the next post.
		if (!isPending(state) || waitedMs > (trouble ? POSTED_MS / 5 : POSTED_MS)) {
			return {state, trouble};
		}

		await sleep(50);
	}
}

/** @throws CommandError if the service does not know the channel or a person. Does not throw if the service does not answer. */
async function checkTarget(terminal: Terminal, {account, target}: {account: Account; target: Target}): Promise<void> {
	const client = openClient(terminal, account);
	const checks =
		'dm' in target
			? target.dm.map(
					person => () =>
						typeof person === 'number' ? client.getUser({user_id: person}) : client.getUserByEmail({email: person}),
				)
			: [
					() =>
						typeof target.channel === 'number'
							? client.getStreamById({stream_id: target.channel})
							: client.getStreamId({stream: target.channel}),
				];
	try {
		await Promise.all(checks.map(check => check()));
	} catch (error) {
		if (error instanceof ApiError && error.status === 400) {
			throw new CommandError(printable(`${account.name} cannot write there: ${error.reason} (${error.code})`));
		}

		terminal.note(printable(`The target was not checked: ${error instanceof Error ? error.message : String(error)}`));
	}
}

/** Parses `#channel > topic`, or comma-separated emails or user IDs. */
export function parseTarget(text: string): Target {
	const [, channel, topic] = /^\s*#?([^>]*)>(.*)$/s.exec(text) ?? [];
	const people = text.split(',').map(person => person.trim());
	const isIds = people.every(person => /^\d+$/.test(person));
	const parsed = Target.safeParse(
		channel !== undefined && topic !== undefined
			? {channel: channel.trim(), topic: topic.trim()}
			: {dm: isIds ? people.map(Number) : people},
	);
	if (!parsed.success) {
		throw new CommandError(`Expected "#channel > topic", or comma-separated emails or user IDs, found "${text}"`);
	}

	return parsed.data;
}

/** Parses a time in words, in this machine's time zone, to milliseconds since 1970. */
export function parseTime(text: string, now: Date): number {
	const words = text.trim();
	const found = readMoment(words, {now: now.getTime(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone});
	// Refuse `every Monday 9:00` and `tomorrow 25:00`, of which only a part is a time.
	if (!found || found.length < words.length) {
		throw new CommandError(`--at: expected a time such as "tomorrow 9:00" or 2026-11-23T09:00, found "${text}"`);
	}

	const time = found.value.getTime();
	if (time <= now.getTime()) {
		throw new CommandError(`--at: expected a time in the future, found "${text}" (${localTime(time)})`);
	}

	return time;
}

export interface OpenedSends {
	readonly accounts: readonly Account[];
	readonly outboxes: OutboxStore;
	readonly queue: OpenQueue<typeof sends.schema>;
	readonly connection: RedisConnection;
}

async function open(terminal: Terminal, bot: string | undefined, option?: string): Promise<OpenedSends> {
	const accounts = chooseAccounts(findAccounts(terminal), bot, option);
	const {connection} = await openLedger(terminal);
	const queue = openQueue(sends, connection);
	terminal.teardown.add(() => queue.close());
	return {accounts, outboxes: createOutboxStore(connection), queue, connection};
}
