// Opens the console of a host: its server on a port of its own.

import {once} from 'node:events';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Account} from '../config/accounts.js';
import {readSettings} from '../config/settings.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {type Host, openConnection} from '../host/connections.js';
import {explain, listenError} from '../host/explain.js';
import {createTeardown} from '../host/teardown.js';
import type {RedisConnection} from '../redis/connection.js';
import {openActions} from './actions.js';
import {needToken} from './admin-token.js';
import {createAudit} from './audit.js';
import {createOutage} from './outage.js';
import {createSearch} from './search.js';
import {createConsole} from './server.js';
import {openWatch} from './watch.js';

const DEFAULT_PORT = 8091;

/** How long the first connection to Redis may take. Without one the console opens, and says so. */
const READY_MS = 5_000;

interface ConsoleConnections {
	readonly redisUrl: string;
	/** Reads them, at first and at each SIGHUP. @throws ConfigError */
	accountsOf(host: Host): readonly Account[];
	/** The settings, and the environment of the commands that it runs. */
	readonly env: NodeJS.ProcessEnv;
	readonly port?: number;
	/** Whether SIGHUP reads accounts and token again. Default true. */
	readonly reloads?: boolean;
}

/** Resolves with its address. */
export async function openConsole(host: Host, connections: ConsoleConnections): Promise<string> {
	const {settings, log, teardown} = host;
	const {redisUrl, env, port = Number(settings.CONSOLE_PORT || DEFAULT_PORT), reloads = true} = connections;
	const outage = createOutage();
	const redis = openConnection(host, redisUrl, {failFast: true, onLost: outage.begin, onBack: outage.end});
	await Promise.race([once(redis, 'ready'), sleep(READY_MS, undefined, {ref: false})]).catch(() => {});
	let app = openApp(host, connections, {redis, outage});
	const server = createServer(PATIENCE, (request, response) => app.answer(request, response));
	await new Promise<void>((listening, failed) => {
		server.on('error', error => failed(listenError(error, port, 'CONSOLE_PORT')));
		server.listen({host: settings.CONSOLE_HOST, port}, listening);
	});

	async function reload(): Promise<void> {
		try {
			const before = app;
			app = openApp({...host, settings: readSettings(env)}, connections, {redis, outage});
			log.info({}, 'the console has read accounts and token again');
			await before.close();
		} catch (error) {
			log.error({reason: explain(error)}, 'the console keeps its old accounts and token');
		}
	}

	if (reloads) {
		process.on('SIGHUP', reload);
	}

	teardown.add(async () => {
		process.off('SIGHUP', reload);
		server.close();
		server.closeAllConnections();
		await app.close();
	});
	const {address, port: bound} = server.address() as AddressInfo;
	return `http://${address.includes(':') ? `[${address}]` : address}:${bound}`;
}

interface App {
	readonly answer: RequestListener;
	close(): Promise<void>;
}

/** What a SIGHUP replaces. */
function openApp(
	host: Host,
	{redisUrl, accountsOf, env}: ConsoleConnections,
	{redis, outage}: {redis: RedisConnection; outage: ReturnType<typeof createOutage>},
): App {
	const {settings, log} = host;
	const token = needToken(settings);
	const accounts = accountsOf(host);
	const store = createRedisStore(redis);
	const teardown = createTeardown(error => log.warn({err: error}, 'could not close a part of this process'));
	const app = createConsole({
		...{redis, outage, log, token, store, accounts},
		url: settings.CONSOLE_URL,
		audit: createAudit(redis, log),
		watch: openWatch({teardown}, redis, accounts),
		search: createSearch(redis),
		act: openActions({teardown}, {redis, store, accounts, env: {...env, REDIS_URL: redisUrl}}),
	});
	return {answer: app.callback(), close: () => teardown.run()};
}

/** Ends slow connections. A replay takes up to a minute. */
const PATIENCE = {headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000};
