// Lines that a long-running command prints for the person at the terminal, in addition to the log.

import type {BrokenPlugin, PluginFile, Plugins} from '../plugins/index.js';
import type {Realm} from '../realm/index.js';
import type {Host} from './connections.js';
import {titleOf} from './title.js';

/** Prints a line at a terminal. Without a terminal, logs it, whatever the log level. */
export function say({log}: Pick<Host, 'log'>, line: string): void {
	if (process.stdout.isTTY) {
		process.stdout.write(`${line}\n`);
	} else if (line !== '') {
		log.child({}, {level: 'info'}).info(line);
	}
}

export function sayMetrics(host: Host, address: string | undefined): void {
	if (address !== undefined) {
		say(host, `  Metrics    ${address}`);
	}
}

interface Places {
	readonly realm: Realm;
	readonly named: readonly PluginFile[];
	readonly receiverUrl: string;
}

export function printAddresses(host: Host, {realm, named, receiverUrl}: Places): void {
	const first = (named.find(({name}) => name === 'echo') ?? named[0])?.name;
	const hint = first === undefined ? '' : `: write @**${titleOf(first)}** hello`;
	say(host, '');
	say(host, `  Chat page  ${realm.url}   (a local realm${hint})`);
	say(host, `  Receiver   ${receiverUrl}/webhook`);
}

export function printHowToStop(host: Host): void {
	say(host, '');
	say(host, '  Ctrl-C stops everything.');
	say(host, '');
}

export function printBots(host: Host, {loaded, broken}: Plugins, accounts: readonly Unusable[]): void {
	const leftOut = new Set(accounts.flatMap(({bot, problem}) => (problem === undefined ? [] : [bot])));
	printBotNames(
		host,
		loaded.filter(({name}) => !leftOut.has(name)),
	);
	printBrokenBots(host, broken);
	printProblems(host, accounts);
}

/** An account whose bot does not run. */
interface Unusable {
	readonly bot: string;
	readonly problem?: string;
}

/** Prints bots with wrong or missing settings. The others run. */
export function printProblems(host: Host, accounts: readonly Unusable[]): void {
	for (const {bot, problem} of accounts) {
		if (problem !== undefined) {
			say(host, `  Left out   ${bot}: ${problem}`);
		}
	}
}

export function printBotNames(host: Host, plugins: readonly PluginFile[]): void {
	say(host, `  Bots       ${plugins.map(({name}) => name).join(', ') || 'none; `npx bothy new lunch` creates one'}`);
}

export function printBrokenBots(host: Host, broken: readonly BrokenPlugin[]): void {
	for (const {name, file, reason} of broken) {
		say(host, `  Broken     ${name} (${file}): ${reason}`);
	}
}
