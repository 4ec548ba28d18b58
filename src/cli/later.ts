// The definitions of `schedules`, `sends` and `send`.

import {type Command, Option} from 'commander';
import {RATE, YES} from './ledger/bulk-options.js';
import type {BulkSendsOptions} from './ledger/bulk-sends.js';
import {SEND_STATUSES} from './ledger/send-statuses.js';
import type {SendsOptions} from './ledger/sends.js';
import {parseSince} from './ledger/since.js';
import type {runOnce} from './once.js';
import type {SchedulesOptions} from './schedules.js';
import type {SendOptions} from './send.js';

type SettleOptions = BulkSendsOptions & {sent?: true; json?: true};

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
	schedules
		.command('run')
		.argument('<id>', 'id from `bothy schedules`')
		.description('Run something at once that is due later. A recurring one keeps its due times')
		.configureHelp({showGlobalOptions: true})
		.action((id: string, _options: object, command: Command) =>
			once(async terminal => {
				const {runSchedule} = await import('./schedules.js');
				return runSchedule(terminal, {...command.optsWithGlobals<{bot?: string; json?: true}>(), id});
			}),
		);
	const sends = program
		.command('sends')
		.description('List messages that wait to be posted, that failed, or that need a decision')
		.option('-b, --bot <account>', BOT)
		.addOption(new Option('-s, --status <status>', 'only sends with this status').choices(SEND_STATUSES))
		.option('--since <when>', 'only what failed, or waits, since then: 2h, 3d, 2026-11-21 or an ISO time', text =>
			parseSince(text),
		)
		.option('--text', 'show the text of messages')
		.option('--json', 'print one JSON object per line')
		.option('--fail', 'exit with 1 if a send in the list failed or is unknown')
		.action((options: SendsOptions) =>
			once(async terminal => (await import('./ledger/sends.js')).listSends(terminal, options)),
		);
	const settling = {
		retry: sends.command('retry').description('Post again the sends that failed or are unknown'),
		resolve: sends
			.command('resolve')
			.option('--sent', 'treat them as posted (required)')
			.description('Mark sends that failed or are unknown as posted, after you found them in the chat'),
	};
	for (const kind of ['retry', 'resolve'] as const) {
		settling[kind]
			.argument('[id]', 'id from `bothy sends`; without one, all that match --bot, --status and --since')
			.option(...YES)
			.option(...RATE)
			.configureHelp({showGlobalOptions: true})
			.action((id: string | undefined, _options: object, command: Command) =>
				once(async terminal => {
					const given = command.optsWithGlobals<SettleOptions>();
					const {expectSent, settleOne} = await import('./ledger/sends.js');
					if (kind === 'resolve') {
						expectSent(given.sent, id);
					}

					return id === undefined
						? (await import('./ledger/bulk-sends.js')).changeSends(terminal, kind, given)
						: settleOne(terminal, kind, {...given, id});
				}),
			);
	}

	sends
		.command('cancel')
		.option(...YES)
		.option(...RATE)
		.description('Cancel the sends that wait to be posted')
		.configureHelp({showGlobalOptions: true})
		.action((_options: object, command: Command) =>
			once(async terminal => {
				const {changeSends} = await import('./ledger/bulk-sends.js');
				return changeSends(terminal, 'cancel', command.optsWithGlobals<BulkSendsOptions>());
			}),
		);

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
			once(async terminal => (await import('./send.js')).sendMessage(terminal, {...options, account, target, text})),
		);
}
