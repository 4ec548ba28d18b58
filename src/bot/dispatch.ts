// Decides which handler of a bot a message goes to, and runs it inside the bot's middleware. Knows nothing of HTTP.

import {ArgumentError, parseArguments, usageOf} from './arguments.js';
import type {Answer, Bot, Command, Handler, Trigger} from './bot.js';
import type {Context} from './context.js';
import type {Conversation, Pending} from './conversation.js';
import {answerHelp} from './help.js';
import {mayAct, type People} from './people.js';
import {plainly} from './plainly.js';
import type {OpenQuestion} from './questions.js';
import {quote} from './quote.js';
import type {Returned} from './returned.js';

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
	/** What somebody, perhaps elsewhere, had them asked. */
	readonly asked?: OpenQuestion | undefined;
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
		await runThrough(bot, {ctx, handler: (await takeQuestion(bot, message)) ?? matchHandler(bot, message)});
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
	// Nobody called the bot: a word that happens to be a command is none.
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

	for (const {pattern, run} of bot.listeners) {
		const match = ctx.text.match(pattern);
		if (match) {
			return ctx => run(ctx, match);
		}
	}

	const [, word = '', line = ''] = FIRST_WORD.exec(ctx.text) ?? [];
	const asksForHelp = word.toLowerCase() === 'help';
	const onTrigger = bot.triggers.get(ctx.trigger as Trigger);
	if (onTrigger && !asksForHelp) {
		return onTrigger;
	}

	return isSpokenTo(ctx)
		? async ctx => ctx.reply(await answerHelp(bot, {word, line, may: role => mayRun(role, message.people)}))
		: undefined;
}

const FIRST_WORD = /^(\S*)\s*([\s\S]*)$/;

/** The command whose name the text begins with, the longest of several, and what stands behind it. */
function matchCommand<Session, Config>(
	{commands, aliases}: Bot<Session, Config>,
	text: string,
): {command: Command<Session, Config>; line: string} | undefined {
	let found: {command: Command<Session, Config>; line: string} | undefined;
	let [, name = '', line = ''] = FIRST_WORD.exec(text) ?? [];
	for (let words = 1; words <= MOST_WORDS; words++) {
		const key = name.toLowerCase();
		const command = commands.get(aliases.get(key) ?? key);
		found = command ? {command, line} : found;
		const [, word = '', rest = ''] = FIRST_WORD.exec(line) ?? [];
		if (word === '') {
			break;
		}

		name += ` ${word}`;
		line = rest;
	}

	return found;
}

/** Words of a command's name. */
const MOST_WORDS = 4;

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
		if (CANCEL.test(ctx.text)) {
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

		const parsed = await readAnswer(answer, ctx.text);
		if ('reason' in parsed) {
			return ctx.reply(`${parsed.reason}. ${pending.question} (\`cancel\` ends this.)`);
		}

		conversation.settle(id);
		const data = pending.kind === 'answer' ? pending.data : undefined;
		return answer?.run(ctx, parsed.value, {data, from: ctx.here, by: ctx.sender});
	};
}

/** What goes on when somebody answers whom another one had asked; undefined where nothing was asked. */
async function takeQuestion<Session, Config>(
	bot: Bot<Session, Config>,
	{ctx, asked, conversation}: Dispatched<Session, Config>,
): Promise<Handler<Session, Config> | undefined> {
	const answer = asked && bot.answers.get(asked.name);
	if (!asked || !answer || !isSpokenTo(ctx) || conversation.pendingOf(ctx.sender.id)) {
		return undefined;
	}

	if (CANCEL.test(ctx.text)) {
		return (await asked.take()) ? ctx => ctx.reply('Cancelled.') : undefined;
	}

	const parsed = await readAnswer(answer, ctx.text);
	if ('reason' in parsed) {
		return ctx => ctx.reply(`${parsed.reason}. ${asked.question} (\`cancel\` ends this.)`);
	}

	const {data, from, by} = asked;
	return (await asked.take()) ? ctx => answer.run(ctx, parsed.value, {data, from, by}) : undefined;
}

async function readAnswer<Session, Config>(
	answer: Answer<Session, Config> | undefined,
	text: string,
): Promise<{value: unknown} | {reason: string}> {
	const parsed = await answer?.schema.safeParseAsync(text, {error: plainly});
	return parsed?.success
		? {value: parsed.data}
		: {reason: quote(capital(parsed?.error.issues[0]?.message ?? 'that is no answer'))};
}

const CANCEL = /^(cancel|stop|never ?mind)[.!]?$/i;

function isSpokenTo({trigger}: {trigger: string}): boolean {
	return trigger === 'mention' || trigger === 'direct_message';
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
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
): Promise<Awaited<Returned>> {
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
