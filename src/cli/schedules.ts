// `bothy schedules`: what accounts will say at set times, once or again and again.

import type {Account} from '../config/accounts.js';
import {createEnqueue} from '../host/enqueue.js';
import {openSchedules} from '../host/open-schedules.js';
import {openQueue} from '../queue/define-queue.js';
import {sends} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import type {Schedule} from '../schedules/schedules.js';
import {shown, stateText} from './ledger-entry.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {type Paint, printable} from './paint.js';
import {localTime} from './since.js';

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

	const {paint} = terminal;
	for (const owned of found.toSorted((a, b) => a.schedule.dueAt - b.schedule.dueAt)) {
		terminal.print(json ? jsonOf(owned, text === true) : lineOf(owned, {paint, withText: text === true}));
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
	const holders: Account[] = [];
	for (const account of accounts) {
		const found = await schedules.find(accountTag(account), id);
		if (found?.kind === 'cron' && found.handler !== undefined) {
			throw new CommandError(`${id} is a .cron() in the code of the bot \`${account.bot}\`. Remove it there`);
		}

		if (found) {
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

	if (!(await schedules.cancel(accountTag(holder), id))) {
		throw new CommandError(`${id} is being posted; it is too late to cancel it`);
	}

	terminal.print(json ? JSON.stringify({cancelled: id, bot: holder.name}) : `Cancelled ${id} of ${holder.name}.`);
}

async function open(terminal: Terminal, bot: string | undefined) {
	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const {connection} = await openLedger(terminal);
	const queue = openQueue(sends, connection);
	terminal.teardown.add(() => queue.close());
	return {accounts, schedules: openSchedules(connection, createEnqueue(queue, accounts))};
}

function lineOf(
	{account, schedule}: Owned,
	{paint, withText}: {readonly paint: Paint; readonly withText: boolean},
): string {
	const columns = [
		localTime(schedule.dueAt),
		account.name,
		paint('bold', printable(schedule.id)),
		schedule.kind === 'once' ? onceText(schedule) : repeatText(schedule),
		printable(schedule.target ?? ''),
		schedule.text === undefined ? '' : printable(shown(schedule.text, withText)),
	];
	return columns.filter(Boolean).join('  ');
}

function onceText({handler, state}: Schedule & {kind: 'once'}): string {
	return handler === undefined ? stateText(state) : `.later('${handler}') ${stateText(state)}`;
}

function repeatText({cron, counts, handler}: Schedule & {kind: 'cron'}): string {
	const what = handler === undefined ? '' : `.cron('${handler}') `;
	const {fired, missed, skipped} = counts;
	return `${what}"${cron.pattern}" ${cron.tz}, fired ${fired}, missed ${missed}, skipped ${skipped}`;
}

function jsonOf({account, schedule}: Owned, withText: boolean): string {
	return JSON.stringify({
		bot: account.name,
		email: account.email,
		site: account.site,
		...schedule,
		dueAt: new Date(schedule.dueAt).toISOString(),
		...(schedule.text === undefined ? {} : {text: shown(schedule.text, withText)}),
	});
}
