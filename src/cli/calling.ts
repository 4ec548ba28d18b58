// The definition of `bothy call`.

import type {Command} from 'commander';
import type {CallOptions} from './call.js';
import type {runOnce} from './once.js';

export function addCallCommand(program: Command, once: typeof runOnce): void {
	const command = program
		.command('call')
		.description("Call an operation of the service's API as one of the accounts")
		.argument('[operation]', 'sendMessage, getStreams, …')
		.argument('[values...]', 'name=value; JSON for values that are not strings, @path for a file')
		.option('--as <account>', "the account, by section name or email; in the local realm also a person's email")
		.option('--json', 'print the answer as JSON')
		.option('--list', 'list all operations')
		.helpOption(false)
		.option('-h, --help', 'display help for command, or for an operation')
		.action((name: string | undefined, values: readonly string[], options: CallOptions) =>
			once(async terminal => {
				const {runCall} = await import('./call.js');
				return runCall(terminal, {name, values, options, usage: command.helpInformation().trimEnd()});
			}),
		);
}
