// Posts what bots send outside the webhook's answer, each post once. workOutbox() decides when; this file does the posting.

import {Payload} from '../src/api/index.js';
import {conversationOf} from '../src/bot/target-of.js';
import type {Client} from '../src/client/client.js';
import {ApiError} from '../src/client/errors.js';
import {type DeliveryRef, sendId} from '../src/delivery/ref.js';
import {failurePayload, laterPayload} from '../src/delivery/work.js';
import type {Attempt} from '../src/outbox/entry-state.js';
import {outcomeOf} from '../src/outbox/outcome.js';
import type {Receipts} from '../src/outbox/receipts.js';
import {listScheduled, schedule, tellChange} from '../src/outbox/scheduled-sends.js';
import type {Sight} from '../src/outbox/sight.js';
import type {OutboxStore} from '../src/outbox/store.js';
import {type OutboxItem, type OutboxWork, type Posted, type Settled, workOutbox} from '../src/outbox/work-outbox.js';
import {defineWorker, TryLater, type WorkerLog} from '../src/queue/define-worker.js';
import {sends, Target} from '../src/queue/sends.js';
import {accountTag} from '../src/redis/account-key.js';

export interface SendDependencies {
	/** The client of one of our accounts. Undefined if the configuration no longer contains it. */
	clientOf(account: {site: string; email: string}): Client | undefined;
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
	/** Has the bot run for a payload of our own making. */
	runBot(ref: DeliveryRef, payload: Payload): Promise<void>;
	/** Has an outbox worked at a later time. */
	enqueueLater(ref: DeliveryRef, options: {id: string; delayMs: number}): Promise<void>;
}

export default defineWorker({
	queue: sends,
	concurrency: 50,
	async run({site, email, delivery}, dependencies: SendDependencies) {
		const client = dependencies.clientOf({site, email});
		if (!client) {
			throw new Error(`No account ${email} on ${site} in the configuration`);
		}

		const ref = {account: accountTag({site, email}), id: delivery};
		const {posted, comeBackMs} = await workOutbox(ref, workOf(ref, {client, dependencies}));
		if (comeBackMs !== undefined) {
			throw new TryLater(comeBackMs);
		}

		return {posted};
	},
});

interface Context {
	readonly client: Client;
	readonly dependencies: SendDependencies;
}

/** Those who were told that there is work for a newer version. */
const told = new WeakSet<SendDependencies>();

function workOf(ref: DeliveryRef, {client, dependencies}: Context): OutboxWork {
	// An answer to a message is newer than that message.
	const answered = Number(/^\d+/.exec(ref.id)?.[0] ?? 0);
	return {
		store: dependencies.outboxes,
		now: dependencies.now,
		giveUpMs: dependencies.giveUpMs,
		async prepare() {
			const before = await dependencies.receipts.before(client);
			return 'delayMs' in before ? before : {queue: before.queue, after: Math.max(before.after, answered)};
		},
		async post(said, attempt) {
			const outcome = await carryOut(client, {ref, said, attempt, dependencies});
			if (outcome.kind === 'sent') {
				dependencies.receipts.sawMessage(client, outcome.messageId);
			} else if (outcome.kind === 'refused') {
				dependencies.log.warn(
					{account: client.email, delivery: ref.id, entry: said.entry.n, reason: outcome.reason},
					'the service refused a message of a bot',
				);
			} else if (outcome.kind === 'failed') {
				dependencies.log.error(
					{account: client.email, site: client.site, reason: outcome.reason},
					'an account cannot post; its messages wait until it can',
				);
			} else if (outcome.kind === 'unknown') {
				dependencies.log.warn(
					{account: client.email, delivery: ref.id, entry: said.entry.n},
					'no answer to a post; looking for the message',
				);
			}

			return outcome;
		},
		left({n}) {
			if (!told.has(dependencies)) {
				told.add(dependencies);
				const where = {account: client.email, delivery: ref.id, entry: n};
				dependencies.log.warn(where, 'a newer version of Bothy stored this message; leaving it to a newer worker');
			}
		},
		async failed({entry, payload}, reason) {
			const isSaid = entry.kind === 'reply' || entry.kind === 'send';
			const told =
				isSaid && payload && failurePayload(Payload.parse(JSON.parse(payload)), {send: sendId(ref, entry.n), reason});
			if (told) {
				await dependencies.runBot(ref, told);
			}
		},
		change: (said, change) => tellChange(client, said, change),
		async settle(said, attempt) {
			if (mayRepeat(said)) {
				return {kind: 'absent'};
			}

			const settled = await settle(ref, {said, attempt, client, dependencies, answered});
			if (settled.kind === 'unreadable') {
				const where = {account: client.email, delivery: ref.id, entry: said.entry.n};
				dependencies.log.error(
					where,
					'it is unknown whether a message was posted. Check, then run `bothy sends resolve`',
				);
			}

			return settled;
		},
		enqueueLater: (id, delayMs) => dependencies.enqueueLater(ref, {id, delayMs}),
	};
}

