// Lines that a long-running command prints for the person at the terminal, in addition to the log.

import type {BrokenPlugin, PluginFile, Plugins} from '../plugins/index.js';
import type {Realm} from '../realm/index.js';
import {titleOf} from './local-realm.js';

export function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

interface Places {
	readonly realm: Realm;
	readonly named: readonly PluginFile[];
	readonly receiverUrl: string;
}

export function printAddresses({realm, named, receiverUrl}: Places): void {
	const first = (named.find(({name}) => name === 'echo') ?? named[0])?.name;
	const hint = first === undefined ? '' : `: write @**${titleOf(first)}** hello`;
	say('');
	say(`  Chat page  ${realm.url}   (a local realm${hint})`);
	say(`  Receiver   ${receiverUrl}/webhook`);
}

export function printHowToStop(): void {
	say('');
	say('  Ctrl-C stops everything.');
	say('');
}

export function printBots({loaded, broken}: Plugins, accounts: readonly Unusable[]): void {
	printBotNames(loaded);
	printBrokenBots(broken);
	printProblems(accounts);
}

/** An account whose bot does not run. */
interface Unusable {
	readonly bot: string;
	readonly problem?: string;
}

/** Prints bots with wrong or missing settings. The others run. */
export function printProblems(accounts: readonly Unusable[]): void {
	for (const {bot, problem} of accounts) {
		if (problem !== undefined) {
			say(`  Left out   ${bot}: ${problem}`);
		}
	}
}

export function printBotNames(plugins: readonly PluginFile[]): void {
	say(`  Bots       ${plugins.map(({name}) => name).join(', ') || 'none; `npx bothy new lunch` creates one'}`);
}

export function printBrokenBots(broken: readonly BrokenPlugin[]): void {
	for (const {name, file, reason} of broken) {
		say(`  Broken     ${name} (${file}): ${reason}`);
	}
}
