// The definitions of `doctor`, `status`, `accounts` and `bots`.

import type {Command} from 'commander';
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
		.description('Show which processes run, how many deliveries each bot had, and which sends need a decision')
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
		.option('--text <text>', 'the answer while the bot is paused')
		.description('Pause a bot on all hosts. Until you resume it, it answers every message with one text')
		.action((name: string, {text}: {text?: string}) =>
			once(async terminal => (await import('./bots.js')).pauseBots(terminal, {name, text})),
		);
	bots
		.command('resume')
		.argument('<account>', 'the bot, by section name or email')
		.description('Resume a paused bot')
		.action((name: string) => once(async terminal => (await import('./bots.js')).resumeBots(terminal, {name})));
}