/** A change, or a handler whose delivery has one id: done twice, nothing is different. */
function mayRepeat({entry: {kind}}: OutboxItem): boolean {
	return kind === 'edit' || kind === 'later';
}

async function carryOut(
	client: Client,
	{
		ref,
		said,
		attempt,
		dependencies,
	}: {ref: DeliveryRef; said: OutboxItem; attempt: Attempt; dependencies: SendDependencies},
): Promise<Posted> {
	const {entry} = said;
	switch (entry.kind) {
		case 'later':
			await dependencies.runBot(ref, laterPayload({...entry, email: client.email, send: sendId(ref, entry.n)}));
			return {kind: 'done', messageId: 0};
		case 'edit':
			return editMessage(client, {ref, said, attempt, dependencies});
		default:
			return post(client, {ref, said, attempt, now: dependencies.now()});
	}
}

/** Gives the message of another entry, which was posted before, another text. */
async function editMessage(
	client: Client,
	{
		ref,
		said: {entry},
		attempt,
		dependencies,
	}: {ref: DeliveryRef; said: OutboxItem; attempt: Attempt; dependencies: SendDependencies},
): Promise<Posted> {
	const edited = (await dependencies.outboxes.read(ref)).find(({n}) => n === entry.edits);
	const messageId = Number(/^sent (\d+)/.exec(edited?.state ?? '')?.[1] ?? 0);
	if (messageId === 0) {
		return {kind: 'refused', reason: 'the message that it changes was not posted'};
	}

	try {
		await client.updateMessage({message_id: messageId, content: entry.text});
		return {kind: 'done', messageId};
	} catch (error) {
		const outcome = outcomeOf(error, attempt.refusals);
		return outcome.kind === 'unknown' ? {kind: 'failed', reason: 'no answer came'} : outcome;
	}
}

async function post(
	client: Client,
	{ref, said, attempt, now}: {ref: DeliveryRef; said: OutboxItem; attempt: Attempt; now: number},
): Promise<Posted> {
	const target = targetOf(said);
	if (!target) {
		return {kind: 'refused', reason: 'the text of the answered message was deleted'};
	}

	if (said.entry.via === 'service' && said.entry.dueAt > now) {
		return schedule(client, {target, entry: said.entry, refusals: attempt.refusals});
	}

	const receipt = attempt.queue === '' ? {} : {queue_id: attempt.queue, local_id: sendId(ref, said.entry.n)};
	try {
		const {id} = await client.sendMessage({
			...addressOf(target),
			...receipt,
			content: said.entry.text,
			widget_content: said.entry.widget,
		});
		return {kind: 'sent', messageId: id};
	} catch (error) {
		const {refusals} = attempt;
		const outcome = outcomeOf(error, refusals);
		return outcome.kind === 'refused'
			? sendElsewhere(client, {said, receipt, refusals, reason: outcome.reason})
			: outcome;
	}
}

