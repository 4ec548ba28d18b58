// What each command opens, and what it says once it runs.

import {type Account, readAccounts} from '../config/accounts.js';
import {ConfigError} from '../config/error.js';
import {openAccountChecks} from '../host/account-checks.js';
import {announce} from '../host/announce.js';
import {assignBots} from '../host/bots.js';
import {openClients} from '../host/clients.js';
import {type Host, openPlugins, openRedis, pluginFolders} from '../host/connections.js';
import {ensureBots, needsOf, openRealm, receiverUrlOf, shareAccounts, writeAccounts} from '../host/local-realm.js';
import {openMetrics} from '../host/open-metrics.js';
import {printAddresses, printBots, printHowToStop, say} from '../host/print.js';
import {STRICT} from '../host/processes/primary-messages.js';
import {openReceivers} from '../host/processes/receivers.js';
import {ROLES, type RoleName} from '../host/roles.js';
import {run, runInTerminal, runReloading} from '../host/run.js';
import {openWorkers} from '../host/working.js';
import {listPlugins} from '../plugins/index.js';
import {CommandError} from './once.js';

/** Everything on one machine: the realm with one account per plugin, and the bots that answer in it. */
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
	sayMetrics(await openMetrics(host, {primary, stored: {redisUrl, accounts}}));
	announce(host, {redisUrl, roles: ['web', ...ROLES]});
	openAccountChecks(host, {accounts: configured, clientOf, redisUrl});
	// With PORT=0 the address is known only now.
	ensure(primary.address());

	printAddresses({realm, named, receiverUrl: primary.address()});
	printBots(plugins, assignBots(accounts, plugins, {environment: process.env}));
	printHowToStop();
}

/** @throws CommandError where the environment is a production one: the realm is for development. */
export function refuseInProduction({NODE_ENV}: NodeJS.ProcessEnv): void {
	if (NODE_ENV === 'production') {
		throw new CommandError(
			'NODE_ENV is "production", and this command runs a realm for development. Run `npx bothy web` and ' +
				'`npx bothy worker` instead (docs/operating.md), or unset NODE_ENV.',
		);
	}
}

/** Receivers behind one socket, each in a process of its own; one that dies is replaced. */
export const runWeb = (options?: WebOptions) => run(host => openWeb(host, options));

interface WebOptions {
	/** Whether to start although a plugin that an account names cannot be loaded. Default false. */
	readonly lenient?: boolean;
}

export async function openWeb(host: Host, {lenient = false}: WebOptions = {}): Promise<void> {
	const accounts = needAccounts(host);
	const plugins = await openPlugins(host, accounts);
	const assigned = assignBots(accounts, plugins, {isStrict: !lenient, environment: process.env});
	const redisUrl = await openRedis(host);
	const primary = await openReceivers(host, {redisUrl, env: lenient ? {} : {[STRICT]: '1'}});
	sayMetrics(await openMetrics(host, {primary}));
	announce(host, {redisUrl, roles: ['web']});
	openAccountChecks(host, {accounts, clientOf: openClients(host, {redisUrl, accounts}), redisUrl});
	say(`  Receiver   ${primary.address()}/webhook`);
	printBots(plugins, assigned);
}

/** The workers of some roles; of all when none is named. SIGHUP has them read the config again. */
export async function runWorker(names: readonly string[]): Promise<void> {
	await runReloading(async host => {
		const roles = names.length === 0 ? ROLES : names.map(readRole);
		const accounts = needAccounts(host);
		const redisUrl = await openRedis(host);
		const isPolling = roles.includes('events') && accounts.some(({receive}) => receive === 'events');
		// Whoever polls does so beside bots that may fail, not among them; and no receiver need run here.
		const primary = isPolling ? await openReceivers(host, {redisUrl, count: 0, rollsOnHangUp: false}) : undefined;

		const clientOf = openClients(host, {redisUrl, accounts});
		await openWorkers(host, {redisUrl, accounts, clientOf}, roles);
		announce(host, {redisUrl, roles});
		openAccountChecks(host, {accounts, clientOf, redisUrl});
		sayMetrics(await openMetrics(host, {...(primary && {primary}), stored: {redisUrl, accounts}}));
		say(`  Worker     ${roles.join(', ')}`);
	});
}

function sayMetrics(address: string | undefined): void {
	if (address !== undefined) {
		say(`  Metrics    ${address}`);
	}
}

function readRole(name: string): RoleName {
	const role = ROLES.find(candidate => candidate === name);
	if (!role) {
		throw new ConfigError(`bothy worker: expected roles among ${ROLES.join(', ')}, found "${name}"`);
	}

	return role;
}

export async function runRealm(): Promise<void> {
	await runInTerminal(async host => {
		const named = await listPlugins(pluginFolders(host.settings));
		const needs = needsOf(await openPlugins(host, []));
		const realm = await openRealm(host);
		const bots = ensureBots(realm, {named, needs, receiverUrl: receiverUrlOf(host)});
		const file = writeAccounts(host, bots);
		say(`  Chat page  ${realm.url}`);
		say(`  Accounts   ${file}   (start the others with BOTHY_CONFIG=${file})`);
	});
}

function needAccounts({settings, log}: Host): readonly Account[] {
	const accounts = readAccounts(settings);
	for (const {name, site, tls} of accounts) {
		if (tls?.rejectUnauthorized === false) {
			log.warn({account: name, site}, '`insecure = true`: anybody on the network path can read keys and messages');
		} else if (/^http:/.test(site) && !/^(localhost|127\.|\[::1\])/.test(new URL(site).hostname)) {
			log.warn({account: name, site}, 'the site has no https: anybody on the network path can read keys and messages');
		}
	}

	if (accounts.length === 0) {
		throw new ConfigError(
			`Expected at least one bot account in ${settings.BOTHY_CONFIG} (BOTHY_CONFIG), found none. ` +
				'The README shows an example. `bothy start` needs no such file.',
		);
	}

	return accounts;
}
