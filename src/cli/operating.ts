// The definitions of `doctor`, `status`, `accounts` and `bots`.

import {type Command, Option} from 'commander';
import {YES} from './ledger/bulk-options.js';
import type {ForgetOptions} from './ledger/forget.js';
import type {runOnce} from './once.js';

export function addOperatingCommands(program: Command, once: typeof runOnce): void {
	program
		.command('doctor')
		.description('Check this host, its Redis and its accounts. Exits with 1 if something is wrong')
		.option('--json', 'print one JSON object per line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./doctor.js')).runDoctor(terminal, options)),
		);
	program
		.command('status')
		.description('Show which processes run, how many deliveries each bot had, and what is wrong with it')
		.option('--json', 'print one JSON object')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./status.js')).runStatus(terminal, options)),
		);
	const accounts = program
		.command('accounts')
		.description('List the accounts that have data in Redis, also those that are no longer in the config')
		.option('--json', 'print one JSON object per line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./accounts.js')).listAccounts(terminal, options)),
		);
	accounts
		.command('move')
		.argument('<old>', 'the old site, as `bothy accounts` shows it')
		.argument('<new>', 'the new site, as in the config')
		.description('Move the data of a site that has a new address: deliveries, sends, schedules, sessions, storage')
		.action((from: string, to: string) =>
			once(async terminal => (await import('./accounts.js')).moveAccounts(terminal, {from, to})),
		);
	program
		.command('forget')
		.argument('<person>', 'user ID or email')
		.option('-b, --bot <account>', 'only of this bot, by section name or email')
		.option('--storage <keys...>', "keys of the bots' storage to delete as well")
		.option(...YES)
		.description(
			'Delete what Redis stores about a person: deliveries with their answers, sessions, questions, and messages and ' +
				'schedules for the person. First shows what it would delete, what it would keep, and why',
		)
		.action((who: string, options: Omit<ForgetOptions, 'who'>) =>
			once(async terminal => (await import('./ledger/forget.js')).forgetPerson(terminal, {...options, who})),
		);
	const bots = program
		.command('bots')
		.description('List bots, and which of them are paused')
		.option('--json', 'print one JSON object per line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./bots.js')).listBots(terminal, options)),
		);
	bots
		.command('pause')
		.argument('<account>', 'the bot, by section name or email')
		.addOption(new Option('--text <text>', 'the answer to each message until you resume the bot').conflicts('hold'))
		.option('--hold', 'do not answer: store each message, and run the bot on it when you resume it')
		.description(
			'Stop running a bot, on all hosts. Without --hold, Bothy answers each message with a text, and the bot never gets ' +
				'the message. Crons and planned handlers wait in both cases',
		)
		.action((name: string, options: {text?: string; hold?: true}) =>
			once(async terminal => (await import('./bots.js')).pauseBots(terminal, {name, ...options})),
		);
	bots
		.command('resume')
		.argument('<account>', 'the bot, by section name or email')
		.description('Run a paused bot again, first on the stored messages')
		.action((name: string) => once(async terminal => (await import('./bots.js')).resumeBots(terminal, {name})));
}
