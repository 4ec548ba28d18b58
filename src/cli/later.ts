// The definitions of `schedules`, `sends` and `send`.

import {type Command, InvalidArgumentError, Option} from 'commander';
import type {BulkOptions} from './bulk-sends.js';
import type {runOnce} from './once.js';
import type {SchedulesOptions} from './schedules.js';
import {SEND_STATUSES} from './send-statuses.js';
import type {SendOptions, SendsOptions} from './sends.js';

const BOT = 'only this bot, by section name or email';

export function addLaterCommands(program: Command, once: typeof runOnce): void {
	const schedules = program
		.command('schedules')
		.description('List scheduled messages, soonest first')
		.option('-b, --bot <account>', BOT)
		.option('--text', 'show the text of messages')
		.option('--json', 'print one JSON object per line')
		.action((options: SchedulesOptions) =>
			once(async terminal => (await import('./schedules.js')).listSchedules(terminal, options)),
		);
	schedules
		.command('cancel')
		.argument('<id>', 'id from `bothy schedules`')
		.description('Cancel a scheduled message')
		.configureHelp({showGlobalOptions: true})
		.action((id: string, _options: object, command: Command) =>
			once(async terminal => {
				const {cancelSchedule} = await import('./schedules.js');
				return cancelSchedule(terminal, {...command.optsWithGlobals<{bot?: string; json?: true}>(), id});
			}),
		);
	const sends = program
		.command('sends')
		.description('List messages that wait to be posted, that failed, or that need a decision')
		.option('-b, --bot <account>', BOT)
		.addOption(new Option('-s, --status <status>', 'only sends with this status').choices(SEND_STATUSES))
		.option('--text', 'show the text of messages')
		.option('--json', 'print one JSON object per line')
		.option('--fail', 'exit with 1 if a send in the list failed or is unknown')
		.action((options: SendsOptions) =>
			once(async terminal => (await import('./sends.js')).listSends(terminal, options)),
		);
	sends
		.command('resolve')
		.argument('<id>', 'id from `bothy sends`')
		.option('--sent', 'treat it as posted')
		.option('--again', 'post it again')
		.description('Settle a send that failed or whose outcome is unknown')
		.configureHelp({showGlobalOptions: true})
		.action((id: string, _options: object, command: Command) =>
			once(async terminal => {
				const {resolveSend} = await import('./sends.js');
				const given = command.optsWithGlobals<{bot?: string; sent?: true; again?: true; json?: true}>();
				return resolveSend(terminal, {...given, id});
			}),
		);
	for (const [kind, about] of [
		['retry', 'Post failed and unknown sends again. Without --confirm, only count them'],
		['cancel', 'Cancel sends that wait to be posted. Without --confirm, only count them'],
	] as const) {
		sends
			.command(kind)
			.option('--confirm <count>', 'do it if exactly this many sends match', parseCount)
			.option('--rate <n>', 'sends per second', parseCount, 10)
			.description(about)
			.configureHelp({showGlobalOptions: true})
			.action((_options: object, command: Command) =>
				once(async terminal => {
					const {changeSends} = await import('./bulk-sends.js');
					return changeSends(terminal, kind, command.optsWithGlobals<BulkOptions>());
				}),
			);
	}

	program
		.command('send')
		.argument('<account>', 'the bot, by section name or email')
		.argument('<target>', '"#channel > topic", or comma-separated emails or user IDs')
		.argument('<text>', 'Markdown')
		.option('--at <when>', 'when, in this machine\'s time zone: "tomorrow 9:00", "in 20 minutes", 2026-11-23T09:00')
		.option('--no-wait', 'do not wait until the message is posted')
		.option('--json', 'print the id and the outcome as JSON')
		.description('Post a message as a bot, now or later')
		.action((account: string, target: string, text: string, options: Pick<SendOptions, 'at' | 'json' | 'wait'>) =>
			once(async terminal => (await import('./sends.js')).sendMessage(terminal, {...options, account, target, text})),
		);
}

function parseCount(text: string): number {
	const count = Number(text);
	if (!Number.isInteger(count) || count < 1) {
		throw new InvalidArgumentError('Expected a whole number of at least 1.');
	}

	return count;
}
