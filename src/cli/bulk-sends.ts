// `bothy sends retry` and `bothy sends cancel`: changes many sends at once, after a dry run.

import {setTimeout as sleep} from 'node:timers/promises';
import {createEnqueue} from '../host/enqueue.js';
import {CommandError, type Terminal} from './once.js';
import type {SendStatus} from './send-statuses.js';
import {type Found, findSends, type OpenedSends} from './sends.js';

export interface BulkOptions {
	readonly bot?: string;
	readonly status?: SendStatus;
	/** The expected number of sends. Without it, the command is a dry run. */
	readonly confirm?: number;
	/** Sends per second. */
	readonly rate: number;
}

/** Which sends each command takes, and what it does to one. */
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

/** Prints progress after this many sends. */
const TELL_EVERY = 100;

/** Returns the exit code: 1 if it was too late for some of them. */
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
