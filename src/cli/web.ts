// `bothy web`: receivers behind one socket, each in its own process. It replaces a receiver that dies. This process loads
// neither bots nor clients.

import type {Account} from '../config/accounts.js';
import {needToken} from '../console/admin-token.js';
import {announce} from '../host/announce.js';
import {kindOfAccount} from '../host/checks/account-kind.js';
import {type Host, openRedis, pluginFolders} from '../host/connections.js';
import {openMetrics} from '../host/metrics/open-metrics.js';
import {printBotNames, say, sayMetrics} from '../host/print.js';
import {CHECKS, STRICT} from '../host/processes/primary-messages.js';
import {openReceivers} from '../host/processes/receivers.js';
import {run} from '../host/run.js';
import {listPlugins} from '../plugins/index.js';
import {findPackage} from '../plugins/packages.js';
import {needAccounts} from './need-accounts.js';

export const runWeb = (options?: WebOptions) => run(host => openWeb(host, options));

interface WebOptions {
	/** Whether to start even if an account's plugin cannot be loaded. Default false. */
	readonly lenient?: boolean;
}

export async function openWeb(host: Host, {lenient = false}: WebOptions = {}): Promise<void> {
	const accounts = needAccounts(host);
	const hasConsole = host.settings.CONSOLE_PORT !== '';
	if (hasConsole) {
		needToken(host.settings);
	}

	const plugins = await listPlugins(pluginFolders(host.settings));
	await checkKinds(
		accounts,
		plugins.map(({name}) => name),
	);
	const opening = openRedis(host);
	const primary = await openReceivers(host, {
		redisUrl: opening,
		env: {[CHECKS]: '1', ...(!lenient && {[STRICT]: '1'})},
	});
	const redisUrl = await opening;
	sayMetrics(host, await openMetrics(host, {primary}));
	if (hasConsole) {
		const {openConsole} = await import('../console/open-console.js');
		say(host, `  Console    ${await openConsole(host, {redisUrl, accountsOf: needAccounts, env: process.env})}`);
	}

	announce(host, {redisUrl, roles: ['web']});
	say(host, `  Receiver   ${primary.address()}/webhook`);
	printBotNames(host, plugins);
}

/** @throws ConfigError for an account without a bot on this host. */
async function checkKinds(accounts: readonly Account[], plugins: readonly string[]): Promise<void> {
	for (const account of accounts) {
		// A section without `bot` never means a package that happens to have the section's name.
		const mayBePackage = account.bot !== account.name && !plugins.includes(account.bot);
		const isPackage = mayBePackage && (await findPackage(account.bot, process.cwd())) !== undefined;
		kindOfAccount(account, isPackage ? [...plugins, account.bot] : plugins);
	}
}
