// The commands for whoever keeps Bothy running.

import {type Command, Option} from 'commander';
import {YES} from './bulk-options.js';
import type {ForgetOptions} from './forget.js';
import type {runOnce} from './once.js';

export function addOperatingCommands(program: Command, once: typeof runOnce): void {
	program
		.command('doctor')
		.description('check this host, its Redis and its accounts; exits with 1 if something is wrong')
		.option('--json', 'one JSON object a line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./doctor.js')).runDoctor(terminal, options)),
		);
	program
		.command('status')
		.description('show which processes run, what passes through, and what needs a person')
		.option('--json', 'one JSON object')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./status.js')).runStatus(terminal, options)),
		);
	const accounts = program
		.command('accounts')
		.description('show what Redis holds of each account, configured or not')
		.option('--json', 'one JSON object a line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./accounts.js')).listAccounts(terminal, options)),
		);
	accounts
		.command('move')
		.argument('<old>', 'site under which it is stored')
		.argument('<new>', 'site in the config')
		.description('move everything of a site to its new address: deliveries, sends, schedules, sessions, storage')
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
			'Delete what Redis holds of a person: deliveries with their answers, sessions, questions, messages and schedules for ' +
				'them. Shows first what it would delete, what it would not, and why',
		)
		.action((who: string, options: Omit<ForgetOptions, 'who'>) =>
			once(async terminal => (await import('./forget.js')).forgetPerson(terminal, {...options, who})),
		);
	const bots = program
		.command('bots')
		.description('show which bots are paused')
		.option('--json', 'one JSON object a line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./bots.js')).listBots(terminal, options)),
		);
	bots
		.command('pause')
		.argument('<account>', 'the bot, by section name or email')
		.addOption(new Option('--text <text>', 'what it answers until it is resumed').conflicts('hold'))
		.option('--hold', 'answer nothing: store each message, and run the bot on it when it is resumed')
		.description(
			'do not run a bot, on all hosts. Without --hold it answers each message with a text, and the message is done. ' +
				'Crons and planned handlers wait in both cases',
		)
		.action((name: string, options: {text?: string; hold?: true}) =>
			once(async terminal => (await import('./bots.js')).pauseBots(terminal, {name, ...options})),
		);
	bots
		.command('resume')
		.argument('<account>', 'the bot, by section name or email')
		.description('run a paused bot again, first on what was held')
		.action((name: string) => once(async terminal => (await import('./bots.js')).resumeBots(terminal, {name})));
}
