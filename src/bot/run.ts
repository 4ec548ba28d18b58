// Runs a bot for one payload and makes of what it says the webhook's answer.

import {randomBytes} from 'node:crypto';
import type {Payload, WebhookReply} from '../api/index.js';
import type {Bot} from './bot.js';
import {type BotLog, createContext, type Effects} from './context.js';
import {BotError, dispatch} from './dispatch.js';

export interface RunOptions {
	readonly bot: Bot;
	readonly payload: Payload;
	readonly effects: Omit<Effects, 'reply'>;
	readonly log: BotLog;
	readonly signal: AbortSignal;
}

/**
 * Runs the bot to its end. Several replies become one text; a bot that throws answers with a short apology and a
 * reference under which the log has the error: everyone in the conversation reads the answer.
 */
export async function runBot({bot, payload, effects, log, signal}: RunOptions): Promise<WebhookReply> {
	const replies: string[] = [];
	const ctx = createContext({
		payload,
		log,
		signal,
		effects: {
			...effects,
			async reply(text) {
				replies.push(text);
			},
		},
	});

	try {
		await dispatch(bot, ctx);
	} catch (error) {
		replies.push(apologise(error, log));
	}

	return replies.length === 0 ? {response_not_required: true} : {content: replies.join('\n\n')};
}

function apologise(error: unknown, log: BotLog): string {
	const reference = randomBytes(4).toString('hex');
	const cause = error instanceof BotError ? error.cause : error;
	log.error({reference, err: cause}, 'a bot failed');
	return `Sorry, something went wrong here. (Reference: ${reference})`;
}
