// `bothy bots`: lists, pauses and resumes bots on all hosts.

import {createEnqueue} from '../host/background/enqueue.js';
import {PAUSED_TEXT, pauseBot, readPaused, resumeAccount} from '../host/paused-bots.js';
import {backgroundDeliveries} from '../queue/background-deliveries.js';
import {openQueue} from '../queue/define-queue.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {tableLines} from './table.js';

export async function listBots(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const accounts = findAccounts(terminal);
	const {connection} = await openLedger(terminal);
	const paused = await readPaused(connection);
	const rows = await Promise.all(
		accounts.map(async account => {
			const tag = accountTag(account);
			return {
				account,
				rule: paused.get(tag),
				held: await connection.zcount(accountKey(connection, tag, 'due'), '+inf', '+inf'),
			};
		}),
	);
	if (json) {
		for (const {account, rule, held} of rows) {
			const {name: bot, email, site} = account;
			terminal.print(JSON.stringify({bot, email, site, paused: rule !== undefined, text: rule?.text ?? null, held}));
		}

		return;
	}

	const cells = rows.map(({account, rule, held}) => ({
		cells: [account.name, rule ? 'paused' : 'running', String(held)],
		notes: [`${account.email}  ${account.site}`, rule?.text ?? ''],
	}));
	terminal.print(tableLines(['BOT', 'STATE', 'HELD'], cells).join('\n'));
}

export async function pauseBots(
	terminal: Terminal,
	{name, text = PAUSED_TEXT, hold}: {name: string; text?: string | undefined; hold?: true | undefined},
): Promise<undefined> {
	if (text.trim() === '') {
		throw new CommandError('Expected a text that is not blank');
	}

	const accounts = chooseAccounts(findAccounts(terminal), name, 'bots pause <account>');
	const {connection} = await openLedger(terminal);
	for (const account of accounts) {
		await pauseBot(connection, accountTag(account), hold ? {} : {text});
		const what = hold ? 'its messages wait until you resume it' : `all hosts answer "${text}"`;
		terminal.print(`Paused ${account.name}. Within 5 s, ${what}. Its crons and planned handlers wait.`);
	}
}

export async function resumeBots(terminal: Terminal, {name}: {name: string}): Promise<undefined> {
	const accounts = chooseAccounts(findAccounts(terminal), name, 'bots resume <account>');
	const {connection, store} = await openLedger(terminal);
	const queue = openQueue(backgroundDeliveries, connection);
	terminal.teardown.add(() => queue.close());
	const rerun = createEnqueue(queue, accounts);
	for (const account of accounts) {
		const {wasPaused, count} = await resumeAccount({redis: connection, store, rerun}, accountTag(account));
		terminal.print(
			wasPaused || count > 0
				? `${account.name} answers again within 5 s. Deliveries that waited and run now: ${count}.`
				: `${account.name} was not paused.`,
		);
	}
}
