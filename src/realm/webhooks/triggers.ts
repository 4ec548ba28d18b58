// Decides which bots a message calls, and with which trigger (service-facts.md 4.1).

import {noteCalled} from '../exchanges/note-called.js';
import {triggerAt} from '../levels.js';
import {findMessage} from '../messages/rows.js';
import {type Account, BotType, findAccount, isBot} from '../people/accounts.js';
import {isInGroup} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {postedMessage} from './payload.js';

interface Called {
	readonly bot: Account;
	readonly trigger: 'mention' | 'direct_message';
}

/** A delivery in the queue. */
export interface WebhookCall {
	readonly id: number;
	readonly bot_id: number;
	readonly message_id: number;
	readonly trigger: string;
	/** The payload's `message`, as JSON. */
	readonly message: string;
	readonly failed_tries: number;
}

/** The facts that decide which bots a message calls. */
export interface Calling {
	readonly messageId: number;
	readonly post: {
		readonly sender: Account;
		readonly channel: object | undefined;
		readonly rendered: {
			readonly mentions: {readonly userIds: ReadonlySet<number>; readonly groupIds: ReadonlySet<number>};
		};
	};
	/** All receivers of the message. */
	readonly receiverIds: readonly number[];
}

/** Enqueues a delivery for each bot that the message calls. Returns how many. */
export function queueWebhooks(services: Services, call: Calling, only?: (bot: Account) => boolean): number {
	const {store} = services;
	const called = calledBots(store, call).filter(({bot}) => only?.(bot) ?? true);
	const mentioned = mentionedBy(call);
	const row = called.length > 0 || mentioned.length > 0 ? findMessage(store, call.messageId) : undefined;
	if (row) {
		noteCalled(services, row, {posted: called.map(({bot}) => bot), mentioned});
	}

	if (!row || called.length === 0) {
		return 0;
	}

	const message = JSON.stringify(postedMessage(store, row));
	for (const {bot, trigger} of called) {
		store.run(
			`INSERT INTO webhook_calls (position, bot_id, message_id, trigger, message)
			VALUES ((SELECT coalesce(max(position), 0) + 1 FROM webhook_calls), ?, ?, ?, ?)`,
			bot.id,
			call.messageId,
			triggerAt(trigger, services.featureLevel),
			message,
		);
	}

	store.afterCommit(services.wakeWebhooks);
	return called.length;
}

/** The accounts that the message mentions, or that it is sent to directly. */
function mentionedBy({post: {sender, channel, rendered}, receiverIds}: Calling): readonly number[] {
	const named = channel ? [...rendered.mentions.userIds] : receiverIds;
	return isBot(sender) ? [] : named;
}

/** A bot's message calls no bot: two bots that answer each other would never stop. */
function calledBots(store: Store, {post, receiverIds}: Calling): Called[] {
	if (isBot(post.sender)) {
		return [];
	}

	if (!post.channel) {
		return outgoing(store, receiverIds).map(bot => ({bot, trigger: 'direct_message'}));
	}

	const {userIds, groupIds} = post.rendered.mentions;
	const candidates = outgoing(store, [...new Set([...userIds, ...(groupIds.size > 0 ? receiverIds : [])])]);
	const isCalled = (bot: Account) =>
		userIds.has(bot.id) || [...groupIds].some(groupId => isInGroup(store, bot, groupId));

	return candidates.filter(isCalled).map(bot => ({bot, trigger: 'mention'}));
}

function outgoing(store: Store, ids: readonly number[]): Account[] {
	return ids
		.map(id => findAccount(store, id))
		.filter(account => account !== undefined)
		.filter(account => account.bot_type === BotType.outgoingWebhook && account.is_active && account.payload_url);
}
