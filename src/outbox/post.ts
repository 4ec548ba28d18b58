// Carries out what an entry asks for: posts a message, changes one, or runs a handler whose time has come.

import type {Client} from '../client/client.js';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import type {Target} from '../delivery/target.js';
import {answeredBy, Planned, type Work} from '../delivery/work.js';
import {type Attempt, readState} from './entry-state.js';
import {type OutboxItem, targetOf} from './item.js';
import {failed, outcomeOf, type Posted} from './outcome.js';
import {schedule} from './scheduled-sends.js';
import type {OutboxStore} from './store.js';

export interface PostDependencies {
	readonly outboxes: OutboxStore;
	/** Milliseconds since 1970. */
	now(): number;
	/** Makes the bot run for work that Bothy itself starts. */
	runBot(ref: DeliveryRef, work: Work): Promise<void>;
}

export interface Posting {
	readonly ref: DeliveryRef;
	readonly said: OutboxItem;
	readonly attempt: Attempt;
	readonly dependencies: PostDependencies;
}

export async function carryOut(client: Client, posting: Posting): Promise<Posted> {
	const {
		ref,
		said: {entry},
		dependencies,
	} = posting;
	switch (entry.kind) {
		case 'later':
			await dependencies.runBot(ref, {
				...Planned.parse(JSON.parse(entry.text)),
				kind: 'later',
				planned: entry.dueAt,
				...(entry.byHand && {byHand: entry.byHand}),
				send: sendId(ref, entry.n),
			});
			return {kind: 'done', messageId: 0};
		case 'edit':
			return editMessage(client, posting);
		default:
			return post(client, posting);
	}
}

/** Changes the text of another entry's message, which was posted before. */
async function editMessage(client: Client, {ref, said: {entry}, attempt, dependencies}: Posting): Promise<Posted> {
	const edited = (await dependencies.outboxes.read(ref)).find(({n}) => n === entry.edits);
	const parts = readState(edited?.state ?? 'unknown');
	const messageId = parts.kind === 'sent' ? parts.messageId : 0;
	if (messageId === 0) {
		return {kind: 'refused', reason: 'the message that it changes was not posted'};
	}

	try {
		await client.updateMessage({message_id: messageId, content: entry.text}, {delivery: ref.id});
		return {kind: 'done', messageId};
	} catch (error) {
		const outcome = outcomeOf(error, attempt);
		return outcome.kind === 'unknown' ? failed('no answer came', attempt.failures) : outcome;
	}
}

async function post(client: Client, {ref, said, attempt, dependencies}: Posting): Promise<Posted> {
	const target = targetOf(said);
	if (!target) {
		return {kind: 'refused', reason: 'the answered message is no longer stored, or cannot be read'};
	}

	if (said.entry.via === 'service' && said.entry.dueAt > dependencies.now()) {
		return schedule(client, {target, entry: said.entry, attempt});
	}

	const receipt = attempt.queue === '' ? {} : {queue_id: attempt.queue, local_id: sendId(ref, said.entry.n)};
	try {
		const {id} = await client.sendMessage(
			{
				...addressOf(target),
				...receipt,
				content: said.entry.text,
				widget_content: said.entry.widget,
			},
			{delivery: ref.id},
		);
		return {kind: 'sent', messageId: id};
	} catch (error) {
		const outcome = outcomeOf(error, attempt);
		return outcome.kind === 'refused'
			? sendElsewhere(client, {ref, said, receipt, attempt, reason: outcome.reason})
			: outcome;
	}
}

/** If the bot may not post over REST, its webhook's answer may still work. Otherwise the sender gets the answer directly. */
async function sendElsewhere(
	client: Client,
	{
		ref: {id: delivery},
		said: {entry, work},
		receipt,
		attempt,
		reason,
	}: Omit<Posting, 'dependencies'> & {receipt: object; reason: string},
): Promise<Posted> {
	const asked = work && answeredBy(work);
	await tellOwner(client, {reason, delivery});
	if (entry.kind === 'send' || asked?.message.type !== 'stream') {
		return {kind: 'refused', reason};
	}

	const where = `#**${asked.message.display_recipient}>${asked.message.subject}**`;
	try {
		const {id} = await client.sendMessage(
			{
				...receipt,
				type: 'direct',
				to: [asked.message.sender_id],
				content: `I cannot post in ${where}, so here is my answer:\n\n${entry.text}`,
			},
			{delivery},
		);
		return {kind: 'sent', messageId: id};
	} catch (error) {
		return outcomeOf(error, attempt);
	}
}

/** Tells the owner, who can change what the bot may do. If this fails, nothing else changes. */
async function tellOwner(
	client: Client,
	{reason, delivery}: {readonly reason: string; readonly delivery: string},
): Promise<void> {
	try {
		const {bot_owner_id: owner} = await client.getOwnUser({}, {delivery});
		if (typeof owner === 'number') {
			const content = `A message of your bot ${client.email} could not be posted: ${reason}`;
			await client.sendMessage({type: 'direct', to: [owner], content}, {delivery});
		}
	} catch {
		// The ledger contains the reason as well.
	}
}

/** Uses the word for channels that every level of the service knows. */
function addressOf(target: Target) {
	return 'dm' in target
		? ({type: 'direct', to: target.dm} as const)
		: ({type: 'stream', to: target.channel, topic: target.topic} as const);
}
