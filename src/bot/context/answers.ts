// The answers to a bot's questions: those asked in this conversation, and those that somebody made the bot ask elsewhere.

import type {Bot} from '../bot.js';
import {mayRun, refusalOf, runCommand} from '../commands.js';
import type {Answer, Handler} from '../declarations.js';
import {type Dispatched, isSpokenTo} from '../dispatched.js';
import {plainly} from '../plainly.js';
import type {Returned} from '../returned.js';
import type {Asked, Context} from './context.js';
import type {Pending} from './conversation.js';
import {quote} from './quote.js';

/** Finds what handles an answer. Undefined if the bot no longer asks the question. */
export function answerHandler<Session, Config>(
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
		return (
			answer && runAnswer(answer, ctx, {name: pending.name, value: parsed.value, data, from: ctx.here, by: ctx.sender})
		);
	};
}

/** Finds what handles the answer to a question that somebody else made the bot ask. Undefined if there is no such question. */
export async function takeQuestion<Session, Config>(
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

	const given = {...asked, value: parsed.value};
	return (await asked.take()) ? ctx => runAnswer(answer, ctx, given) : undefined;
}

interface Given extends Asked {
	/** Name of the `.answer()`. */
	readonly name: string;
	/** The answer, as its schema reads it. */
	readonly value: unknown;
}

function runAnswer<Session, Config>(
	{data: schema, run}: Answer<Session, Config>,
	ctx: Context<Session, Config>,
	{name, value, data, from, by}: Given,
): Returned {
	const read = schema?.safeParse(data, {error: plainly});
	if (read && !read.success) {
		const [issue] = read.error.issues;
		const place = ['data', ...(issue?.path ?? [])].join('.');
		throw new TypeError(
			`Expected ctx.ask('${name}', …) with data that fits the schema of .answer('${name}', …, {data}); \`${place}\`: ${issue?.message}`,
		);
	}

	return run(ctx, value, {data: read ? read.data : data, from, by});
}

async function readAnswer<Session, Config>(
	answer: Answer<Session, Config> | undefined,
	text: string,
): Promise<{value: unknown} | {reason: string}> {
	const parsed = await answer?.schema.safeParseAsync(text, {error: plainly});
	return parsed?.success
		? {value: parsed.data}
		: {reason: quote(capital(parsed?.error.issues[0]?.message ?? 'that is not a valid answer'))};
}

const CANCEL = /^(cancel|stop|never ?mind)[.!]?$/i;

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
