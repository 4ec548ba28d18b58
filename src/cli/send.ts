// `bothy send`: a message from the terminal.

import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {readMoment} from '../bot/arguments/moment.js';
import {ApiError} from '../client/errors.js';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {Target} from '../delivery/target.js';
import {createEnqueue} from '../host/background/enqueue.js';
import {readTrouble, type Trouble} from '../host/checks/troubles.js';
import {type EntryState, isPending, readState} from '../outbox/entry-state.js';
import {accountTag} from '../redis/account-key.js';
import {lastErrorOf, type OpenedSends, openSends} from './ledger/sends.js';
import {isoTime, localTime, zoneName} from './ledger/since.js';
import {CommandError, type Terminal} from './once.js';
import {openClient} from './open-client.js';
import {printable} from './paint.js';

export interface SendOptions {
	readonly account: string;
	readonly target: string;
	readonly text: string;
	readonly at?: string;
	readonly json?: true;
	/** False: do not wait until it is posted. */
	readonly wait: boolean;
}

/** Puts a message into an outbox of its own. A worker posts it. Returns the exit code: 1 if it was not posted. */
export async function sendMessage(
	terminal: Terminal,
	{account: name, target, text, at, json, wait}: SendOptions,
): Promise<number> {
	if (text.trim() === '') {
		throw new CommandError('Expected a text that is not blank');
	}

	const to = parseTarget(target);
	const dueAt = at === undefined ? 0 : parseTime(at, new Date());
	const {accounts, outboxes, queue, connection} = await openSends(terminal, name, 'send <account>');
	const [account, ...others] = accounts;
	if (!account) {
		throw new Error('Expected at least one account');
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
	const status = readState(state).kind;
	const result = {id: `${id}/1`, dueAt: isoTime(dueAt), target: to, status, error: reason ?? null};
	const soonest = hasWorker ? 'at once' : 'when a worker runs';
	const when = dueAt === 0 ? soonest : `at ${localTime(dueAt)} ${zoneName()}`;
	const line = isWaitedFor ? outcomeText(state, reason) : `is posted ${when}.`;
	terminal.print(json ? JSON.stringify(result) : `${id}/1 ${line}`);
	return isWaitedFor && status !== 'sent' ? 1 : 0;
}

function outcomeText(state: EntryState, reason: string | undefined): string {
	const parts = readState(state);
	const why = reason === undefined ? '' : `: ${reason}`;
	switch (parts.kind) {
		case 'sent':
			return `was posted as message ${parts.messageId}.`;
		case 'failed':
			return `failed${why}`;
		case 'unknown':
			return 'may or may not have been posted. Check the conversation, then run: bothy sends resolve <id> --sent, or bothy sends retry <id>';
		default:
			return `is not posted yet${why}. \`bothy sends\` shows its state.`;
	}
}

/** How long `bothy send` waits for a worker to post, in milliseconds. */
const POSTED_MS = 10_000;

interface Outcome {
	readonly state: EntryState;
	readonly trouble: Trouble | undefined;
}

const IN_LINE: Outcome = {state: 'waiting', trouble: undefined};

/** The outcome, or why there is none yet. */
async function outcomeOf(
	ref: DeliveryRef,
	{outboxes, connection}: Pick<OpenedSends, 'outboxes' | 'connection'>,
): Promise<Outcome> {
	const since = performance.now();
	for (;;) {
		const {state = 'waiting'} = (await outboxes.readEntry({ref, n: 1})) ?? {};
		const trouble = await readTrouble(connection, ref.account);
		const waitedMs = performance.now() - since;
		// The stored error may be old: the next post may succeed.
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

/** `#channel > topic`, or people by email or user ID, separated by commas. */
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
	// A part of `every Monday 9:00` or `tomorrow 25:00` is a time too, but not the one that was meant.
	if (!found || found.length < words.length) {
		throw new CommandError(`--at: expected a time such as "tomorrow 9:00" or 2026-11-23T09:00, found "${text}"`);
	}

	const time = found.value.getTime();
	if (time <= now.getTime()) {
		throw new CommandError(`--at: expected a time in the future, found "${text}" (${localTime(time)})`);
	}

	return time;
}
