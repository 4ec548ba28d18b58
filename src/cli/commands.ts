// The long-running commands: what each of them opens and prints.

import {readAccounts} from '../config/accounts.js';
import {ConfigError} from '../config/error.js';
import {announce} from '../host/announce.js';
import {assignBots} from '../host/bots.js';
import {openAccountChecks} from '../host/checks/account-checks.js';
import {openClients} from '../host/clients.js';
import {type Host, openPlugins, openRedis, pluginFolders} from '../host/connections.js';
import {ensureBots, needsOf, openRealm, receiverUrlOf, shareAccounts} from '../host/local-realm.js';
import {openMetrics} from '../host/metrics/open-metrics.js';
import {createBotHost} from '../host/playground/bot-host.js';
import {reportBots} from '../host/playground/report-bots.js';
import {printAddresses, printBots, printHowToStop, say, sayMetrics} from '../host/print.js';
import {openReceivers} from '../host/processes/receivers.js';
import {ROLES, type RoleName} from '../host/roles.js';
import {runInTerminal, runReloading} from '../host/run.js';
import {openWorkers} from '../host/working.js';
import {listPlugins} from '../plugins/index.js';
import {isPresent} from '../presence/account.js';
import {needAccounts} from './need-accounts.js';
import {CommandError} from './once.js';

/** Runs everything on one machine: the realm with one account per plugin, and the bots that answer in it. */
export async function runStart(): Promise<void> {
	refuseInProduction(process.env);
	await runInTerminal(openAll);
}

export async function openAll(host: Host): Promise<void> {
	const redisUrl = await openRedis(host);
	const configured = readAccounts(host.settings);
	const plugins = await openPlugins(host, configured);
	const named = await listPlugins(pluginFolders(host.settings));
	const realm = await openRealm(host);
	const needs = needsOf(plugins);
	const ensure = (receiverUrl: string) => ensureBots(realm, {named, needs, receiverUrl});
	const inRealm = shareAccounts(host, ensure(receiverUrlOf(host)));
	const accounts = [...inRealm.accounts, ...configured];
	const clientOf = openClients(host, {redisUrl, accounts});
	await openWorkers(host, {redisUrl, accounts, clientOf});
	const primary = await openReceivers(host, {redisUrl, env: inRealm.env, rollsOnHangUp: false});
	sayMetrics(host, await openMetrics(host, {primary, stored: {redisUrl, accounts}}));
	announce(host, {redisUrl, roles: ['web', ...ROLES]});
	openAccountChecks(host, {accounts: configured, clientOf, redisUrl});
	// With PORT=0, the address is known only now.
	ensure(primary.address());

	const assigned = assignBots(accounts, plugins, {environment: process.env});
	const botHost = createBotHost(host, {redisUrl, accounts: () => inRealm.accounts});
	botHost.loaded(reportBots(assigned, plugins));
	realm.connectHost(botHost);
	printAddresses(host, {realm, named, receiverUrl: primary.address()});
	printBots(host, plugins, assigned);
	printHowToStop(host);
}

/** @throws CommandError if NODE_ENV is "production": the realm is for development. */
export function refuseInProduction({NODE_ENV}: NodeJS.ProcessEnv): void {
	if (NODE_ENV === 'production') {
		throw new CommandError(
			'NODE_ENV is "production", and this command runs a realm for development. Run `npx bothy web` and ' +
				'`npx bothy worker` instead (docs/operating.md), or unset NODE_ENV.',
		);
	}
}

/** Runs the workers of some roles, or of all. SIGHUP reloads the config. */
export async function runWorker(names: readonly string[]): Promise<void> {
	await runReloading(async host => {
		const roles = names.length === 0 ? ROLES : names.map(readRole);
		const accounts = needAccounts(host);
		const redisUrl = await openRedis(host);
		const isPolling = roles.includes('events') && accounts.some(({receive}) => receive === 'events');
		// Bots run in processes of their own, so that a failing bot cannot stop the poller. No receiver is needed here.
		const primary = isPolling ? await openReceivers(host, {redisUrl, count: 0, rollsOnHangUp: false}) : undefined;

		const clientOf = openClients(host, {redisUrl, accounts});
		await openWorkers(host, {redisUrl, accounts, clientOf}, roles);
		announce(host, {redisUrl, roles});
		openAccountChecks(host, {accounts, clientOf, redisUrl});
		sayMetrics(host, await openMetrics(host, {...(primary && {primary}), stored: {redisUrl, accounts}}));
		if (names.includes('presence') && !accounts.some(isPresent)) {
			host.log.info({}, 'no account has `presence`, so this worker reports nothing');
		}

		say(host, `  Worker     ${roles.join(', ')}`);
	});
}

function readRole(name: string): RoleName {
	const role = ROLES.find(candidate => candidate === name);
	if (!role) {
		throw new ConfigError(`bothy worker: expected roles among ${ROLES.join(', ')}, found "${name}"`);
	}

	return role;
}
