// The commands about what is done in people's names: their drafts, and whether they are shown as present.

import type {Command} from 'commander';
import type {DraftsOptions} from './drafts.js';
import type {runOnce} from './once.js';

export function addPeopleCommands(program: Command, once: typeof runOnce): void {
	program
		.command('drafts')
		.description("what bots keep in people's drafts, and what became of it")
		.option('-a, --account <account>', "only of this account: its section's name or its email")
		.option('--text', 'show the text of drafts')
		.option('--json', 'one JSON object a line')
		.action((options: DraftsOptions) =>
			once(async terminal => (await import('./drafts.js')).listDrafts(terminal, options)),
		);
	program
		.command('presence')
		.description('the accounts that are shown as present: in hours or not, last ping, parked and why')
		.option('--json', 'one JSON object a line')
		.action((options: {json?: true}) =>
			once(async terminal => (await import('./presence.js')).listPresence(terminal, options)),
		);
}
