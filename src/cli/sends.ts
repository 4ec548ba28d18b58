// `bothy sends` and `bothy send`: what waits to be posted, what a person must decide, and a message from the terminal.

import {randomUUID} from 'node:crypto';
import {readMoment} from '../bot/moment.js';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {createEnqueue} from '../host/enqueue.js';
import {isPending} from '../outbox/entry-state.js';
import {createOutboxStore, type OutboxStore} from '../outbox/store.js';
import {type OpenQueue, openQueue} from '../queue/define-queue.js';
import {sends, Target} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import {shown, stateText} from './ledger-entry.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {printable} from './paint.js';
import type {SendStatus} from './send-statuses.js';
import {localTime} from './since.js';

export interface SendsOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
	readonly text?: true;
	readonly json?: true;
}

interface Found {
	readonly account: Account;
	readonly ref: DeliveryRef;
	readonly entry: StoredEntry;
}

export async function listSends(terminal: Terminal, {bot, status, text, json}: SendsOptions): Promise<undefined> {
	const {accounts, outboxes} = await open(terminal, bot);
	const found = (await Promise.all(accounts.map(account => openEntries(outboxes, account)))).flat();
	const wanted = found.filter(({entry}) => status === undefined || statusOf(entry) === status);
	const {paint} = terminal;
	for (const {account, ref, entry} of wanted) {
		const id = `${ref.id}/${entry.n}`;
		const said = shown(entry.text, text === true);
		if (json) {
			const {name: account_name, email, site} = account;
			const {target, dueAt, state} = entry;
			terminal.print(
				JSON.stringify({bot: account_name, email, site, id, status: statusOf(entry), state, target, dueAt, text: said}),
			);
			continue;
		}

		const when = entry.dueAt === 0 ? '' : `for ${localTime(entry.dueAt)}`;
		const what = printable([stateText(entry.state), when, entry.target, said].filter(Boolean).join('  '));
		terminal.print(`${account.name}  ${paint('bold', id)}  ${what}`);
	}

	if (wanted.length === 0) {
		terminal.note(status === undefined ? 'Nothing waits, and nothing failed.' : `Nothing is ${status}.`);
	}

	if (wanted.some(({entry}) => entry.state === 'unknown')) {
		terminal.note('Check whether it was posted, then run: bothy sends resolve <id> --sent | --again');
	}
}

function statusOf({state}: StoredEntry): string {
	return state.split(' ')[0] ?? state;
}

/** What still waits, and what failed or is unknown. */
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

/** Somebody is to look at it. */
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

	// A message that mentions two bots makes deliveries of one id.
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
}

/** Puts a message into an outbox of its own; a worker posts it. */
export async function sendMessage(
	terminal: Terminal,
	{account: name, target, text, at, json}: SendOptions,
): Promise<undefined> {
	if (text.trim() === '') {
		throw new CommandError('Expected a text that is not blank');
	}

	const to = parseTarget(target);
	const dueAt = at === undefined ? 0 : parseTime(at, new Date());
	const {accounts, outboxes, queue} = await open(terminal, name, 'send <account>');
	const [account, ...others] = accounts;
	if (!account) {
		throw new Error('Expected one account at least');
	}

	if (others.length > 0) {
		const all = accounts.map(({name, email, site}) => `${name} (${email} on ${site})`).join(' and ');
		throw new CommandError(`"${name}" may be ${all}: choose one by its section name or email`);
	}

	const id = `cli-${randomUUID()}`;
	const ref = {account: accountTag(account), id};
	const entry = {n: 1, kind: 'send', target: JSON.stringify(to), text, dueAt, mayBePosted: false} as const;
	await outboxes.put(ref, dueAt === 0 ? entry : {...entry, name: id}, dueAt === 0 ? undefined : id);
	await createEnqueue(queue, accounts)(ref);
	if ((await queue.countWorkers()) === 0) {
		terminal.note('No worker runs (`bothy worker`): the message waits for one.');
	}

	const when = dueAt === 0 ? 'at once' : `at ${localTime(dueAt)}`;
	terminal.print(json ? JSON.stringify({id: `${id}/1`, dueAt, target: to}) : `${id}/1 is posted ${when}.`);
}

/** `#channel > topic`, or people by email or user ID, parted by commas. */
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

/** Milliseconds since 1970 of a time in words, in the zone of this machine. */
export function parseTime(text: string, now: Date): number {
	const words = text.trim();
	const found = readMoment(words, {now: now.getTime(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone});
	// Of `every Monday 9:00` or `tomorrow 25:00` a part is a time too, but none that anybody meant.
	if (!found || found.length < words.length) {
		throw new CommandError(`--at: expected a time such as "tomorrow 9:00" or 2026-11-23T09:00, found "${text}"`);
	}

	const time = found.value.getTime();
	if (time <= now.getTime()) {
		throw new CommandError(`--at: expected a time in the future, found "${text}" (${localTime(time)})`);
	}

	return time;
}

async function open(
	terminal: Terminal,
	bot: string | undefined,
	option?: string,
): Promise<{accounts: readonly Account[]; outboxes: OutboxStore; queue: OpenQueue<typeof sends.schema>}> {
	const accounts = chooseAccounts(findAccounts(terminal), bot, option);
	const {connection} = await openLedger(terminal);
	const queue = openQueue(sends, connection);
	terminal.teardown.add(() => queue.close());
	return {accounts, outboxes: createOutboxStore(connection), queue};
}
