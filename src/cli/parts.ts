// What the processes of a host share: Redis, plugins, clients.

import {existsSync} from 'node:fs';
import {delimiter, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Dispatcher} from 'undici';
import {type Client, createClient} from '../client/client.js';
import {createLevel, type Level} from '../client/level.js';
import {createPool, type PoolOptions} from '../client/pool.js';
import type {Account, Settings} from '../config.js';
import {createCronStore} from '../delivery/crons.js';
import {createOutboxStore} from '../delivery/outbox-store.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {createSchedules, type Schedules} from '../delivery/schedules.js';
import type {Log} from '../log.js';
import {loadPackages, loadPlugins, type Plugins} from '../plugins/index.js';
import {connectRedis, type RedisConnection} from '../queue/connection.js';
import {openEmbeddedRedis} from '../queue/embedded-redis.js';
import {createPauses} from '../queue/pauses.js';
import type {Teardown} from './teardown.js';
import {packageFolder, version} from './version.js';

/** What every part is given. */
export interface Host {
	readonly settings: Settings;
	readonly log: Log;
	readonly teardown: Teardown;
}

/** URL of the Redis that was given, or of a private one. */
export async function openRedis({settings, log, teardown}: Host, {exclusive}: {exclusive: boolean}): Promise<string> {
	if (settings.REDIS_URL !== '') {
		return settings.REDIS_URL;
	}

	const folder = resolve(settings.BOTHY_DATA, 'redis');
	const redis = await openEmbeddedRedis({
		folder,
		port: settings.REDIS_PORT,
		exclusive,
		owner: `bothy ${process.argv[2]} (process ${process.pid})`,
		// Where `npm start` puts a Redis server when it may not install one for the whole machine.
		searchFolders: [fileURLToPath(new URL('.data/bin/', packageFolder))],
	});
	teardown.add(() => redis.close());
	redis.onExit(() => {
		log.error({folder}, 'the private Redis ended by itself; stopping');
		process.kill(process.pid, 'SIGTERM');
	});
	return redis.url;
}

/** A connection that tells the log, once each, when Redis goes and comes back. */
export function openConnection(
	{log, teardown}: Host,
	url: string,
	{failFast = false, onBack}: {failFast?: boolean; onBack?: () => void} = {},
): RedisConnection {
	const connection = connectRedis(url, {
		failFast,
		listener: {
			onLost: error => log.warn({reason: error.message}, 'Redis is away'),
			onBack() {
				log.info({}, 'Redis is back');
				onBack?.();
			},
		},
	});
	teardown.add(async () => connection.disconnect());
	return connection;
}

/** Set where `bothy dev` runs: our own examples are then taken as they were written, not as they were built. */
export const DEV = 'BOTHY_DEV';

/** The folders of plugins: `bots/` of the folder in which we run, or our own examples, then those of BOTHY_BOTS. */
export function pluginFolders({BOTHY_BOTS}: Settings): string[] {
	const more = BOTHY_BOTS.split(delimiter).filter(folder => folder !== '');
	const examples = fileURLToPath(new URL('dist/bots', packageFolder));
	const here = resolve('bots');
	const isElsewhere = here !== fileURLToPath(new URL('bots', packageFolder));
	const folders = isElsewhere || process.env[DEV] !== undefined ? [here, examples] : [examples];
	return [...folders.filter(folder => existsSync(folder)).slice(0, 1), ...more];
}

/** The plugins of all folders, and the packages that accounts name; broken ones are told and left out. */
export async function openPlugins({settings, log}: Host, accounts: readonly Account[]): Promise<Plugins> {
	const inFolders = await loadPlugins(pluginFolders(settings));
	const known = new Set([...inFolders.loaded, ...inFolders.broken].map(({name}) => name));
	// Whoever names no plugin means none of the packages that are called as the section is.
	const named = accounts.filter(({bot, name, forward}) => bot !== name && forward === undefined && !known.has(bot));
	const packages = await loadPackages(
		named.map(({bot}) => bot),
		process.cwd(),
	);
	const broken = [...inFolders.broken, ...packages.broken];
	for (const {name, file, reason} of broken) {
		if (process.env[DEV] === undefined) {
			log.error({plugin: name, file, reason}, 'a plugin is broken');
		}
	}

	return {loaded: [...inFolders.loaded, ...packages.loaded], broken};
}

/** How the site of an account is reached. */
export function poolOptions({HTTPS_PROXY, NO_PROXY}: Settings, {tls}: Account): PoolOptions {
	return {tls, proxy: HTTPS_PROXY || undefined, noProxy: NO_PROXY};
}

/** Once for each operation and parameter. */
function createIgnoredLog(log: Log): (operation: string, parameters: readonly string[]) => void {
	const told = new Set<string>();
	return function tellIgnored(operation, parameters) {
		for (const parameter of parameters) {
			const what = `${operation} ${parameter}`;
			if (!told.has(what)) {
				told.add(what);
				log.warn({operation, parameter}, 'the service ignored a parameter');
			}
		}
	};
}

interface ClientParts {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	/** Whether calls wait out a 429 within their time: for bots' handlers. Jobs are delayed instead. */
	readonly waits?: boolean;
}

/** One client for each account, made when first used; all processes wait when the service asks an account to. */
export function openClients(host: Host, {redisUrl, accounts, waits = false}: ClientParts) {
	const {log, settings, teardown} = host;
	const pauses = createPauses(openConnection(host, redisUrl), openConnection(host, redisUrl));
	const clients = new Map<string, Client>();
	const pools = new Map<string, Dispatcher>();
	const levels = new Map<string, Level>();
	const onIgnoredParameters = createIgnoredLog(log);
	teardown.add(() => Promise.all([...pools.values()].map(pool => pool.destroy())));

	/** Shared by the accounts of a site, unless they show different certificates. */
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
					pause: pauses.of(account),
					waits,
					userAgent: `Bothy/${version}`,
					onIgnoredParameters,
				}),
			);
		}

		return clients.get(id);
	};
}

/** What the accounts have said for later. */
export function openSchedules(connection: RedisConnection, wake: (ref: DeliveryRef) => Promise<void>): Schedules {
	return createSchedules({
		outboxes: createOutboxStore(connection),
		crons: createCronStore(connection),
		wake,
		now: Date.now,
	});
}
