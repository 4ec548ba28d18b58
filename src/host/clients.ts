// Creates the clients of a host's accounts.

import type {Dispatcher} from 'undici';
import {operations} from '../api/index.js';
import type {Tried} from '../client/call.js';
import {type Client, createClient, type Pause} from '../client/client.js';
import {createLevel, type Level} from '../client/level.js';
import {createPool, type PoolOptions} from '../client/pool.js';
import type {Account} from '../config/accounts.js';
import type {Settings} from '../config/settings.js';
import type {Log} from '../log.js';
import {createTroubles, type NoteOutcome} from './checks/troubles.js';
import {type Host, openConnection} from './connections.js';
import {atWork, publish} from './metrics/diagnostics.js';
import {createPauses} from './pauses.js';
import {version} from './version.js';

/** How to connect to an account's site. */
export function poolOptions({HTTPS_PROXY, NO_PROXY}: Settings, {tls}: Account): PoolOptions {
	return {tls, proxy: HTTPS_PROXY || undefined, noProxy: NO_PROXY};
}

/** Logs each operation and parameter once. */
function createIgnoredLog(log: Log): (operation: string, parameters: readonly string[]) => void {
	const told = new Set<string>();
	return function tellIgnored(operation, parameters) {
		for (const parameter of parameters) {
			const what = `${operation} ${parameter}`;
			if (!told.has(what)) {
				told.add(what);
				log.info({operation, parameter}, 'the service ignored a parameter');
			}
		}
	};
}

function observePause(bot: string, pause: Pause): Pause {
	return {
		...pause,
		begin(ms) {
			publish('pause', {bot, ms});
			pause.begin(ms);
		},
	};
}

/** The service answers these also with a revoked key. */
const PUBLIC = new Set<string>(
	Object.values(operations)
		.filter(({callers}) => callers === 'anyone')
		.map(({name}) => name),
);

function observeCalls(bot: string, note: NoteOutcome) {
	return function observed(error: Error | undefined, {operation, ms}: Tried): void {
		note(error, {withKey: !PUBLIC.has(operation)});
		const code = error && 'code' in error ? String(error.code) : error?.name;
		publish('call', {bot, ...atWork(), operation, ms, error: code});
	};
}

interface ClientConnections {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	/** Whether calls wait out a 429, within their time limit. True for bots' handlers; jobs are delayed instead. */
	readonly waits?: boolean;
}

/** One client for each account, created on first use. If the service says 429 to an account, all processes pause it. */
export function openClients(host: Host, {redisUrl, accounts, waits = false}: ClientConnections) {
	const {log, settings, teardown} = host;
	const connection = openConnection(host, redisUrl);
	const pauses = createPauses(connection, openConnection(host, redisUrl));
	const troubles = createTroubles(connection, log);
	const clients = new Map<string, Client>();
	const pools = new Map<string, Dispatcher>();
	const levels = new Map<string, Level>();
	const onIgnoredParameters = createIgnoredLog(log);
	teardown.add(() => Promise.all([...pools.values()].map(pool => pool.destroy())));

	/** Accounts of a site share a pool, unless their certificates differ. */
	function poolOf(account: Account): Dispatcher {
		const id = JSON.stringify([account.site, account.tls]);
		const pool = pools.get(id) ?? createPool(account.site, poolOptions(settings, account));
		pools.set(id, pool);
		return pool;
	}

	function levelOf({site}: Account): Level {
		const level = levels.get(site) ?? createLevel();
		levels.set(site, level);
		return level;
	}

	return function clientOf({site, email}: {site: string; email: string}): Client | undefined {
		const account = accounts.find(candidate => candidate.email === email && candidate.site === site);
		const id = `${email} ${site}`;
		if (account && !clients.has(id)) {
			clients.set(
				id,
				createClient({
					...account,
					pool: poolOf(account),
					level: levelOf(account),
					pause: observePause(account.name, pauses.of(account)),
					waits,
					userAgent: `Bothy/${version}`,
					onIgnoredParameters,
					onOutcome: observeCalls(account.name, troubles.of(account)),
				}),
			);
		}

		return clients.get(id);
	};
}
