// `bothy schedules`: lists, cancels and runs scheduled and recurring messages and crons.

import type {Account} from '../config/accounts.js';
import {shown, stateText} from '../host/ledger/shown.js';
import {shownTarget, targetOf} from '../host/ledger/shown-target.js';
import {openPlanned} from '../host/schedules/run-now.js';
import {accountTag} from '../redis/account-key.js';
import type {Schedule, StoredSchedules} from '../schedules/schedules.js';
import {shortTime, zoneName} from './ledger/since.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {type Row, tableLines} from './table.js';

export interface SchedulesOptions {
	readonly bot?: string;
	readonly text?: true;
	readonly json?: true;
}

interface Owned {
	readonly account: Account;
	readonly schedule: Schedule;
}

export async function listSchedules(terminal: Terminal, {bot, text, json}: SchedulesOptions): Promise<undefined> {
	const {accounts, schedules} = await open(terminal, bot);
	const found: Owned[] = [];
	for (const account of accounts) {
		const ofAccount = await schedules.list(accountTag(account));
		found.push(...ofAccount.map(schedule => ({account, schedule})));
	}

	const sorted = found.toSorted((a, b) => a.schedule.dueAt - b.schedule.dueAt);
	if (json) {
		for (const owned of sorted) {
			terminal.print(jsonOf(owned, text === true));
		}
	} else if (sorted.length > 0) {
		const paint = (cell: string, column: number) => (column === 2 ? terminal.paint('bold', cell) : cell);
		const rows = sorted.map(owned => ({...rowOf(owned, text === true), paint}));
		terminal.print(tableLines([`DUE (${zoneName()})`, 'BOT', 'SCHEDULE'], rows).join('\n'));
	}

	if (found.length === 0) {
		terminal.note('Nothing is scheduled. Bots schedule with ctx.schedule() and .cron(), you with `bothy send --at`.');
	}
}

export async function cancelSchedule(
	terminal: Terminal,
	{id, bot, json}: {id: string; bot?: string; json?: true},
): Promise<undefined> {
	const {accounts, schedules} = await open(terminal, bot);
	const holder = await findHolder(id, {accounts, schedules});
	const found = await schedules.find(accountTag(holder), id);
	if (found?.kind === 'cron' && found.handler !== undefined) {
		throw new CommandError(`${id} is a .cron() in the code of the bot \`${holder.bot}\`. Remove it there`);
	}

	if (!(await schedules.cancel(accountTag(holder), id))) {
		throw new CommandError(`${id} is being posted; it is too late to cancel it`);
	}

	terminal.print(json ? JSON.stringify({cancelled: id, bot: holder.name}) : `Cancelled ${id} of ${holder.name}.`);
}

/** Runs it in addition to its due times, or, if it has only one, instead of it. */
export async function runSchedule(
	terminal: Terminal,
	{id, bot, json}: {id: string; bot?: string; json?: true},
): Promise<undefined> {
	const {accounts, schedules, runNow} = await open(terminal, bot);
	const holder = await findHolder(id, {accounts, schedules});
	if ((await runNow(holder, id)) !== 'running') {
		throw new CommandError(`${id} is being posted, or its previous run still runs. Look at \`bothy deliveries\``);
	}

	terminal.print(json ? JSON.stringify({running: id, bot: holder.name}) : `Runs ${id} of ${holder.name} now.`);
}

/** The one account that has the schedule. */
async function findHolder(
	id: string,
	{accounts, schedules}: {accounts: readonly Account[]; schedules: StoredSchedules},
): Promise<Account> {
	const holders: Account[] = [];
	for (const account of accounts) {
		if (await schedules.find(accountTag(account), id)) {
			holders.push(account);
		}
	}

	const [holder, ...others] = holders;
	if (!holder) {
		throw new CommandError(`Expected the id of a schedule, found "${id}". \`bothy schedules\` lists them.`);
	}

	if (others.length > 0) {
		const names = holders.map(({name}) => name).join(' and ');
		throw new CommandError(`${names} both have a schedule ${id}: choose one with --bot`);
	}

	return holder;
}

async function open(terminal: Terminal, bot: string | undefined) {
	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const {connection} = await openLedger(terminal);
	const planned = openPlanned(connection, accounts);
	terminal.teardown.add(planned.close);
	return {accounts, ...planned};
}

function rowOf({account, schedule}: Owned, withText: boolean): Row {
	const said = schedule.text === undefined ? '' : shown(schedule.text, withText);
	const where = schedule.target === undefined ? '' : shownTarget(schedule.target);
	return {
		cells: [shortTime(schedule.dueAt), account.name, schedule.id],
		notes: [
			schedule.kind === 'once' ? onceText(schedule) : repeatText(schedule),
			[where, said].filter(Boolean).join('  '),
		],
	};
}

function onceText({handler, state}: Schedule & {kind: 'once'}): string {
	return handler === undefined ? stateText(state) : `.later('${handler}') ${stateText(state)}`;
}

function repeatText({cron, counts, handler}: Schedule & {kind: 'cron'}): string {
	const what = handler === undefined ? '' : `.cron('${handler}') `;
	const {fired, missed, skipped, byHand} = counts;
	const extra = byHand > 0 ? `, run by hand ${byHand}` : '';
	return `${what}"${cron.pattern}" ${cron.tz}, fired ${fired}, missed ${missed}, skipped ${skipped}${extra}`;
}

function jsonOf({account, schedule}: Owned, withText: boolean): string {
	return JSON.stringify({
		bot: account.name,
		email: account.email,
		site: account.site,
		...schedule,
		dueAt: new Date(schedule.dueAt).toISOString(),
		...(schedule.target === undefined ? {} : {target: targetOf(schedule.target)}),
		...(schedule.text === undefined ? {} : {text: shown(schedule.text, withText)}),
	});
}