/** If the bot may not post over REST, its webhook's answer may still work. Otherwise the sender gets the answer directly. */
async function sendElsewhere(
	client: Client,
	{
		said: {entry, payload},
		receipt,
		refusals,
		reason,
	}: {said: OutboxItem; receipt: object; refusals: number; reason: string},
): Promise<Posted> {
	const asked = payload === undefined ? undefined : Payload.parse(JSON.parse(payload));
	await tellOwner(client, reason);
	if (entry.kind === 'send' || asked?.message.type !== 'stream') {
		return {kind: 'refused', reason};
	}

	const where = `#**${asked.message.display_recipient}>${asked.message.subject}**`;
	try {
		const {id} = await client.sendMessage({
			...receipt,
			type: 'direct',
			to: [asked.message.sender_id],
			content: `I cannot post in ${where}, so here is my answer:\n\n${entry.text}`,
		});
		return {kind: 'sent', messageId: id};
	} catch (error) {
		return outcomeOf(error, refusals);
	}
}

/** Tells the owner, who can change what the bot may do. If this fails, nothing else changes. */
async function tellOwner(client: Client, reason: string): Promise<void> {
	try {
		const {bot_owner_id: owner} = await client.getOwnUser();
		if (typeof owner === 'number') {
			const content = `A message of your bot ${client.email} could not be posted: ${reason}`;
			await client.sendMessage({type: 'direct', to: [owner], content});
		}
	} catch {
		// The ledger contains the reason as well.
	}
}

interface Open extends Context {
	readonly said: OutboxItem;
	readonly attempt: Attempt | undefined;
	/** Id of the message that it answers. 0 if it answers none. */
	readonly answered: number;
}

/** Delay before the next search for the receipt of an unknown outcome: as long as the outcome has been open. */
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** The outcome of an attempt: by its receipt, or by a search in the conversation if no receipt is possible. */
async function settle(ref: DeliveryRef, open: Open): Promise<Settled> {
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
function giveUpLooking(settled: Settled, openMs: number, {giveUpMs}: SendDependencies): Settled {
	return settled.kind === 'wait' && openMs >= giveUpMs ? {kind: 'unreadable'} : settled;
}

function waitMore({at}: Attempt, {now}: SendDependencies): Settled {
	const delayMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (now() - at) / 2));
	return {kind: 'wait', delayMs: Math.round(delayMs)};
}

/** Scheduled messages are in a list. One that the service has already sent is in the conversation. */
async function settleScheduled(ref: DeliveryRef, open: Open & {attempt: Attempt}): Promise<Settled> {
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
async function look(ref: DeliveryRef, {said, client, dependencies, after}: Open & {after: number}): Promise<Settled> {
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
	{client, dependencies}: Context,
	{ref, target, after}: {ref: DeliveryRef; target: Target; after: number},
): Promise<Page | 'unreadable' | 'later'> {
	try {
		return await client.getMessages({
			anchor: after,
			include_anchor: false,
			num_before: 0,
			num_after: PAGE,
			narrow: [{operator: 'sender', operand: client.email}, narrowOf(target)],
			apply_markdown: false,
			allow_empty_topic_name: true,
		});
	} catch (error) {
		if (!(error instanceof ApiError) || error.status === 429) {
			return 'later';
		}

		if (error.code !== 'BAD_NARROW') {
			// Bothy built the request, so no action of a person explains the error.
			dependencies.log.error({delivery: ref.id, err: error}, 'the service refused a look-up in a conversation');
		}

		return 'unreadable';
	}
}

function targetOf({entry, payload}: OutboxItem): Target | undefined {
	if (entry.target !== '') {
		return Target.parse(JSON.parse(entry.target));
	}

	return payload === undefined ? undefined : conversationOf(Payload.parse(JSON.parse(payload)));
}

/** Uses the word for channels that every level of the service knows. */
function addressOf(target: Target) {
	return 'dm' in target
		? ({type: 'direct', to: target.dm} as const)
		: ({type: 'stream', to: target.channel, topic: target.topic} as const);
}

/** An object, because a pair holds only two strings (service-facts.md 5). */
function narrowOf(target: Target): {operator: string; operand: string | number | number[]} {
	if (!('dm' in target)) {
		return {operator: 'stream', operand: target.channel};
	}

	// People are given by id or by email, never both.
	return {operator: 'dm', operand: typeof target.dm[0] === 'number' ? (target.dm as number[]) : target.dm.join(',')};
}
