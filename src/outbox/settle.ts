// Finds the outcome of an attempt that got no answer: by its receipt, or by a search in the conversation if no receipt is
// possible.

import type {Client} from '../client/client.js';
import {isLockedOut, judge} from '../client/judge.js';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import type {Target} from '../delivery/target.js';
import type {WorkerLog} from '../queue/define-worker.js';
import type {Attempt} from './entry-state.js';
import {type OutboxItem, targetOf} from './item.js';
import type {Receipts} from './receipts.js';
import {listScheduled} from './scheduled-sends.js';
import type {Sight} from './sight.js';
import type {OutboxStore} from './store.js';

/** The outcome of an attempt that got no answer. */
export type Settled =
	/** `isCertain` if the service itself named the message; otherwise a message like it was found. */
	| {readonly kind: 'sent'; readonly messageId: number; readonly isCertain: boolean}
	| {readonly kind: 'scheduled'; readonly scheduledId: number}
	/** It was not carried out. */
	| {readonly kind: 'absent'}
	| {readonly kind: 'wait'; readonly delayMs: number}
	/** The outcome stays unknown forever. */
	| {readonly kind: 'unreadable'};

export interface SettleDependencies {
	readonly outboxes: OutboxStore;
	readonly receipts: Receipts;
	readonly sight: Sight;
	readonly log: WorkerLog;
	/** Milliseconds since 1970. */
	now(): number;
	/** How long an outcome may stay unknown before it is settled without a receipt, in milliseconds. */
	readonly settleMs: number;
	/** A message without success for this long has failed, in milliseconds. */
	readonly giveUpMs: number;
}

export interface Unsettled {
	readonly client: Client;
	readonly dependencies: SettleDependencies;
	readonly said: OutboxItem;
	readonly attempt: Attempt | undefined;
	/** Id of the message that it answers. 0 if it answers none. */
	readonly answered: number;
}

/** Delay before the next search for the receipt of an unknown outcome: as long as the outcome has been open. */
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** The outcome of an attempt: by its receipt, or by a search in the conversation if no receipt is possible. */
export async function settle(ref: DeliveryRef, open: Unsettled): Promise<Settled> {
	const {said, attempt, client, dependencies, answered} = open;
	if (!attempt) {
		return look(ref, {...open, after: answered});
	}

	if (said.entry.via === 'service' && said.entry.dueAt > attempt.at) {
		return settleScheduled(ref, {...open, attempt});
	}

	const target = targetOf(said);
	const found = await dependencies.receipts.find(client, {
		localId: sendId(ref, said.entry.n),
		queue: attempt.queue,
		channel: target && 'channel' in target ? target.channel : undefined,
	});
	if (typeof found === 'number') {
		return {kind: 'sent', messageId: found, isCertain: true};
	}

	const openMs = dependencies.now() - attempt.at;
	const isOver = openMs >= dependencies.settleMs;
	if (found === 'gap') {
		// Searches at once, too: a message found now counts even if somebody deletes it before the settling time is over.
		const looked = await look(ref, {...open, after: Math.max(attempt.after, answered)});
		return isOver ? giveUpLooking(looked, openMs, dependencies) : waitMore(attempt, dependencies);
	}

	return isOver && found === 'absent'
		? {kind: 'absent'}
		: giveUpLooking(waitMore(attempt, dependencies), openMs, dependencies);
}

/** If the service is silent for as long as a send may take, a person decides about the outcome. */
function giveUpLooking(settled: Settled, openMs: number, {giveUpMs}: SettleDependencies): Settled {
	return settled.kind === 'wait' && openMs >= giveUpMs ? {kind: 'unreadable'} : settled;
}

function waitMore({at}: Attempt, {now}: SettleDependencies): Settled {
	const delayMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (now() - at) / 2));
	return {kind: 'wait', delayMs: Math.round(delayMs)};
}

