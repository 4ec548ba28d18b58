// Describes loaded bots, for the chat page of a local realm.

import {isAbsolute, relative} from 'node:path';
import {usageOf} from '../../bot/arguments/arguments.js';
import type {Plugins} from '../../plugins/index.js';
import type {BotAccount} from '../bots.js';
import type {BotReport} from './bot-report.js';

/** One report for each account of the local realm. */
export function reportBots(accounts: readonly BotAccount[], {loaded, broken}: Plugins): BotReport[] {
	return accounts
		.filter(({name}) => name.startsWith('realm:'))
		.map(({email, bot: name, work, settings, problem}) => {
			const failed = broken.find(plugin => plugin.name === name);
			const file = (failed ?? loaded.find(plugin => plugin.name === name))?.file ?? '';
			const reason = failed?.reason ?? problem;
			return {
				email,
				name,
				file: shortPath(file),
				about: work?.about ?? null,
				commands: [...(work?.commands.values() ?? [])].map(({name: command, args, about}) => ({
					name: command,
					usage: usageOf(command, args),
					about,
				})),
				config: Object.entries(settings ?? {}).map(([key, value]) => ({name: key, value: shownValue(key, value)})),
				error: reason === undefined ? null : {reason, ...placeOf(reason, file)},
			};
		});
}

/** A longer text without a space may be a key. */
const LONGEST_SHOWN = 20;

function shownValue(name: string, value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const isNamedSecret = /key|token|secret|pass|auth|cred|hook|dsn/i.test(name);
	return isNamedSecret || new RegExp(`\\S{${LONGEST_SHOWN}}`).test(text) ? '***' : text;
}

/** The reason of a broken plugin names its place, if that is known. */
function placeOf(reason: string, file: string): {file: string | null; line: number | null} {
	const [, place, line] = /(\/[^\s:()]+):(\d+)/.exec(reason) ?? [];
	return {file: shortPath(place ?? file) || null, line: line === undefined ? null : Number(line)};
}

function shortPath(file: string): string {
	const short = relative(process.cwd(), file);
	return file === '' || short.startsWith('..') || isAbsolute(short) ? file : short;
}
