// The built-in help, made from what a bot declares.

import {usageOf} from './arguments.js';
import type {Bot, Command} from './bot.js';

/** Everything a bot can do, one line a command. */
export function helpOf<Session>(bot: Bot<Session>): string {
	const commands = [...bot.commands.values()].map(command => `* ${lineOf(command)}`);
	return commands.length === 0 ? bot.about : [bot.about, '', ...commands].join('\n');
}

function lineOf<Session>(command: Command<Session>): string {
	return `\`${usageOf(command.name, command.args)}\`: ${command.about}`;
}
