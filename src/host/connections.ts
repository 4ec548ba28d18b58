// Redis and plugins, which the processes of a host share.

import {existsSync} from 'node:fs';
import {delimiter, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Account} from '../config/accounts.js';
import type {Settings} from '../config/settings.js';
import type {Log} from '../log.js';
import {loadPackages, loadPlugins, type Plugins} from '../plugins/index.js';
import {sharedKey} from '../redis/account-key.js';
import {type Availability, createAvailability} from '../redis/availability.js';
import {connectRedis, type RedisConnection} from '../redis/connection.js';
import {openEmbeddedRedis} from '../redis/embedded-redis.js';
import {cureOf, reasonOf} from '../redis/refusal.js';
import type {Teardown} from './teardown.js';
import {packageFolder} from './version.js';

/** Passed to every part of a host. */
export interface Host {
	readonly settings: Settings;
	readonly log: Log;
	readonly teardown: Teardown;
}

/** The URL of the configured Redis, or of a private one that runs as long as any process uses it. */
export async function openRedis({settings, log, teardown}: Host): Promise<string> {
	if (settings.REDIS_URL !== '') {
		return settings.REDIS_URL;
	}

	const folder = resolve(settings.BOTHY_DATA, 'redis');
	const opening = openEmbeddedRedis({
		folder,
		// `npm start` installs a Redis server here if it may not install one for the whole machine.
		searchFolders: [fileURLToPath(new URL('.data/bin/', packageFolder))],
		onLost: reason => log.warn({folder, reason}, 'the private Redis ended; starting it again'),
	});
	// Added before Redis runs: what is opened in the meantime uses Redis, so it has to close first.
	teardown.add(async () => (await opening.catch(() => undefined))?.close());
	return (await opening).url;
}

/** The main process logs once that Redis is away. Its child processes log that deliveries wait. */
function isOneOfMany(): boolean {
	return process.env.BOTHY_PROCESS !== undefined;
}

/** Connections that wait for Redis. Their outages count as one in the log. */
const waitingByLog = new WeakMap<Log, Set<object>>();

interface ConnectionOptions {
	readonly failFast?: boolean;
	onLost?(error: Error): void;
	onBack?(): void;
}

/** What to do if the reason why Redis cannot be reached is its name. */
export function unknownHostCure(reason: string): string | undefined {
	return /ENOTFOUND|EAI_AGAIN/.test(reason)
		? 'Correct the host name in REDIS_URL, or the DNS of this machine.'
		: undefined;
}

/** A connection that logs, once each, when Redis stops and starts to answer. */
export function openConnection(
	{settings, log, teardown}: Host,
	url: string,
	{failFast = false, onLost, onBack}: ConnectionOptions = {},
): RedisConnection {
	const waiting = waitingByLog.get(log) ?? new Set();
	waitingByLog.set(log, waiting);
	const tell = (level: 'info' | 'warn' | 'error', fields: object, message: string) =>
		log[isOneOfMany() ? 'debug' : level](fields, message);
	const self = {};
	let wasReady = false;
	const connection = connectRedis(url, {
		prefix: settings.REDIS_PREFIX,
		failFast,
		listener: {
			onLost(error, redis) {
				if (waiting.size === 0) {
					const cure = cureOf(error, url);
					const isWrong = cure !== undefined && !wasReady;
					const what = isWrong ? 'does not serve us as it is configured' : 'cannot be reached';
					const reason = reasonOf(error);
					tell(
						isWrong ? 'error' : 'warn',
						{redis, reason, cure: cure ?? unknownHostCure(reason)},
						`Redis (REDIS_URL) ${what}; waiting for it`,
					);
				}

				onLost?.(error);

				waiting.add(self);
			},
			onBack() {
				if (waiting.delete(self) && waiting.size === 0) {
					tell('info', {}, 'Redis is back');
				}

				onBack?.();
			},
		},
	});
	connection.once('ready', () => {
		wasReady = true;
	});
	teardown.add(async () => {
		connection.disconnect();
		waiting.delete(self);
	});
	return connection;
}

/** Whether a connection's Redis accepts writes. */
export function openAvailability({log, teardown}: Host, connection: RedisConnection): Availability {
	const availability = createAvailability({
		probe: () => connection.set(sharedKey(connection, PROBE_KEY), '1', 'PX', PROBE_LIFE_MS),
		log,
	});
	teardown.add(async () => availability.close());
	return availability;
}

/** A write, since a replica answers a PING too. */
const PROBE_KEY = 'probe';
const PROBE_LIFE_MS = 60_000;

/** Set by `bothy dev`: it loads our example bots from source instead of from the build. */
export const DEV = 'BOTHY_DEV';

/** The folders of plugins: `bots/` in the working directory, or our examples, then those of BOTHY_BOTS. */
export function pluginFolders({BOTHY_BOTS}: Settings): string[] {
	const more = BOTHY_BOTS.split(delimiter).filter(folder => folder !== '');
	const examples = fileURLToPath(new URL('dist/bots', packageFolder));
	const here = resolve('bots');
	const isElsewhere = here !== fileURLToPath(new URL('bots', packageFolder));
	const folders = isElsewhere || process.env[DEV] !== undefined ? [here, examples] : [examples];
	const all = [...folders.filter(folder => existsSync(folder)).slice(0, 1), ...more];
	return all.filter((folder, at) => all.findIndex(other => resolve(other) === resolve(folder)) === at);
}

/**
 * Loads the plugins of all folders (`onlyNamed`: those that accounts name) and the packages that accounts name. Skips broken ones, and
 * logs them unless `quiet`: a caller that refuses broken plugins reports them itself.
 */
export async function openPlugins(
	{settings, log}: Host,
	accounts: readonly Account[],
	{onlyNamed = false, quiet = process.env[DEV] !== undefined}: {onlyNamed?: boolean; quiet?: boolean} = {},
): Promise<Plugins> {
	const wanted = onlyNamed ? new Set(accounts.map(({bot}) => bot)) : undefined;
	const {names = [], ...inFolders} = await loadPlugins(pluginFolders(settings), wanted);
	const known = new Set(names);
	// A section without `bot` never means a package that happens to have the section's name.
	const named = accounts.filter(({bot, name, forward}) => bot !== name && forward === undefined && !known.has(bot));
	const packages = await loadPackages(
		named.map(({bot}) => bot),
		process.cwd(),
	);
	const broken = [...inFolders.broken, ...packages.broken];
	for (const {name, file, reason} of broken) {
		if (!quiet) {
			log.error({plugin: name, file, reason}, 'a plugin failed to load');
		}
	}

	const loaded = [...inFolders.loaded, ...packages.loaded];
	return {loaded, broken, names: [...names, ...[...packages.loaded, ...packages.broken].map(({name}) => name)]};
}
