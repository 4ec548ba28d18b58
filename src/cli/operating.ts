// The commands for whoever keeps Bothy running.

import type {Command} from 'commander';
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
}
