// Finds the message that caused a REST call of a bot.

import type {Account} from '../people/accounts.js';
import type {Exchange} from './exchange.js';

/** A message that called a bot. */
interface Called {
	readonly botId: number;
	readonly messageId: number;
	/** Identifies the conversation. */
	readonly conversation: string;
	readonly atMs: number;
}

export type Calls = Called[];

/** What a call tells about its cause. */
export interface Links {
	/** ID of the delivery that caused the call. If that delivery was a message, its ID comes first. Empty if the caller names none. */
	readonly delivery: string;
	/** A message that the call names, for example to react to it. */
	readonly named?: number | undefined;
	/** The conversation in which the call posted a message. */
	readonly conversation?: string | undefined;
}

/** A post in the same conversation answers a message that is at most this old. */
const SAME_CONVERSATION_MS = 10 * 60_000;

/** Any other call belongs to the last message that called the bot, if that is at most this old. */
const SAME_TIME_MS = 60_000;

interface Known {
	readonly bot: Account;
	readonly calls: readonly Called[];
	readonly exchanges: readonly Exchange[];
	readonly nowMs: number;
}

export function linkCall(
	{delivery, named, conversation}: Links,
	{bot, calls, exchanges, nowMs}: Known,
): Pick<Exchange, 'message_id' | 'linked_by'> {
	const own = calls.filter(({botId}) => botId === bot.id);
	const delivered = own.find(({messageId}) => delivery.startsWith(`${messageId}-`));
	if (delivered) {
		return {message_id: delivered.messageId, linked_by: 'delivery'};
	}

	if (named !== undefined) {
		const isCause = own.some(({messageId}) => messageId === named);
		const cause = isCause ? named : causeOf(named, exchanges);
		if (cause !== undefined) {
			return {message_id: cause, linked_by: 'message'};
		}
	}

	const inPlace = own.findLast(
		called => called.conversation === conversation && nowMs - called.atMs <= SAME_CONVERSATION_MS,
	);
	if (inPlace) {
		return {message_id: inPlace.messageId, linked_by: 'conversation'};
	}

	if (delivery !== '') {
		// A cron or another system called the bot, not a person.
		return {message_id: null, linked_by: null};
	}

	const recent = own.filter(called => nowMs - called.atMs <= SAME_TIME_MS);
	const last = recent.findLast(({messageId}) => !isAnswered(messageId, bot, exchanges)) ?? recent.at(-1);
	return last ? {message_id: last.messageId, linked_by: 'time'} : {message_id: null, linked_by: null};
}

/** Whether the webhook's answer contained a text. Then calls for another message are more likely. */
function isAnswered(messageId: number, bot: Account, exchanges: readonly Exchange[]): boolean {
	return exchanges.some(
		exchange =>
			exchange.kind === 'webhook' &&
			exchange.message_id === messageId &&
			exchange.bot.user_id === bot.id &&
			exchange.posted.length > 0,
	);
}

/** The message that caused a post of a bot. */
function causeOf(posted: number, exchanges: readonly Exchange[]): number | undefined {
	const source = exchanges.find(exchange => exchange.posted.some(({message_id: id}) => id === posted));
	return source?.message_id ?? undefined;
}
