#!/usr/bin/env node
// The command line. Here, and in `cli/`, real things are made: Redis, ports, the environment. What a command does is
// loaded when it is called: loading everything takes longer than most commands do.

import {Command} from 'commander';
import {addCallCommand} from './cli/calling.js';
import {explain} from './cli/explain.js';
import {addLaterCommands} from './cli/later.js';
import {addLedgerCommands} from './cli/ledger.js';
import {addPeopleCommands} from './cli/people.js';
import {ROLES} from './cli/roles.js';
import {version} from './cli/version.js';
import {ENVIRONMENT} from './config/settings.js';

const program = new Command('bothy')
	.description('A bot host for team chats.')
	.version(version)
	.addHelpText('after', environmentHelp());

program
	.command('start')
	.description('everything on one machine: realm with chat page, receiver, workers, Redis')
	.action(async () => (await import('./cli/commands.js')).runStart());
program
	.command('dev')
	.description('the same, for whoever writes bots: a saved bot answers anew, and what is wrong with it is told')
	.action(async () => (await import('./cli/dev.js')).runDev());
program
	.command('new')
	.argument('<name>', 'such as lunch: a file in bots/, and an account of the local realm')
	.description('a bot and its test, to begin with')
	.action(async (name: string) => (await import('./cli/new.js')).runNew(name));
program
	.command('web')
	.description('the receivers: take outgoing webhooks and run bots; SIGHUP replaces them one by one')
	.option('--lenient', 'start although a plugin cannot be loaded; its bot says that it is out of order')
	.action(async (options: {lenient?: boolean}) => (await import('./cli/commands.js')).runWeb(options));
program
	.command('receiver', {hidden: true})
	.description('one receiver of `web`')
	.action(async () => (await import('./cli/run-receiver.js')).runReceiver());
program
	.command('worker')
	.argument('[roles...]', `${ROLES.join(', ')}; all when none is named`)
	.description('the workers, any number of them; SIGHUP has them read the config again')
	.action(async (roles: string[]) => (await import('./cli/commands.js')).runWorker(roles));
program
	.command('realm')
	.description('the local stand-in for the service, for development')
	.action(async () => (await import('./cli/commands.js')).runRealm());
addLedgerCommands(program);
addLaterCommands(program);
addPeopleCommands(program);
addCallCommand(program);

function environmentHelp(): string {
	const width = Math.max(...Object.keys(ENVIRONMENT).map(name => name.length));
	const lines = Object.entries(ENVIRONMENT).map(
		([name, {about, default: value}]) => `  ${name.padEnd(width)}  ${about}${value ? ` (default: ${value})` : ''}`,
	);
	return `\nEnvironment (each also as NAME_FILE, a file that holds the value):\n${lines.join('\n')}`;
}

try {
	await program.parseAsync();
} catch (error) {
	process.stderr.write(`${explain(error)}\n`);
	process.exit(1);
}
