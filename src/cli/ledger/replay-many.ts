// `bothy deliveries replay`: runs the current code on many deliveries, such as all that failed.

import {searchLedger, statusOf} from '../../delivery/ledger.js';
import type {RedisStore} from '../../delivery/redis-store.js';
import {nextReplay} from '../../delivery/replay.js';
import type {LedgerEntry} from '../../delivery/store.js';
import {accountTag} from '../../redis/account-key.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from '../once.js';
import {actOnAll, type BulkOptions} from './bulk.js';
import {assignBot, openReplaying, replayOf} from './replay.js';
import {localTime} from './since.js';

/** Deliveries that have ended. */
const REPLAYABLE = ['failed', 'parked', 'done', 'flood'] as const;

export interface ReplayManyOptions extends BulkOptions {
	readonly bot?: string;
	/** Default: failed and parked. */
	readonly status?: string;
	/** Milliseconds since 1970. */
	readonly since?: number;
}

/** Returns the exit code: 1 if a handler threw. */
export async function replayMany(
	terminal: Terminal,
	{bot, status, since = 0, ...options}: ReplayManyOptions,
): Promise<number> {
	const statuses: readonly string[] = status === undefined ? ['failed', 'parked'] : [status];
	if (!statuses.every(one => REPLAYABLE.some(known => known === one))) {
		throw new CommandError(`--status: \`deliveries replay\` takes ${REPLAYABLE.join(', ')}, found ${status}`);
	}

	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const ledger = await openLedger(terminal);
	const everything = {accounts: accounts.map(accountTag), since, limit: Number.POSITIVE_INFINITY};
	const fitting = (await searchLedger(ledger.store, everything)).filter(entry => statuses.includes(statusOf(entry)));
	const isReplayed = await Promise.all(fitting.map(entry => hasNewer(ledger.store, entry)));
	const open = fitting.filter((_, index) => !isReplayed[index]);
	const items = open.filter(({work}) => work !== undefined);
	if (items.length < open.length) {
		terminal.note(`Not replayed: ${open.length - items.length} whose text was deleted (LEDGER_TEXT_HOURS).`);
	}

	const tags = new Set(items.map(({ref}) => ref.account));
	const used = accounts.filter(account => tags.has(accountTag(account)));
	const assigned = await Promise.all(used.map(account => assignBot(terminal, account)));
	const botOf = new Map(assigned.map(account => [accountTag(account), account]));
	const {replayOne} = openReplaying(terminal, ledger, used);
	return actOnAll(
		terminal,
		{
			verb: 'replay',
			things: 'deliveries',
			items,
			describe: entry =>
				`${botOf.get(entry.ref.account)?.name}  ${entry.ref.id}  ${statusOf(entry)}  ${localTime(entry.arrivedAt)}`,
			async act(entry) {
				const account = botOf.get(entry.ref.account);
				const ref = account && (await replayOne(replayOf(account, entry)));
				return ref !== undefined && (await ledger.store.read(ref))?.error === undefined;
			},
		},
		options,
	);
}

/** Whether it was replayed before. Then the replay's result counts instead, so you can repeat an interrupted command. */
async function hasNewer(store: RedisStore, {ref}: LedgerEntry): Promise<boolean> {
	return (await store.read(nextReplay(ref))) !== undefined;
}
