// `bothy status`: shows which processes run, how many deliveries each bot had, and which sends need a decision.

import {readRunning, redisTime} from '../host/announce.js';
import {SKEW_MS} from '../host/checks/check-redis.js';
import {readTrouble} from '../host/checks/troubles.js';
import {readPaused} from '../host/paused-bots.js';
import {readWrongTokens} from '../host/wrong-tokens.js';
import {createOutboxStore} from '../outbox/store.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import {duration} from './ledger/since.js';
import {findAccounts, openLedger, type Terminal} from './once.js';
import {tableLines} from './table.js';

const HOUR_MS = 3_600_000;

function clockNote(aheadMs = 0): string {
	const how = aheadMs > 0 ? 'ahead of' : 'behind';
	return Math.abs(aheadMs) > SKEW_MS ? `its clock is ${duration(Math.abs(aheadMs))} ${how} that of Redis` : '';
}

function tokenNote(count: number): string {
	return count === 0 ? '' : `webhooks with a wrong token within the last day: ${count}`;
}

export async function runStatus(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const accounts = findAccounts(terminal);
	const {connection} = await openLedger(terminal);
	const outboxes = createOutboxStore(connection);
	const now = await redisTime(connection);
	const [processes, paused] = await Promise.all([readRunning(connection), readPaused(connection)]);
	const bots = await Promise.all(
		accounts.map(async account => {
			const tag = accountTag(account);
			const [lastHour, open, unsettled, trouble, wrongTokens] = await Promise.all([
				connection.zcount(accountKey(connection, tag, 'ledger'), now - HOUR_MS, '+inf'),
				connection.zcard(accountKey(connection, tag, 'due')),
				outboxes.unsettled(tag),
				readTrouble(connection, tag),
				readWrongTokens(connection, tag),
			]);
			const isPaused = paused.has(tag);
			return {
				bot: account.name,
				paused: isPaused,
				lastHour,
				open,
				unsettled: unsettled.length,
				trouble: trouble?.reason ?? null,
				wrongTokens,
			};
		}),
	);
	if (json) {
		const shown = processes.map(({v: _, seenAt, startedAt, ...rest}) => ({
			...rest,
			startedAt: new Date(startedAt).toISOString(),
			seenAt: new Date(seenAt).toISOString(),
		}));
		terminal.print(JSON.stringify({processes: shown, bots}));
		return;
	}

	const running = processes.map(({host, pid, version, roles, startedAt, clockAheadMs}) => ({
		cells: [host, String(pid), version, duration(now - startedAt)],
		notes: [roles.join(', '), clockNote(clockAheadMs)],
	}));
	terminal.print(
		running.length === 0
			? 'No process runs. Start `bothy web` and `bothy worker`.'
			: tableLines(['HOST', 'PID', 'VERSION', 'UP'], running).join('\n'),
	);
	if (new Set(processes.map(({version}) => version)).size > 1) {
		terminal.note('More than one version runs: is a deploy under way?');
	}

	const rows = bots.map(({bot, paused, lastHour, open, unsettled, trouble, wrongTokens}) => ({
		cells: [bot, String(lastHour), String(open), String(unsettled)],
		notes: [paused ? 'paused (`bothy bots resume`)' : '', trouble ?? '', tokenNote(wrongTokens)],
	}));
	terminal.print(`\n${tableLines(['BOT', 'LAST HOUR', 'OPEN', 'NEEDS A PERSON'], rows).join('\n')}`);
	if (bots.some(({unsettled}) => unsettled > 0)) {
		terminal.note('`bothy sends` lists the sends that need a person.');
	}
}
