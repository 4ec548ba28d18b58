// `bothy sends retry`, `resolve` and `cancel`: decides about many sends at once.

import {createEnqueue} from '../../host/background/enqueue.js';
import {settleSend} from '../../host/ledger/settle.js';
import {shownTarget} from '../../host/ledger/shown-target.js';
import {CommandError, type Terminal} from '../once.js';
import {actOnAll, type BulkOptions} from './bulk.js';
import type {SendStatus} from './send-statuses.js';
import {type Found, findSends, type OpenedSends} from './sends.js';

export interface BulkSendsOptions extends BulkOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
	/** Milliseconds since 1970. */
	readonly since?: number;
}

const settle =
	(state: 'waiting' | 'sent 0') =>
	async ({ref, entry}: Found, {outboxes, queue, accounts}: OpenedSends) =>
		(await settleSend({outboxes, enqueue: createEnqueue(queue, accounts)}, {ref, n: entry.n}, state)) === 'resolved';

const UNSETTLED = ['failed', 'unknown'];

/** What each command does, and to which sends: those that failed or are unknown, or those whose post has not begun. */
const KINDS = {
	retry: {verb: 'retry', statuses: UNSETTLED, act: settle('waiting')},
	resolve: {verb: 'treat as sent', statuses: UNSETTLED, act: settle('sent 0')},
	cancel: {
		verb: 'cancel',
		statuses: ['waiting', 'retrying'],
		act: ({ref, entry}: Found, {outboxes}: OpenedSends) => outboxes.cancel({ref, n: entry.n}, entry.name ?? ''),
	},
} as const;

/** Returns the exit code: 1 if it was too late to change some. */
export async function changeSends(
	terminal: Terminal,
	kind: keyof typeof KINDS,
	{bot, status, since, ...options}: BulkSendsOptions,
): Promise<number> {
	const {verb, statuses, act} = KINDS[kind];
	const allowed: readonly string[] = statuses;
	if (status !== undefined && !allowed.includes(status)) {
		throw new CommandError(`--status: \`sends ${kind}\` takes ${statuses.join(' and ')}, found ${status}`);
	}

	const {found, opened} = await findSends(terminal, {bot, since});
	return actOnAll(
		terminal,
		{
			verb,
			things: 'sends',
			items: found.filter(({status: own}) => (status === undefined ? allowed.includes(own) : own === status)),
			describe: ({account, ref, entry, status}) =>
				`${account.name}  ${ref.id}/${entry.n}  ${status}  ${shownTarget(entry.target)}`,
			act: send => act(send, opened),
		},
		options,
	);
}
