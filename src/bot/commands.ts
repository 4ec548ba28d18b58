// The commands of a bot: finds the one that a text names, checks who may run it, and asks for a confirmation.

import {ArgumentError, parseArguments, usageOf} from './arguments/arguments.js';
import {mayAct, type People} from './arguments/people.js';
import type {Bot} from './bot.js';
import {quote} from './context/quote.js';
import type {Command, Handler} from './declarations.js';
import type {Dispatched} from './dispatched.js';
import type {Returned} from './returned.js';

export const FIRST_WORD = /^(\S*)\s*([\s\S]*)$/;

/** The command whose name the text begins with (the longest, if several match), and the words after it. */
export function matchCommand<Session, Config>(
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

/** How long Bothy waits for a confirmation. */
const CONFIRM_MS = 10 * 60_000;

export function commandHandler<Session, Config>(
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

		// Check first: a person should not confirm what cannot be done.
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

export async function runCommand<Session, Config>(
	command: Command<Session, Config>,
	line: string,
	message: Dispatched<Session, Config>,
): Promise<Awaited<Returned>> {
	const args = await readArguments(command, line, message);
	return typeof args === 'string' ? message.ctx.reply(args) : command.run(message.ctx, args);
}

/** The arguments, or the reply to the person if they are wrong. */
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

/** A person whose role is unknown has none. */
export async function mayRun(needed: Command['role'], people: People): Promise<boolean> {
	if (needed === undefined) {
		return true;
	}

	const role = await people.role();
	return role !== undefined && mayAct(role, needed);
}

export async function refusalOf<Session, Config>(
	{name, role}: Pick<Command<Session, Config>, 'name' | 'role'>,
	people: People,
): Promise<string> {
	return (await people.role()) === undefined
		? `I cannot see your role, so I may not run \`${name}\` for you. Ask my operator to check that my account has its API key.`
		: `\`${name}\` is for ${role === 'member' ? 'members' : `${role}s`} only.`;
}
