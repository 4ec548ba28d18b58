// Finds the handler for a message, and runs it inside the bot's middleware. Knows nothing of HTTP.

import type {Bot} from './bot.js';
import {commandHandler, FIRST_WORD, matchCommand, mayRun} from './commands.js';
import {answerHandler, takeQuestion} from './context/answers.js';
import type {Context} from './context/context.js';
import type {Handler, Role, Trigger} from './declarations.js';
import {type Dispatched, isSpokenTo} from './dispatched.js';
import {answerHelp} from './help.js';

/** A handler threw, and no `.catch` handled the error. */
export class BotError extends Error {
	override name = 'BotError' as const;

	constructor(options: {cause: unknown}) {
		super(`A handler threw: ${options.cause instanceof Error ? options.cause.name : typeof options.cause}`, options);
	}
}

/**
 * Runs a bot for one message.
 *
 * @throws BotError if a handler throws, and there is no `.catch` or it throws too.
 */
export async function dispatch<Session, Config>(
	bot: Bot<Session, Config>,
	message: Dispatched<Session, Config>,
): Promise<void> {
	const {ctx} = message;
	try {
		await runThrough(bot, {ctx, handler: (await takeQuestion(bot, message)) ?? matchHandler(bot, message)});
	} catch (error) {
		await handleError(bot, error, ctx);
	}
}

/** The handler for a message. Undefined if the bot does not handle the trigger. */
function matchHandler<Session, Config>(
	bot: Bot<Session, Config>,
	message: Dispatched<Session, Config>,
): Handler<Session, Config> | undefined {
	const {ctx, conversation} = message;
	// Nobody called the bot, so a word that happens to be a command does not run it.
	if (ctx.trigger === 'channel_message') {
		return bot.triggers.get(ctx.trigger);
	}

	const pending = isSpokenTo(ctx) ? conversation.pendingOf(ctx.sender.id) : undefined;
	const waiting = pending && answerHandler(bot, pending, message);
	if (waiting) {
		return waiting;
	}

	const found = matchCommand(bot, ctx.text);
	if (found) {
		return commandHandler(found.command, found.line, message);
	}

	for (const {match, run} of bot.listeners) {
		const heard = match(ctx.text);
		if (heard) {
			return ctx => run(ctx, heard);
		}
	}

	const [, word = '', line = ''] = FIRST_WORD.exec(ctx.text) ?? [];
	const asksForHelp = word.toLowerCase() === 'help';
	const onTrigger = bot.triggers.get(ctx.trigger as Trigger);
	if (onTrigger && !asksForHelp) {
		return onTrigger;
	}

	return isSpokenTo(ctx)
		? async ctx => {
				const help = {word, line, may: (role: Role | undefined) => mayRun(role, message.people)};
				return ctx.reply((await message.isClosedChoice()) ? 'This question is closed.' : await answerHelp(bot, help));
			}
		: undefined;
}

async function runThrough<Session, Config>(
	bot: Bot<Session, Config>,
	{ctx, handler}: {ctx: Context<Session, Config>; handler: Handler<Session, Config> | undefined},
): Promise<void> {
	const run = async (index: number): Promise<void> => {
		const middleware = bot.middleware[index];
		if (!middleware) {
			// Types refuse this, but JavaScript has none.
			if (typeof ((await handler?.(ctx)) as unknown) === 'string') {
				ctx.log.warn({}, 'a handler returned a text, which Bothy does not send: use ctx.reply(text)');
			}

			return;
		}

		let called = false;
		await middleware(ctx, () => {
			if (called) {
				throw new Error(`Middleware ${middleware.name || index} called next() twice`);
			}

			called = true;
			return run(index + 1);
		});
	};

	await run(0);
}

/**
 * Runs the bot's `.catch` handlers for an error.
 *
 * @throws BotError if there is none, or if one throws too.
 */
export async function handleError<Session, Config>(
	bot: Bot<Session, Config>,
	cause: unknown,
	ctx: Context<Session, Config>,
): Promise<void> {
	const error =
		cause instanceof Error
			? cause
			: new Error(
					`A handler threw ${cause === undefined ? 'undefined' : `a value of type ${typeof cause}`} instead of an Error, so its line is unknown. Use \`throw new Error('…')\``,
					{cause},
				);
	if (bot.errorHandlers.length === 0) {
		throw new BotError({cause: error});
	}

	try {
		for (const handle of bot.errorHandlers) {
			await handle(error, ctx);
		}
	} catch (again) {
		throw new BotError({cause: again});
	}
}
