// The command that calls the service.

import type {Command} from 'commander';
import type {CallOptions} from './call.js';
import type {runOnce} from './once.js';

export function addCallCommand(program: Command, once: typeof runOnce): void {
	const command = program
		.command('call')
		.description("any operation of the service's API, as one of the accounts")
		.argument('[operation]', 'sendMessage, getStreams, …')
		.argument('[values...]', 'parameters as name=value; JSON where the value is no string, @path for a file')
		.option(
			'--as <account>',
			"the account that calls: its section's name or its email; in the local realm also a person's email",
		)
		.option('--json', 'the answer as it came, as JSON')
		.option('--list', 'all operations')
		.helpOption(false)
		.option('-h, --help', 'this help, or that of an operation')
		.action((name: string | undefined, values: readonly string[], options: CallOptions) =>
			once(async terminal => {
				const {runCall} = await import('./call.js');
				return runCall(terminal, {name, values, options, usage: command.helpInformation().trimEnd()});
			}),
		);
}
