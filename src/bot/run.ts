// Runs a bot for one payload; what it says goes to the delivery.

import {randomBytes} from 'node:crypto';
import type {Payload} from '../api/index.js';
import type {Say} from '../delivery/run.js';
import type {Bot} from './bot.js';
import {type BotLog, createContext} from './context.js';
import {BotError, dispatch} from './dispatch.js';

export interface RunOptions {
	readonly bot: Bot;
	readonly payload: Payload;
	readonly say: Say;
	readonly log: BotLog;
	readonly signal: AbortSignal;
	/** Milliseconds since 1970. */
	now(): number;
}

/**
 * Runs the bot to its end. A bot that throws says a short apology with a reference under which log and ledger have the
 * error: everyone in the conversation reads it, and anything but a 200 would be shown to them as a failure.
 */
export async function runBot({bot, payload, say, log, signal, now}: RunOptions): Promise<void> {
	const ctx = createContext({
		payload,
		log,
		signal,
		effects: {
			now,
			reply: say.reply,
			async send({target, text, delayMs}) {
				const dueAt = delayMs === 0 ? 0 : now() + delayMs;
				return {id: await say.send({target: JSON.stringify(target), text, dueAt})};
			},
		},
	});

	try {
		await dispatch(bot, ctx);
	} catch (error) {
		await apologise(error, {say, log, signal});
	}
}

async function apologise(
	error: unknown,
	{say, log, signal}: Pick<RunOptions, 'say' | 'log' | 'signal'>,
): Promise<void> {
	const reference = randomBytes(4).toString('hex');
	const cause = error instanceof BotError ? error.cause : error;
	log.error({reference, err: cause}, 'a bot failed');
	say.failed(`${reference} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
	if (!signal.aborted) {
		await say.reply(`Sorry, something went wrong here. (Reference: ${reference})`);
	}
}
