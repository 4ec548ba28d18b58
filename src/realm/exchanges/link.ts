// Finds the message that caused a REST call of a bot.

import type {Account} from '../people/accounts.js';
import type {Exchange, Link} from './exchange.js';

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
	readonly call: Exchange;
	readonly bot: Account;
	readonly calls: readonly Called[];
	readonly exchanges: readonly Exchange[];
	readonly nowMs: number;
}

export function linkCall(
	{named, conversation}: Links,
	{call, bot, calls, exchanges, nowMs}: Known,
): {message_id: number | null; linked_by: Link | null} {
	const own = calls.filter(({botId}) => botId === bot.id);
	if (named !== undefined) {
		const isCause = own.some(({messageId}) => messageId === named);
		const cause = isCause ? named : causeOf(named, exchanges);
		if (cause !== undefined) {
			return {message_id: cause, linked_by: 'message'};
		}
	}

	// A host may repeat a refused post when other messages have called the bot.
	const earlier = exchanges.findLast(one => isRepeated(one, call));
	if (earlier) {
		return {message_id: earlier.message_id, linked_by: earlier.linked_by};
	}

	const inPlace = own.findLast(
		called => called.conversation === conversation && nowMs - called.atMs <= SAME_CONVERSATION_MS,
	);
	if (inPlace) {
		return {message_id: inPlace.messageId, linked_by: 'conversation'};
	}

	const recent = own.filter(called => nowMs - called.atMs <= SAME_TIME_MS);
	const last = recent.findLast(({messageId}) => !isAnswered(messageId, bot, exchanges)) ?? recent.at(-1);
	return last ? {message_id: last.messageId, linked_by: 'time'} : {message_id: null, linked_by: null};
}

function isRepeated(earlier: Exchange, {id, operation, bot, request}: Exchange): boolean {
	return (
		operation === 'sendMessage' &&
		earlier.id !== id &&
		earlier.operation === operation &&
		earlier.bot.user_id === bot.user_id &&
		earlier.message_id !== null &&
		earlier.posted.length === 0 &&
		earlier.request.length === request.length &&
		earlier.request.text === request.text
	);
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
