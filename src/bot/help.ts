// The built-in help, generated from a bot's declarations. It lists only commands that the sender may run.

import {closest, distance} from 'fastest-levenshtein';
import {usageOf} from './arguments/arguments.js';
import type {Bot} from './bot.js';
import {quote} from './context/quote.js';
import type {Command, Role} from './declarations.js';

export interface Asked {
	/** The first word of the message, and the rest of the line. */
	readonly word: string;
	readonly line: string;
	/** Whether the sender may run commands that need this role. */
	may(role: Role | undefined): Promise<boolean>;
}

/** Answers `help`, `help <command>`, and a word that is no command. */
export async function answerHelp<Session, Config>(
	bot: Bot<Session, Config>,
	{word, line, may}: Asked,
): Promise<string> {
	const allowed: Command<Session, Config>[] = [];
	for (const command of bot.commands.values()) {
		if (await may(command.role)) {
			allowed.push(command);
		}
	}

	const isHelp = word.toLowerCase() === 'help';
	const wanted = (isHelp ? line.trim() : word).toLowerCase();
	const found = allowed.find(({name}) => name.toLowerCase() === wanted);
	if (isHelp && found) {
		return detailsOf(found);
	}

	const near = nearest(wanted, allowed);
	if (near) {
		return `I do not know \`${quote(isHelp ? line.trim() : word)}\`. Did you mean this?\n\n* ${lineOf(near)}`;
	}

	const commands = allowed.map(command => `* ${lineOf(command)}`);
	return commands.length === 0 ? bot.about : [bot.about, '', ...commands].join('\n');
}

/** A suggestion may differ in one of every three letters. */
const LETTERS_PER_SLIP = 3;

function nearest<Session, Config>(
	word: string,
	commands: readonly Command<Session, Config>[],
): Command<Session, Config> | undefined {
	const names = commands.map(({name}) => name.toLowerCase());
	if (word.length < LETTERS_PER_SLIP || names.length === 0) {
		return undefined;
	}

	const name = closest(word, names);
	const isNear = distance(word, name) <= Math.ceil(word.length / LETTERS_PER_SLIP);
	return isNear ? commands[names.indexOf(name)] : undefined;
}

function detailsOf<Session, Config>({name, about, args, role, confirm}: Command<Session, Config>): string {
	const fields = Object.entries(args?.shape ?? {}).flatMap(([key, field]) =>
		field.description === undefined ? [] : [`* \`${key}\`: ${field.description}`],
	);
	const notes = [
		...(role === undefined ? [] : [`For ${role}s only.`]),
		...(confirm === undefined ? [] : ['Asks you to confirm.']),
	];
	return [`\`${usageOf(name, args)}\`: ${about}`, ...fields, ...notes].join('\n');
}

function lineOf<Session, Config>({name, args, about}: Command<Session, Config>): string {
	return `\`${usageOf(name, args)}\`: ${about}`;
}
