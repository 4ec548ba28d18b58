// `bothy realm`: runs the local realm and its chat page alone, for bots of another host.

import {openPlugins, pluginFolders} from '../host/connections.js';
import {ensureBots, needsOf, openRealm, receiverUrlOf, writeAccounts} from '../host/local-realm.js';
import {printHowToStop, say} from '../host/print.js';
import {runInTerminal} from '../host/run.js';
import {titleOf} from '../host/title.js';
import {listPlugins} from '../plugins/index.js';
import {CommandError} from './once.js';

/** A bot of another host. */
interface ForeignBot {
	readonly name: string;
	readonly payloadUrl: string;
}

/** `trial=http://127.0.0.1:5002`. */
export function readForeignBot(text: string): ForeignBot {
	const [, name, payloadUrl] = /^([a-z][a-z0-9_-]*)=(https?:\/\/.+)$/.exec(text) ?? [];
	if (name === undefined || payloadUrl === undefined || !URL.canParse(payloadUrl)) {
		throw new CommandError(
			`--bot: expected a name in lower case and the URL for its webhooks, such as lunch=http://127.0.0.1:5002, found "${text}"`,
		);
	}

	return {name, payloadUrl};
}

/** Without `bots`, there is an account for each plugin. */
export async function runRealm(bots: readonly ForeignBot[]): Promise<void> {
	await runInTerminal(async host => {
		const folders = pluginFolders(host.settings);
		const isForeign = bots.length > 0;
		const named = isForeign ? [] : await listPlugins(folders);
		const needs = isForeign ? undefined : needsOf(await openPlugins(host, []));
		const realm = await openRealm(host);
		const accounts = needs
			? ensureBots(realm, {named, needs, receiverUrl: receiverUrlOf(host)})
			: bots.map(({name, payloadUrl}) => realm.ensureBot({name, fullName: titleOf(name), payloadUrl}));
		const file = writeAccounts(host, accounts);
		say(host, `  Chat page  ${realm.url}`);
		say(host, `  Accounts   ${file}   (email, key and token of each bot; Bothy starts with BOTHY_CONFIG=${file})`);
		printHowToStop(host);
	});
}
