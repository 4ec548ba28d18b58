// The command line. Each command loads its code when it runs, because loading everything would take longer than most commands.

import {Command} from 'commander';
import {ENVIRONMENT} from '../config/environment.js';
import {ROLES} from '../host/roles.js';
import {version} from '../host/version.js';
import {addCallCommand} from './calling.js';
import {addLaterCommands} from './later.js';
import {addLedgerCommands} from './ledger/ledger.js';
import type {runOnce} from './once.js';
import {addOperatingCommands} from './operating.js';
import {addPeopleCommands} from './people.js';

/** The default port of debuggers. */
const DEBUGGER_PORT = 9229;

/** `once` runs the commands that exit by themselves. */
export function createProgram(once: typeof runOnce = loadAndRunOnce): Command {
	const program = new Command('bothy')
		.description('A bot host for team chats.')
		.version(version)
		.addHelpText('after', environmentHelp());

	program
		.command('start')
		.description('Start everything on one machine: the local realm with its chat page, receivers, workers and Redis')
		.action(async () => (await import('./commands.js')).runStart());
	program
		.command('dev')
		.description(
			'Start everything on one machine for writing bots. Reloads a bot when you save it, and reports its errors',
		)
		.option('--inspect [port]', 'open a debugger in the process that runs the bots (default: 9229)')
		.action(async ({inspect}: {inspect?: true | string}) =>
			(await import('./project/dev.js')).runDev(
				inspect === undefined ? {} : {inspect: inspect === true ? DEBUGGER_PORT : Number(inspect)},
			),
		);
	program
		.command('new')
		.argument('<name>', 'name of the bot in lower case, such as lunch')
		.description('Create a bot in bots/ and its test')
		.action(async (name: string) =>
			(await import('./project/new.js')).runNew(name, {
				folder: process.cwd(),
				print: line => process.stdout.write(`${line}\n`),
			}),
		);
	program
		.command('web')
		.description('Run the receivers: they accept webhooks and run bots. SIGHUP replaces them one by one')
		.option('--lenient', 'start even if a plugin fails to load. Its bot then answers that it failed to load')
		.action(async (options: {lenient?: boolean}) => (await import('./web.js')).runWeb(options));
	program
		.command('receiver', {hidden: true})
		.description('Run one receiver of `web`')
		.action(async () => (await import('../host/run-receiver.js')).runReceiver());
	program
		.command('worker')
		.argument('[roles...]', `${ROLES.join(', ')}; default: all of them`)
		.description('Run workers: they post messages, poll, and recover lost work. SIGHUP reloads the config')
		.action(async (roles: string[]) => (await import('./commands.js')).runWorker(roles));
	program
		.command('console')
		.description("Serve the operator's console: what needs attention, deliveries, health. Needs ADMIN_TOKEN")
		.action(async () => (await import('./console.js')).runConsole());
	program
		.command('realm')
		.description('Run only the local realm and its chat page, for bots of any language')
		.option(
			'--bot <name=url>',
			'create a bot whose webhooks go to this URL. Can be repeated. Default: one per plugin',
			collect,
		)
		.action(async ({bot = []}: {bot?: string[]}) => {
			const {readForeignBot, runRealm} = await import('./realm.js');
			await runRealm(bot.map(readForeignBot));
		});
	addLedgerCommands(program, once);
	addLaterCommands(program, once);
	addPeopleCommands(program, once);
	addOperatingCommands(program, once);
	addCallCommand(program, once);
	return program;
}

const loadAndRunOnce: typeof runOnce = async act => (await import('./once.js')).runOnce(act);

function collect(value: string, earlier: readonly string[] = []): string[] {
	return [...earlier, value];
}

function environmentHelp(): string {
	const width = Math.max(...Object.keys(ENVIRONMENT).map(name => name.length));
	const lines = Object.entries(ENVIRONMENT).map(
		([name, {about, default: value}]) => `  ${name.padEnd(width)}  ${about}${value ? ` (default: ${value})` : ''}`,
	);
	return `\nEnvironment variables (or NAME_FILE, the path of a file with the value):\n${lines.join('\n')}`;
}
