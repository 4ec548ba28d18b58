// The command line: each command, and what loads what it does when it is called. Loading everything takes longer than most
// commands do.

import {Command} from 'commander';
import {ENVIRONMENT} from '../config/settings.js';
import {ROLES} from '../host/roles.js';
import {version} from '../host/version.js';
import {addCallCommand} from './calling.js';
import {addLaterCommands} from './later.js';
import {addLedgerCommands} from './ledger.js';
import {runOnce} from './once.js';
import {addOperatingCommands} from './operating.js';
import {addPeopleCommands} from './people.js';

/** `once` runs the commands that do one thing and end. */
export function createProgram(once: typeof runOnce = runOnce): Command {
	const program = new Command('bothy')
		.description('A bot host for team chats.')
		.version(version)
		.addHelpText('after', environmentHelp());

	program
		.command('start')
		.description('everything on one machine: realm with chat page, receiver, workers, Redis')
		.action(async () => (await import('./commands.js')).runStart());
	program
		.command('dev')
		.description('the same, for whoever writes bots: a saved bot answers anew, and what is wrong with it is told')
		.action(async () => (await import('./dev.js')).runDev());
	program
		.command('new')
		.argument('<name>', 'such as lunch: a file in bots/, and an account of the local realm')
		.description('a bot and its test, to begin with')
		.action(async (name: string) =>
			(await import('./new.js')).runNew(name, {
				folder: process.cwd(),
				print: line => process.stdout.write(`${line}\n`),
			}),
		);
	program
		.command('web')
		.description('the receivers: take outgoing webhooks and run bots; SIGHUP replaces them one by one')
		.option('--lenient', 'start although a plugin cannot be loaded; its bot says that it is out of order')
		.action(async (options: {lenient?: boolean}) => (await import('./commands.js')).runWeb(options));
	program
		.command('receiver', {hidden: true})
		.description('one receiver of `web`')
		.action(async () => (await import('../host/run-receiver.js')).runReceiver());
	program
		.command('worker')
		.argument('[roles...]', `${ROLES.join(', ')}; all when none is named`)
		.description('the workers, any number of them; SIGHUP has them read the config again')
		.action(async (roles: string[]) => (await import('./commands.js')).runWorker(roles));
	program
		.command('realm')
		.description('the local stand-in for the service, for development')
		.action(async () => (await import('./commands.js')).runRealm());
	addLedgerCommands(program, once);
	addLaterCommands(program, once);
	addPeopleCommands(program, once);
	addOperatingCommands(program, once);
	addCallCommand(program, once);
	return program;
}

function environmentHelp(): string {
	const width = Math.max(...Object.keys(ENVIRONMENT).map(name => name.length));
	const lines = Object.entries(ENVIRONMENT).map(
		([name, {about, default: value}]) => `  ${name.padEnd(width)}  ${about}${value ? ` (default: ${value})` : ''}`,
	);
	return `\nEnvironment (each also as NAME_FILE, a file that holds the value):\n${lines.join('\n')}`;
}
