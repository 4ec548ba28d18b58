// `bothy sends retry` and `bothy sends cancel`: decides about many sends at once, after a dry run.

import {setTimeout as sleep} from 'node:timers/promises';
import {createEnqueue} from '../host/enqueue.js';
import {CommandError, type Terminal} from './once.js';
import type {SendStatus} from './send-statuses.js';
import {type Found, findSends, type OpenedSends} from './sends.js';

export interface BulkOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
	/** How many it must be; without it nothing is changed. */
	readonly confirm?: number;
	/** How many a second. */
	readonly rate: number;
}

/** What each does, and of which sends: those that failed or are unknown, or those that nobody has begun to post. */
const KINDS = {
	retry: {
		statuses: ['failed', 'unknown'],
		act: async ({ref, entry}: Found, {outboxes, queue, accounts}: OpenedSends) => {
			const isDone = (await outboxes.resolve({ref, n: entry.n}, 'waiting')) === 'resolved';
			if (isDone) {
				await createEnqueue(queue, accounts)(ref);
			}

			return isDone;
		},
	},
	cancel: {
		statuses: ['waiting', 'retrying'],
		act: ({ref, entry}: Found, {outboxes}: OpenedSends) => outboxes.cancel({ref, n: entry.n}, entry.name ?? ''),
	},
} as const;

/** Progress is told after so many. */
const TELL_EVERY = 100;

/** Gives the exit code: 1 if some could not be changed any more. */
export async function changeSends(
	terminal: Terminal,
	kind: keyof typeof KINDS,
	{bot, status, confirm, rate}: BulkOptions,
): Promise<number> {
	const {statuses, act} = KINDS[kind];
	const allowed: readonly string[] = statuses;
	if (status !== undefined && !allowed.includes(status)) {
		throw new CommandError(`--status: \`sends ${kind}\` takes ${statuses.join(' and ')}, found ${status}`);
	}

	const {found, opened} = await findSends(terminal, bot);
	const wanted = found.filter(({status: own}) => (status === undefined ? allowed.includes(own) : own === status));
	if (confirm === undefined) {
		terminal.print(`Would ${kind} ${wanted.length} sends. \`bothy sends\` lists them.`);
		terminal.note(`Nothing has changed. To do it, add: --confirm ${wanted.length}`);
		return 0;
	}

	if (confirm !== wanted.length) {
		throw new CommandError(
			`--confirm: expected ${wanted.length}, the number of sends that match now, found ${confirm}`,
		);
	}

	let done = 0;
	for (const [index, send] of wanted.entries()) {
		done += (await act(send, opened)) ? 1 : 0;
		if ((index + 1) % TELL_EVERY === 0) {
			terminal.note(`${index + 1} of ${wanted.length}`);
		}

		if (index + 1 < wanted.length) {
			await sleep(1000 / rate);
		}
	}

	const rest = wanted.length - done;
	terminal.print(`${kind === 'retry' ? 'Posting again' : 'Cancelled'}: ${done}. Too late for: ${rest}.`);
	return rest === 0 ? 0 : 1;
}
