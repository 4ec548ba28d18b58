// Decides which handler of a bot a message goes to, and runs it inside the bot's middleware. Knows nothing of HTTP.

import {ArgumentError, parseArguments, usageOf} from './arguments.js';
import type {Bot, Command, Handler} from './bot.js';
import type {Context} from './context.js';
import {helpOf} from './help.js';

/** A handler threw, and the bot has no `.catch` that took it. */
export class BotError extends Error {
	override name = 'BotError' as const;

	constructor(options: {cause: unknown}) {
		super(`A handler threw: ${options.cause instanceof Error ? options.cause.name : typeof options.cause}`, options);
	}
}

/**
 * Runs a bot for one message.
 *
 * @throws BotError when a handler throws and `.catch` is absent or throws too.
 */
export async function dispatch<Session>(bot: Bot<Session>, ctx: Context<Session>): Promise<void> {
	const handler = matchHandler(bot, ctx);
	try {
		await runThrough(bot, {ctx, handler});
	} catch (error) {
		await handleError(bot, error, ctx);
	}
}

/** The handler that a message goes to; undefined where the bot has nothing to say to such a trigger. */
function matchHandler<Session>(
	bot: Bot<Session>,
	ctx: Pick<Context, 'text' | 'trigger'>,
): Handler<Session> | undefined {
	const [, word = '', line = ''] = /^(\S*)\s*([\s\S]*)$/.exec(ctx.text) ?? [];
	const command = bot.commands.get(word.toLowerCase());
	if (command) {
		return commandHandler(command, line);
	}

	for (const {pattern, run} of bot.listeners) {
		const match = ctx.text.match(pattern);
		if (match) {
			return ctx => run(ctx, match);
		}
	}

	const asksForHelp = word.toLowerCase() === 'help';
	const onTrigger = bot.triggers.get(ctx.trigger);
	if (onTrigger && !asksForHelp) {
		return onTrigger;
	}

	const isSpokenTo = ctx.trigger === 'mention' || ctx.trigger === 'direct_message';
	return isSpokenTo ? ctx => ctx.reply(helpOf(bot)) : undefined;
}

function commandHandler<Session>(command: Command<Session>, line: string): Handler<Session> {
	return function runCommand(ctx) {
		if (!command.args) {
			return command.run(ctx, {});
		}

		let args: Record<string, unknown>;
		try {
			args = parseArguments(line, command.args);
		} catch (error) {
			if (error instanceof ArgumentError) {
				return ctx.reply(`${error.message}. Usage: \`${usageOf(command.name, command.args)}\``);
			}

			throw error;
		}

		return command.run(ctx, args);
	};
}

async function runThrough<Session>(
	bot: Bot<Session>,
	{ctx, handler}: {ctx: Context<Session>; handler: Handler<Session> | undefined},
): Promise<void> {
	const run = async (index: number): Promise<void> => {
		const middleware = bot.middleware[index];
		if (!middleware) {
			await handler?.(ctx);
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

async function handleError<Session>(bot: Bot<Session>, cause: unknown, ctx: Context<Session>): Promise<void> {
	const error = cause instanceof Error ? cause : new Error(`A handler threw ${typeof cause}`, {cause});
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
