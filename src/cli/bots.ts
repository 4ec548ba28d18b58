// `bothy bots`: lists, pauses and resumes bots on all hosts.

import {pauseBot, readPaused, resumeBot} from '../host/paused-bots.js';
import {accountTag} from '../redis/account-key.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {tableLines} from './table.js';

const TEXT = 'I am paused at the moment. Please ask again later.';

export async function listBots(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const accounts = findAccounts(terminal);
	const {connection} = await openLedger(terminal);
	const paused = await readPaused(connection);
	const rows = accounts.map(account => ({account, text: paused.get(accountTag(account))}));
	if (json) {
		for (const {account, text} of rows) {
			const {name: bot, email, site} = account;
			terminal.print(JSON.stringify({bot, email, site, paused: text !== undefined, text: text ?? null}));
		}

		return;
	}

	const cells = rows.map(({account, text}) => ({
		cells: [account.name, text === undefined ? 'running' : 'paused'],
		notes: [`${account.email}  ${account.site}`, text ?? ''],
	}));
	terminal.print(tableLines(['BOT', 'STATE'], cells).join('\n'));
}

export async function pauseBots(
	terminal: Terminal,
	{name, text = TEXT}: {name: string; text?: string | undefined},
): Promise<undefined> {
	if (text.trim() === '') {
		throw new CommandError('Expected a text that is not blank');
	}

	const accounts = chooseAccounts(findAccounts(terminal), name, 'bots pause <account>');
	const {connection} = await openLedger(terminal);
	for (const account of accounts) {
		await pauseBot(connection, {account: accountTag(account), text});
		terminal.print(`Paused ${account.name}. Within 5 s, all hosts answer "${text}".`);
	}
}

export async function resumeBots(terminal: Terminal, {name}: {name: string}): Promise<undefined> {
	const accounts = chooseAccounts(findAccounts(terminal), name, 'bots resume <account>');
	const {connection} = await openLedger(terminal);
	for (const account of accounts) {
		const was = await resumeBot(connection, accountTag(account));
		terminal.print(was ? `Resumed ${account.name}. It runs again within 5 s.` : `${account.name} was not paused.`);
	}
}
