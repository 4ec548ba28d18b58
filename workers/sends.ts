// Posts what bots say outside of a webhook's answer.

import {Payload} from '../src/api/index.js';
import {conversationOf} from '../src/bot/context.js';
import type {Client} from '../src/client/client.js';
import {ApiError, NetworkError} from '../src/client/errors.js';
import {type OutboxWork, type Posted, workOutbox} from '../src/delivery/outbox.js';
import type {RedisStore} from '../src/delivery/redis-store.js';
import {accountTag, type DeliveryRef} from '../src/delivery/ref.js';
import type {StoredEntry} from '../src/delivery/store.js';
import {defineWorker, TryLater, type WorkerLog} from '../src/queue/define-worker.js';
import {sends, Target} from '../src/queue/sends.js';

export interface SendTools {
	/** The client of one of our accounts; undefined when the configuration no longer has it. */
	clientOf(account: {site: string; email: string}): Client | undefined;
	readonly store: RedisStore;
	readonly log: WorkerLog;
	/** Has an outbox worked at a later time. */
	wakeLater(ref: DeliveryRef, options: {id: string; delayMs: number}): Promise<void>;
}

/** Wait before a service that cannot be reached is tried again. */
const UNREACHABLE_MS = 5_000;

export default defineWorker({
	queue: sends,
	concurrency: 50,
	async run({site, email, delivery}, tools: SendTools) {
		const client = tools.clientOf({site, email});
		if (!client) {
			throw new Error(`No account ${email} on ${site} in the configuration`);
		}

		const ref = {account: accountTag({site, email}), id: delivery};
		const {posted, comeBackMs} = await workOutbox(ref, workOf(ref, {client, tools}));
		if (comeBackMs !== undefined) {
			throw new TryLater(comeBackMs);
		}

		return {posted};
	},
});

function workOf(ref: DeliveryRef, {client, tools}: {client: Client; tools: SendTools}): OutboxWork {
	return {
		store: tools.store,
		now: Date.now,
		async post(entry, payload) {
			const outcome = await post(client, {entry, payload});
			if (outcome.kind === 'sent') {
				await tools.store.ownMessage(ref, entry.n, outcome.messageId);
			} else if (outcome.kind === 'refused') {
				tools.log.warn({delivery: ref.id, entry: entry.n, reason: outcome.reason}, 'the service refused a message');
			}

			return outcome;
		},
		look: (entry, payload) => look(client, {ref, entry, payload, store: tools.store}),
		wakeLater: (id, delayMs) => tools.wakeLater(ref, {id, delayMs}),
	};
}

interface Said {
	readonly entry: StoredEntry;
	readonly payload: string | undefined;
}

async function post(client: Client, said: Said): Promise<Posted> {
	const target = targetOf(said);
	if (!target) {
		return {kind: 'refused', reason: 'the message that it answers is no longer kept'};
	}

	try {
		const {id} = await client.sendMessage({...addressOf(target), content: said.entry.text});
		return {kind: 'sent', messageId: id};
	} catch (error) {
		const outcome = outcomeOf(error);
		return outcome.kind === 'refused' ? sendElsewhere(client, {...said, reason: outcome.reason}) : outcome;
	}
}

/** A webhook's answer may stand where the bot may not post over REST: then the asker gets it directly. */
async function sendElsewhere(client: Client, {entry, payload, reason}: Said & {reason: string}): Promise<Posted> {
	const asked = payload === undefined ? undefined : Payload.parse(JSON.parse(payload));
	await tellOwner(client, reason);
	if (entry.kind === 'send' || asked?.message.type !== 'stream') {
		return {kind: 'refused', reason};
	}

	const where = `#**${asked.message.display_recipient}>${asked.message.subject}**`;
	try {
		const {id} = await client.sendMessage({
			type: 'direct',
			to: [asked.message.sender_id],
			content: `I may not write in ${where}, so here is my answer to you:\n\n${entry.text}`,
		});
		return {kind: 'sent', messageId: id};
	} catch (error) {
		return outcomeOf(error);
	}
}

/** The one who can change what the bot may do learns of it; that this fails changes nothing. */
async function tellOwner(client: Client, reason: string): Promise<void> {
	try {
		const {bot_owner_id: owner} = await client.getOwnUser();
		if (typeof owner === 'number') {
			const content = `A message of your bot ${client.email} could not be posted: ${reason}`;
			await client.sendMessage({type: 'direct', to: [owner], content});
		}
	} catch {
		// The reason stands in the ledger as well.
	}
}

/** Looks for the entry among the bot's own messages behind the one that it answers. */
async function look(client: Client, said: Said & {ref: DeliveryRef; store: RedisStore}) {
	const target = targetOf(said);
	if (!target) {
		return 'absent';
	}

	const messages = await ownMessages(client, {target, after: Number(said.ref.id.split('-')[0])});
	if (!messages) {
		return 'unreadable';
	}

	for (const message of messages) {
		const isSame = message.content.trim() === said.entry.text.trim();
		if (isSame && (await said.store.ownMessage(said.ref, said.entry.n, message.id))) {
			return message.id;
		}
	}

	return 'absent';
}

/** What the bot wrote in a conversation; undefined where it may not read there. */
async function ownMessages(client: Client, {target, after}: {target: Target; after: number}) {
	const asked = {
		anchor: after,
		include_anchor: false,
		num_before: 0,
		num_after: 1000,
		narrow: [['sender', client.email], ...narrowOf(target)],
		apply_markdown: false,
		allow_empty_topic_name: true,
	} satisfies Parameters<Client['getMessages']>[0];
	try {
		return (await client.getMessages(asked)).messages;
	} catch (error) {
		if (error instanceof ApiError && error.status !== 429) {
			return undefined;
		}

		throw error;
	}
}

function targetOf({entry, payload}: Said): Target | undefined {
	if (entry.target !== '') {
		return Target.parse(JSON.parse(entry.target));
	}

	return payload === undefined ? undefined : conversationOf(Payload.parse(JSON.parse(payload)));
}

function addressOf(target: Target) {
	return 'dm' in target
		? ({type: 'direct', to: target.dm} as const)
		: ({type: 'channel', to: target.channel, topic: target.topic} as const);
}

function narrowOf(target: Target): [string, string | number | number[]][] {
	if (!('dm' in target)) {
		return [
			['channel', target.channel],
			['topic', target.topic],
		];
	}

	// People are named by id or by email, never both.
	return [['dm', typeof target.dm[0] === 'number' ? (target.dm as number[]) : target.dm.join(',')]];
}

/** Only what the service certainly did not carry out is tried again as it is: a message is never posted twice. */
function outcomeOf(error: unknown): Posted {
	if (error instanceof ApiError) {
		return error.status === 429
			? {kind: 'later', delayMs: Math.ceil((error.retryAfterSeconds ?? 1) * 1000)}
			: {kind: 'refused', reason: `${error.reason} (${error.code})`};
	}

	if (error instanceof NetworkError && !error.mayHaveArrived) {
		return {kind: 'later', delayMs: UNREACHABLE_MS};
	}

	return {kind: 'unknown'};
}
