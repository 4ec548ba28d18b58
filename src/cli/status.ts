// `bothy status`: shows which processes run, how many deliveries each bot had, and what is wrong with it.

import {SKEW_MS} from '../host/checks/check-redis.js';
import {judgeAccount} from '../host/checks/findings.js';
import {readAccountsStanding} from '../host/checks/standing.js';
import {Trouble} from '../host/checks/troubles.js';
import {duration} from '../host/duration.js';
import {findAccounts, openLedger, type Terminal} from './once.js';
import {tableLines} from './table.js';

function clockNote(aheadMs = 0): string {
	const how = aheadMs > 0 ? 'ahead of' : 'behind';
	return Math.abs(aheadMs) > SKEW_MS ? `its clock is ${duration(Math.abs(aheadMs))} ${how} that of Redis` : '';
}

export async function runStatus(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const accounts = findAccounts(terminal);
	const {connection} = await openLedger(terminal);
	const {now, processes, accounts: standings} = await readAccountsStanding(connection, accounts);
	const bots = standings.map(standing => {
		const {account, paused, lastHour, open, unsettled, trouble, wrongTokens} = standing;
		return {
			bot: account.name,
			paused: paused !== undefined,
			lastHour,
			open,
			unsettled,
			trouble: trouble === undefined ? null : Trouble.parse(JSON.parse(trouble)).reason,
			wrongTokens,
			problems: judgeAccount(standing, now).map(({text}) => text),
		};
	});
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

	const rows = bots.map(({bot, lastHour, open, unsettled, problems}) => ({
		cells: [bot, String(lastHour), String(open), String(unsettled)],
		notes: problems,
	}));
	terminal.print(`\n${tableLines(['BOT', 'LAST HOUR', 'OPEN', 'NEEDS A PERSON'], rows).join('\n')}`);
	if (bots.some(({unsettled}) => unsettled > 0)) {
		terminal.note('`bothy sends` lists the sends that need a person.');
	}

	if (bots.some(({problems}) => problems.length > 0)) {
		terminal.note('`bothy doctor` says what to do.');
	}
}
