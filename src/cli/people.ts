// The definitions of `drafts` and `presence`.

import type {Command} from 'commander';
import type {DraftsOptions} from './drafts.js';
import type {runOnce} from './once.js';

export function addPeopleCommands(program: Command, once: typeof runOnce): void {
	program
		.command('drafts')
		.description("List bots' drafts in people's accounts, with their states")
		.option('-a, --account <account>', 'only this account, by section name or email')
		.option('--text', 'show the text of drafts')
		.option('--json', 'print one JSON object per line')
		.action((options: DraftsOptions) =>
			once(async terminal => (await import('./drafts.js')).listDrafts(terminal, options)),
		);
	program
		.command('presence')
		.description('List the accounts with `presence`: hours, last ping, and why an account is parked')
		.option('--json', 'print one JSON object per line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./presence.js')).listPresence(terminal, options)),
		);
}
