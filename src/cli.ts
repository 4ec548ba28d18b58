#!/usr/bin/env node
// The command line. Here, and in `cli/`, real things are made: Redis, ports, the environment.

import {Command} from 'commander';
import {addCallCommand} from './cli/call.js';
import {runRealm, runReceiver, runStart, runWeb, runWorker} from './cli/commands.js';
import {runDev} from './cli/dev.js';
import {addDraftsCommand} from './cli/drafts.js';
import {explain} from './cli/explain.js';
import {addLaterCommands} from './cli/later.js';
import {addLedgerCommands} from './cli/ledger.js';
import {runNew} from './cli/new.js';
import {addPresenceCommand} from './cli/presence.js';
import {version} from './cli/version.js';
import {ROLES} from './cli/working.js';
import {ENVIRONMENT} from './config.js';

const program = new Command('bothy')
	.description('A bot host for team chats.')
	.version(version)
	.addHelpText('after', environmentHelp());

program
	.command('start')
	.description('everything on one machine: realm with chat page, receiver, workers, Redis')
	.action(runStart);
program
	.command('dev')
	.description('the same, for whoever writes bots: a saved bot answers anew, and what is wrong with it is told')
	.action(runDev);
program
	.command('new')
	.argument('<name>', 'such as lunch: a file in bots/, and an account of the local realm')
	.description('a bot and its test, to begin with')
	.action(runNew);
program
	.command('web')
	.description('the receivers: take outgoing webhooks and run bots; SIGHUP replaces them one by one')
	.action(runWeb);
program.command('receiver', {hidden: true}).description('one receiver of `web`').action(runReceiver);
program
	.command('worker')
	.argument('[roles...]', `${ROLES.join(', ')}; all when none is named`)
	.description('the workers; as many as you like')
	.action(runWorker);
program.command('realm').description('the local stand-in for the service, for development').action(runRealm);
addLedgerCommands(program);
addDraftsCommand(program);
addLaterCommands(program);
addPresenceCommand(program);
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
