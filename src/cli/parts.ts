// The parts of a running host, each opened from settings and closed by the teardown.

import type {AddressInfo} from 'node:net';
import {delimiter, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import sendsWorker from '../../workers/sends.js';
import type {Bot} from '../bot/bot.js';
import {runBot} from '../bot/run.js';
import {type Client, createClient} from '../client/client.js';
import {type Account, ConfigError, type Settings} from '../config.js';
import type {Log} from '../log.js';
import {loadPlugins, type Plugins} from '../plugins.js';
import {connectRedis, type RedisConnection} from '../queue/connection.js';
import {openQueue} from '../queue/define-queue.js';
import {startWorker} from '../queue/define-worker.js';
import {openEmbeddedRedis} from '../queue/embedded-redis.js';
import {sends} from '../queue/sends.js';
import {createReceiver} from '../receiver/receiver.js';
import {portError} from './explain.js';
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
function openConnection({log, teardown}: Host, url: string, options: {failFast?: boolean} = {}): RedisConnection {
	const connection = connectRedis(url, {
		...options,
		listener: {
			onLost: error => log.warn({reason: error.message}, 'Redis is away'),
			onBack: () => log.info({}, 'Redis is back'),
		},
	});
	teardown.add(async () => connection.disconnect());
	return connection;
}

/** The plugins of `bots/` and of BOTHY_BOTS; broken ones are told and left out. */
export async function openPlugins({settings, log}: Host): Promise<Plugins> {
	const more = settings.BOTHY_BOTS.split(delimiter).filter(folder => folder !== '');
	const plugins = await loadPlugins([fileURLToPath(new URL('dist/bots/', packageFolder)), ...more]);
	for (const {name, file, reason} of plugins.broken) {
		log.error({plugin: name, file, reason}, 'a plugin is broken');
	}

	return plugins;
}

/** One client for each account, made when first used. */
function openClients({log, teardown}: Host, accounts: readonly Account[]) {
	const clients = new Map<string, Client>();
	const warned = new Set<string>();
	teardown.add(() => Promise.all([...clients.values()].map(client => client.close())));

	return function clientOf({site, email}: {site: string; email: string}): Client | undefined {
		const account = accounts.find(candidate => candidate.email === email && candidate.site === site);
		const id = `${email} ${site}`;
		if (account && !clients.has(id)) {
			clients.set(
				id,
				createClient({
					...account,
					userAgent: `Bothy/${version}`,
					onIgnoredParameters(operation, parameters) {
						const what = `${operation} ${parameters.join(' ')}`;
						if (!warned.has(what)) {
							warned.add(what);
							log.warn({operation, parameters}, 'the service ignored parameters');
						}
					},
				}),
			);
		}

		return clients.get(id);
	};
}

export async function openWorkers(host: Host, {redisUrl, accounts}: {redisUrl: string; accounts: readonly Account[]}) {
	const tools = {clientOf: openClients(host, accounts), log: host.log};
	const worker = await startWorker(sendsWorker, openConnection(host, redisUrl), tools);
	host.teardown.add(() => worker.close());
}

export interface ReceiverParts {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	readonly plugins: Plugins;
}

/** Listens for webhooks; resolves with the address. */
export async function openReceiver(host: Host, {redisUrl, accounts, plugins}: ReceiverParts): Promise<string> {
	const {settings, log, teardown} = host;
	const connection = openConnection(host, redisUrl);
	const queue = openQueue(sends, connection);
	const bots = assignBots(accounts, plugins);
	const stopping = new AbortController();

	const server = createReceiver({
		accounts,
		async deliver(account, payload) {
			const bot = bots.get(account);
			if (!bot) {
				return {content: `\`${account.bot}\` is out of order; whoever runs it finds the reason in the log.`};
			}

			return runBot({
				bot,
				payload,
				log: log.child({bot: account.name}),
				signal: stopping.signal,
				effects: {
					async send({target, text, delayMs}) {
						const {site, email} = account;
						return {id: await queue.add({v: 1, site, email, target, text}, {delayMs})};
					},
					now: Date.now,
				},
			});
		},
		async missing() {
			if (connection.status !== 'ready') {
				return ['Redis is away'];
			}

			const workers = await queue.countWorkers();
			return workers > 0 ? [] : ['no worker takes sends (start one with `bothy worker`)'];
		},
		report: error => log.error({err: error}, 'the receiver failed'),
	});

	await new Promise<void>((listening, failed) => {
		server.once('error', error => failed(portError(error, settings.PORT, 'PORT')));
		server.listen(settings.PORT, settings.HOST, listening);
	});
	teardown.add(async () => {
		stopping.abort(new Error('The host is stopping'));
		await new Promise(closed => {
			server.close(closed);
			server.closeIdleConnections();
		});
		await queue.close();
	});

	const {port} = server.address() as AddressInfo;
	return `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${port}`;
}

/** The bot of each account; an account of a broken plugin has none. */
function assignBots(accounts: readonly Account[], {loaded, broken}: Plugins): Map<Account, Bot> {
	const bots = new Map<Account, Bot>();
	for (const account of accounts) {
		const plugin = loaded.find(({name}) => name === account.bot);
		if (plugin) {
			// Known to be a bot by its mark.
			bots.set(account, plugin.bot as Bot);
		} else if (!broken.some(({name}) => name === account.bot)) {
			const names = loaded.map(({name}) => name).join(', ') || 'none';
			throw new ConfigError(
				`[${account.name}]: expected a plugin \`${account.bot}\` in bots/ or BOTHY_BOTS, found only: ${names}. ` +
					`Add \`bot = <plugin>\` to the section, or the plugin ${join('bots', `${account.bot}.ts`)}.`,
			);
		}
	}

	return bots;
}
