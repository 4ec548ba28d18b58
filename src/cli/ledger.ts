// The commands that look into the ledger and run what stands in it again.

import {type Command, InvalidArgumentError, Option} from 'commander';
import {LEDGER_STATUSES} from '../delivery/ledger.js';
import type {ListOptions} from './deliveries.js';
import type {runOnce} from './once.js';
import {parseSince} from './since.js';

export function addLedgerCommands(program: Command, once: typeof runOnce): void {
	program
		.command('deliveries')
		.argument('[id]', 'shows this one whole; also the reference that an apology shows')
		.description('what came and how it was answered, newest last')
		.option('-b, --bot <account>', "only of this bot: its section's name or its email")
		.addOption(new Option('-s, --status <status>', 'only those that stand so').choices(LEDGER_STATUSES))
		.option('--since <when>', '2h, 3d, 2026-11-21, or an ISO time', text => parseSince(text))
		.option('-n, --limit <n>', 'the latest so many', parseLimit, 50)
		.option('-f, --follow', 'print new and changed ones until Ctrl-C')
		.option('--text', 'show the text of messages')
		.option('--json', 'one JSON object a line')
		.option('--fail', 'exit with 1 if a delivery in the list failed')
		.action((id: string | undefined, options: ListOptions) =>
			once(async terminal => {
				const {listDeliveries, showDelivery} = await import('./deliveries.js');
				return id === undefined ? listDeliveries(terminal, options) : showDelivery(terminal, {...options, id});
			}),
		);
	program
		.command('replay')
		.argument('<id>', 'as `bothy deliveries` shows it')
		.description("runs today's code on a stored delivery; what the bot says is posted")
		.option('-b, --bot <account>', "whose delivery it is, should two bots have the same: section's name or email")
		.option('--dry-run', 'print what the bot would say; nothing is posted or stored')
		.action((id: string, options: {bot?: string; dryRun?: true}) =>
			once(async terminal => (await import('./replay.js')).replayDelivery(terminal, {...options, id})),
		);
	program
		.command('receive')
		.argument('<payload.json>', 'a file with the body of an outgoing webhook, or - for stdin')
		.description('takes a payload as if the service had posted it, and prints the answer')
		.option('--no-proof', 'take it without its token')
		.action((file: string, options: {proof: boolean}) =>
			once(async terminal => (await import('./receive-file.js')).receiveFile(terminal, {...options, file})),
		);
}

function parseLimit(text: string): number {
	const limit = Number(text);
	if (!Number.isInteger(limit) || limit < 1) {
		throw new InvalidArgumentError('Expected a whole number of at least 1.');
	}

	return limit;
}
