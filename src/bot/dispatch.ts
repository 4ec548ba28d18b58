// Decides which handler of a bot a message goes to, and runs it inside the bot's middleware. Knows nothing of HTTP.

import {ArgumentError, parseArguments, usageOf} from './arguments.js';
import type {Bot, Command, Handler} from './bot.js';
import type {Context} from './context.js';
import type {Conversation, Pending} from './conversation.js';
import {answerHelp} from './help.js';
import {mayAct, type People} from './people.js';
import {quote} from './quote.js';

/** A handler threw, and the bot has no `.catch` that took it. */
export class BotError extends Error {
	override name = 'BotError' as const;

	constructor(options: {cause: unknown}) {
		super(`A handler threw: ${options.cause instanceof Error ? options.cause.name : typeof options.cause}`, options);
	}
}

/** One message, and what is known of its conversation. */
export interface Dispatched<Session, Config> {
	readonly ctx: Context<Session, Config>;
	readonly conversation: Conversation<Session>;
	readonly people: People;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/**
 * Runs a bot for one message.
 *
 * @throws BotError when a handler throws and `.catch` is absent or throws too.
 */
export async function dispatch<Session, Config>(
	bot: Bot<Session, Config>,
	message: Dispatched<Session, Config>,
): Promise<void> {
	const {ctx} = message;
	try {
		await runThrough(bot, {ctx, handler: matchHandler(bot, message)});
	} catch (error) {
		await handleError(bot, error, ctx);
	}
}

/** The handler that a message goes to; undefined where the bot has nothing to say to such a trigger. */
function matchHandler<Session, Config>(
	bot: Bot<Session, Config>,
	message: Dispatched<Session, Config>,
): Handler<Session, Config> | undefined {
	const {ctx, conversation} = message;
	const isSpokenTo = ctx.trigger === 'mention' || ctx.trigger === 'direct_message';
	const pending = isSpokenTo ? conversation.pendingOf(ctx.sender.id) : undefined;
	const waiting = pending && answerHandler(bot, pending, message);
	if (waiting) {
		return waiting;
	}

	const [, word = '', line = ''] = /^(\S*)\s*([\s\S]*)$/.exec(ctx.text) ?? [];
	const command = bot.commands.get(word.toLowerCase());
	if (command) {
		return commandHandler(command, line, message);
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

	return isSpokenTo
		? async ctx => ctx.reply(await answerHelp(bot, {word, line, may: role => mayRun(role, message.people)}))
		: undefined;
}

/** What goes on when a question is answered; undefined when the bot no longer asks it. */
function answerHandler<Session, Config>(
	bot: Bot<Session, Config>,
	pending: Pending,
	message: Dispatched<Session, Config>,
): Handler<Session, Config> | undefined {
	const {conversation, ctx} = message;
	const {id} = ctx.sender;
	const command = pending.kind === 'confirm' ? bot.commands.get(pending.name) : undefined;
	const answer = pending.kind === 'answer' ? bot.answers.get(pending.name) : undefined;
	if (!command && !answer) {
		conversation.settle(id);
		return undefined;
	}

	return async function takeAnswer(ctx) {
		if (/^(cancel|stop|never ?mind)[.!]?$/i.test(ctx.text)) {
			conversation.settle(id);
			return ctx.reply('Cancelled.');
		}

		if (command && pending.kind === 'confirm') {
			if (/^(no?|nope)[.!]?$/i.test(ctx.text)) {
				conversation.settle(id);
				return ctx.reply('OK, I did nothing.');
			}

			if (!/^(y|yes|yep|sure|ok|okay)[.!]?$/i.test(ctx.text)) {
				return ctx.reply(`${pending.question} Please answer \`yes\` or \`no\`.`);
			}

			conversation.settle(id);
			return (await mayRun(command.role, message.people))
				? runCommand(command, pending.line, {...message, now: pending.askedAt})
				: ctx.reply(await refusalOf(command, message.people));
		}

		const parsed = await answer?.schema.safeParseAsync(ctx.text);
		if (!parsed?.success) {
			const reason = parsed?.error.issues[0]?.message ?? 'That is not an answer';
			return ctx.reply(`${quote(reason)}. ${pending.question} (\`cancel\` ends this.)`);
		}

		conversation.settle(id);
		return answer?.run(ctx, parsed.data);
	};
}

/** How long a confirmation is waited for. */
const CONFIRM_MS = 10 * 60_000;

function commandHandler<Session, Config>(
	command: Command<Session, Config>,
	line: string,
	message: Dispatched<Session, Config>,
): Handler<Session, Config> {
	const {conversation, people, now} = message;
	return async function startCommand(ctx) {
		if (!(await mayRun(command.role, people))) {
			return ctx.reply(await refusalOf(command, people));
		}

		if (command.confirm === undefined) {
			return runCommand(command, line, message);
		}

		// What cannot be done need not be confirmed.
		const args = await readArguments(command, line, message);
		if (typeof args === 'string') {
			return ctx.reply(args);
		}

		const {confirm: question, name} = command;
		const until = now + CONFIRM_MS;
		conversation.expect(ctx.sender.id, {
			kind: 'confirm',
			name: name.toLowerCase(),
			line,
			question,
			until,
			askedAt: now,
		});
		return ctx.reply(question, {choices: ['yes', 'no']});
	};
}

async function runCommand<Session, Config>(
	command: Command<Session, Config>,
	line: string,
	message: Dispatched<Session, Config>,
): Promise<unknown> {
	const args = await readArguments(command, line, message);
	return typeof args === 'string' ? message.ctx.reply(args) : command.run(message.ctx, args);
}

/** The arguments, or what to say about them. */
async function readArguments<Session, Config>(
	{name, args}: Command<Session, Config>,
	line: string,
	{people, now}: Dispatched<Session, Config>,
): Promise<Record<string, unknown> | string> {
	try {
		return args ? await parseArguments(line, args, {...people, now}) : {};
	} catch (error) {
		if (error instanceof ArgumentError) {
			return `${quote(error.message)}. Usage: \`${usageOf(name, args)}\``;
		}

		throw error;
	}
}

/** Who is not known to have a role has none. */
async function mayRun(needed: Command['role'], people: People): Promise<boolean> {
	if (needed === undefined) {
		return true;
	}

	const role = await people.role();
	return role !== undefined && mayAct(role, needed);
}

async function refusalOf<Session, Config>(
	{name, role}: Pick<Command<Session, Config>, 'name' | 'role'>,
	people: People,
): Promise<string> {
	return (await people.role()) === undefined
		? `I cannot see your role, so I may not run \`${name}\` for you. Ask my operator to check that my account has its API key.`
		: `\`${name}\` is for ${role === 'member' ? 'members' : `${role}s`} only.`;
}

async function runThrough<Session, Config>(
	bot: Bot<Session, Config>,
	{ctx, handler}: {ctx: Context<Session, Config>; handler: Handler<Session, Config> | undefined},
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

/**
 * Has the bot's `.catch` handlers take an error.
 *
 * @throws BotError when there is none, or one throws too.
 */
export async function handleError<Session, Config>(
	bot: Bot<Session, Config>,
	cause: unknown,
	ctx: Context<Session, Config>,
): Promise<void> {
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
