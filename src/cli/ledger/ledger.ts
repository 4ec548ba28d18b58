// The definitions of `deliveries`, `replay` and `receive`.

import {type Command, Option} from 'commander';
import {LEDGER_STATUSES} from '../../delivery/ledger.js';
import type {runOnce} from '../once.js';
import {parseCount, RATE, YES} from './bulk-options.js';
import type {ListOptions} from './deliveries.js';
import type {ReplayManyOptions} from './replay-many.js';
import {parseSince} from './since.js';

export function addLedgerCommands(program: Command, once: typeof runOnce): void {
	const deliveries = program
		.command('deliveries')
		.argument('[id]', 'show one delivery in full. The reference in an apology works too')
		.description('List deliveries and how they were answered, newest last')
		.option('-b, --bot <account>', 'only this bot, by section name or email')
		.addOption(new Option('-s, --status <status>', 'only deliveries with this status').choices(LEDGER_STATUSES))
		.option('--since <when>', 'only what arrived since then: 2h, 3d, 2026-11-21 or an ISO time', text =>
			parseSince(text),
		)
		.option('-n, --limit <n>', 'list at most this many, the latest ones', parseCount, 50)
		.option('-f, --follow', 'keep printing new and changed ones until Ctrl-C')
		.option('--text', 'show the text of messages')
		.option('--json', 'print one JSON object per line')
		.option('--fail', 'exit with 1 if a delivery in the list failed')
		.action((id: string | undefined, options: ListOptions) =>
			once(async terminal => {
				const {listDeliveries, showDelivery} = await import('./deliveries.js');
				return id === undefined ? listDeliveries(terminal, options) : showDelivery(terminal, {...options, id});
			}),
		);
	deliveries
		.command('replay')
		.option(...YES)
		.option(...RATE)
		.description(
			'Run the current code on the deliveries that match --bot, --status and --since, and post its messages. By default: ' +
				'those that failed or are parked. Skips deliveries that were replayed before',
		)
		.configureHelp({showGlobalOptions: true})
		.action((_options: object, command: Command) =>
			once(async terminal => {
				const {replayMany} = await import('./replay-many.js');
				return replayMany(terminal, command.optsWithGlobals<ReplayManyOptions>());
			}),
		);
	program
		.command('replay')
		.argument('<id>', 'id from `bothy deliveries`')
		.description('Run the current code on a stored delivery and post its messages')
		.option('-b, --bot <account>', 'the bot, if two have a delivery with this id')
		.option('--dry-run', 'print what the bot would do; post and store nothing')
		.action((id: string, options: {bot?: string; dryRun?: true}) =>
			once(async terminal => (await import('./replay.js')).replayDelivery(terminal, {...options, id})),
		);
	program
		.command('receive')
		.argument('<payload.json>', 'file with the body of an outgoing webhook, or - for stdin')
		.description('Handle a payload as if the service had posted it, and print the answer')
		.option('--no-verify', 'do not verify the token')
		.action((file: string, options: {verify: boolean}) =>
			once(async terminal => (await import('./receive-file.js')).receiveFile(terminal, {...options, file})),
		);
}