/** Scheduled messages are in a list. One that the service has already sent is in the conversation. */
async function settleScheduled(ref: DeliveryRef, open: Unsettled & {attempt: Attempt}): Promise<Settled> {
	const {said, attempt, client, dependencies} = open;
	const found = await listScheduled(client, said.entry);
	if (found === 'later') {
		return {kind: 'wait', delayMs: LONGEST_WAIT_MS};
	}

	for (const id of found) {
		// Scheduled messages have their own ids.
		if (await dependencies.outboxes.claimMessage({ref, n: said.entry.n}, -id)) {
			return {kind: 'scheduled', scheduledId: id};
		}
	}

	if (dependencies.now() - attempt.at < dependencies.settleMs) {
		return waitMore(attempt, dependencies);
	}

	return said.entry.dueAt > dependencies.now() ? {kind: 'absent'} : look(ref, {...open, after: attempt.after});
}

/** How many messages one request reads. */
const PAGE = 1_000;

/** Searches for the entry among the bot's own messages in that conversation, including edited ones. */
async function look(
	ref: DeliveryRef,
	{said, client, dependencies, after}: Unsettled & {after: number},
): Promise<Settled> {
	const target = targetOf(said);
	if (!target) {
		return {kind: 'absent'};
	}

	const claimed = await dependencies.outboxes.claimed({ref, n: said.entry.n});
	if (claimed !== undefined) {
		return {kind: 'sent', messageId: claimed, isCertain: false};
	}

	const sight = await dependencies.sight.of(client, target);
	if (sight !== 'sees') {
		return sight === 'blind' ? {kind: 'unreadable'} : {kind: 'wait', delayMs: LONGEST_WAIT_MS};
	}

	for (let anchor = after; ; ) {
		const page = await ownMessages({client, dependencies}, {ref, target, after: anchor});
		if (page === 'unreadable') {
			return {kind: 'unreadable'};
		}

		if (page === 'later') {
			return {kind: 'wait', delayMs: LONGEST_WAIT_MS};
		}

		for (const message of page.messages) {
			const isSame = textsOf(message).some(text => text.trim() === said.entry.text.trim());
			if (isSame && (await dependencies.outboxes.claimMessage({ref, n: said.entry.n}, message.id))) {
				return {kind: 'sent', messageId: message.id, isCertain: false};
			}
		}

		anchor = page.messages.at(-1)?.id ?? anchor;
		if (page.messages.length < PAGE) {
			return {kind: 'absent'};
		}
	}
}

type Page = Awaited<ReturnType<Client['getMessages']>>;

/** The texts of the message, now and before it was edited. */
function textsOf({content, edit_history: history}: Page['messages'][number]): string[] {
	const earlier = Array.isArray(history) ? history : [];
	return [content, ...earlier.map(({prev_content: text}) => text).filter(text => typeof text === 'string')];
}

/** The bot's messages in a channel, including those moved to another topic, or its messages to these people. */
async function ownMessages(
	{client, dependencies}: Pick<Unsettled, 'client' | 'dependencies'>,
	{ref, target, after}: {ref: DeliveryRef; target: Target; after: number},
): Promise<Page | 'unreadable' | 'later'> {
	try {
		return await client.getMessages(
			{
				anchor: after,
				include_anchor: false,
				num_before: 0,
				num_after: PAGE,
				narrow: [{operator: 'sender', operand: client.email}, narrowOf(target)],
				apply_markdown: false,
				allow_empty_topic_name: true,
			},
			{delivery: ref.id},
		);
	} catch (error) {
		const found = judge(error);
		if (found.kind !== 'refused' || isLockedOut(error)) {
			return 'later';
		}

		if (found.error.code !== 'BAD_NARROW') {
			// Bothy built the request, so no action of a person explains the error.
			dependencies.log.error({delivery: ref.id, err: error}, 'the service refused a look-up in a conversation');
		}

		return 'unreadable';
	}
}

/** An object, because a pair holds only two strings (service-facts.md 5). */
function narrowOf(target: Target): {operator: string; operand: string | number | number[]} {
	if (!('dm' in target)) {
		return {operator: 'stream', operand: target.channel};
	}

	// People are given by id or by email, never both.
	return {operator: 'dm', operand: typeof target.dm[0] === 'number' ? (target.dm as number[]) : target.dm.join(',')};
}
