// `bothy dev`: runs everything on one machine and reloads the bots on every save. Realm, Redis and workers keep running, so
// messages and stored values survive.

import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {type Account, readAccounts} from '../../config/accounts.js';
import {openClients} from '../../host/clients.js';
import {DEV, type Host, openRedis, pluginFolders} from '../../host/connections.js';
import {explain} from '../../host/explain.js';
import {
	type BotNeeds,
	ensureBots,
	NO_NEEDS,
	openRealm,
	type RealmAccounts,
	type RealmBots,
	receiverUrlOf,
	shareAccounts,
} from '../../host/local-realm.js';
import {createBotHost} from '../../host/playground/bot-host.js';
import {printAddresses, printBotNames, printHowToStop, say} from '../../host/print.js';
import {INSPECT} from '../../host/processes/debugging.js';
import {openReceivers} from '../../host/processes/receivers.js';
import {ROLES} from '../../host/roles.js';
import {runInTerminal} from '../../host/run.js';
import {createTeardown} from '../../host/teardown.js';
import {packageFolder} from '../../host/version.js';
import {openWorkers} from '../../host/working.js';
import {listPlugins, type PluginFile} from '../../plugins/index.js';
import type {Realm} from '../../realm/index.js';
import {refuseInProduction} from '../commands.js';
import {createTypeCheck} from './type-check.js';
import {openSourceWatch, type Watched} from './watch-sources.js';

/** `inspect` is the port of a debugger. Then one process runs all bots, and nothing ends it at a breakpoint. */
export async function runDev({inspect}: {inspect?: number} = {}): Promise<void> {
	refuseInProduction(process.env);
	process.env[DEV] = '1';
	await runInTerminal(async host => {
		const redisUrl = await openRedis(host);
		const realm = await openRealm(host);
		const watch = await openSourceWatch(watchedBy(host));
		// Only receivers load bots. They report what the bots need of their accounts.
		let needs: BotNeeds = NO_NEEDS;
		const read = (receiverUrl: string) => readHouse(host, {realm, needs, receiverUrl});
		let house = await read(receiverUrlOf(host));
		const botHost = createBotHost(host, {redisUrl, accounts: () => house.inRealm.accounts});
		realm.connectHost(botHost);
		const workers = await openExchangeableWorkers(host, {
			redisUrl,
			first: house.accounts,
			sweeps: inspect === undefined,
		});
		// One receiver is enough for development, and restarts faster than two.
		const primary = await openReceivers(host, {
			redisUrl,
			env: {...house.inRealm.env, ...(inspect !== undefined && {[INSPECT]: String(inspect)})},
			count: 1,
			rollsOnHangUp: false,
			onNeeds(told) {
				needs = told;
			},
			onBots: bots => botHost.loaded(bots),
		});
		// With PORT=0, the address is known only now.
		house = await read(primary.address());
		await workers.exchange(house.accounts);
		printAddresses(host, {realm, named: house.named, receiverUrl: primary.address()});
		// Receivers have reported the other bots as broken or left out.
		const running = () => {
			const failed = new Set(botHost.bots().bots.flatMap(({name, error}) => (error ? [name] : [])));
			return house.named.filter(({name}) => !failed.has(name));
		};
		let printed = running();
		printBotNames(host, printed);
		say(host, '  Save a bot, and the next message gets the new version.');
		if (inspect !== undefined) {
			say(
				host,
				`  Debugger   127.0.0.1:${inspect}   (attach to it; nothing is run again while you look at a breakpoint)`,
			);
		}

		printHowToStop(host);

		const types = createTypeCheck(host);
		watch.start(async () => {
			const startedAt = performance.now();
			types.stop();
			try {
				house = await read(primary.address());
				// If one fails, the other is done too: the next reload must not overlap with it.
				const renewed = await Promise.allSettled([primary.renew()]);
				house = await read(primary.address());
				failIfAny([...renewed, ...(await Promise.allSettled([workers.exchange(house.accounts)]))]);
				const tookMs = Math.round(performance.now() - startedAt);
				botHost.reloaded(tookMs);
				say(host, `  Reloaded   in ${tookMs} ms`);
				if (!isDeepStrictEqual(printed, running())) {
					printed = running();
					printBotNames(host, printed);
				}
			} catch (error) {
				const reason = explain(error);
				botHost.failed(reason);
				say(host, `  Not reloaded; the previous version keeps running: ${reason}`);
			}

			types.start();
		});
		types.start();
		host.teardown.add(async () => {
			await watch.stop();
			types.stop();
		});
	});
}

function failIfAny(results: readonly PromiseSettledResult<void>[]): void {
	const failed = results.find(result => result.status === 'rejected');
	if (failed) {
		throw failed.reason;
	}
}

interface House {
	readonly named: readonly PluginFile[];
	readonly inRealm: RealmAccounts;
	/** The accounts of the realm and of the config file. */
	readonly accounts: readonly Account[];
}

/** Reads the current plugins and accounts. */
async function readHouse(host: Host, {realm, ...rest}: Omit<RealmBots, 'named'> & {realm: Realm}): Promise<House> {
	const named = await listPlugins(pluginFolders(host.settings));
	const inRealm = shareAccounts(host, ensureBots(realm, {named, ...rest}));
	return {named, inRealm, accounts: [...inRealm.accounts, ...readAccounts(host.settings)]};
}

/** Workers know only the accounts from their start, so changed accounts need new workers. */
async function openExchangeableWorkers(
	host: Host,
	{redisUrl, first, sweeps}: {redisUrl: string; first: readonly Account[]; sweeps: boolean},
) {
	const roles = ROLES.filter(role => sweeps || role !== 'sweep');
	let accounts = first;
	let teardown = await open(first);
	host.teardown.add(() => teardown.run());

	async function open(accounts: readonly Account[]) {
		const teardown = createTeardown(error => host.log.warn({err: error}, 'could not close a part of this process'));
		const inner = {...host, teardown};
		await openWorkers(inner, {redisUrl, accounts, clientOf: openClients(inner, {redisUrl, accounts})}, roles);
		return teardown;
	}

	return {
		async exchange(next: readonly Account[]): Promise<void> {
			if (!isDeepStrictEqual(next, accounts)) {
				accounts = next;
				await teardown.run();
				teardown = await open(next);
			}
		},
	};
}

/** In a user's repository, a bot may import any file. In our own, only `bots/` concerns the bots. */
function watchedBy({settings}: Host): Watched {
	const isOurs = process.cwd() === fileURLToPath(packageFolder).replace(/\/$/, '');
	const [bots = 'bots', ...more] = pluginFolders(settings);
	return {
		folders: [isOurs ? bots : process.cwd(), ...more],
		files: [settings.BOTHY_CONFIG],
		except: settings.BOTHY_DATA,
	};
}
