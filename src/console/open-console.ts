// Opens the console of a host: its server on a port of its own.

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Account} from '../config/accounts.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {type Host, openConnection} from '../host/connections.js';
import {listenError} from '../host/explain.js';
import {openActions} from './actions.js';
import {needToken} from './admin-token.js';
import {createAudit} from './audit.js';
import {createSearch} from './search.js';
import {createConsole} from './server.js';
import {openWatch} from './watch.js';

const DEFAULT_PORT = 8091;

/** How long the first connection to Redis may take. Without one the console opens, and says so. */
const READY_MS = 5_000;

interface ConsoleConnections {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	/** Environment of the commands that it runs. */
	readonly env: NodeJS.ProcessEnv;
	readonly port?: number;
}

/** Resolves with its address. */
export async function openConsole(host: Host, connections: ConsoleConnections): Promise<string> {
	const {settings, log, teardown} = host;
	const token = needToken(settings);
	const {redisUrl, accounts, env, port = Number(settings.CONSOLE_PORT || DEFAULT_PORT)} = connections;
	const redis = openConnection(host, redisUrl, {failFast: true});
	await Promise.race([once(redis, 'ready'), sleep(READY_MS, undefined, {ref: false})]).catch(() => {});
	const store = createRedisStore(redis);
	const app = createConsole({
		...{redis, token, store, accounts},
		url: settings.CONSOLE_URL,
		audit: createAudit(redis),
		watch: openWatch(host, redis, accounts),
		search: createSearch(redis),
		act: openActions(host, {redis, store, accounts, env: {...env, REDIS_URL: redisUrl}}),
		report: error => log.error({err: error}, 'the console failed'),
	});
	const server = createServer(PATIENCE, app.callback());
	await new Promise<void>((listening, failed) => {
		server.once('error', error => failed(listenError(error, port, 'CONSOLE_PORT')));
		server.listen({host: settings.CONSOLE_HOST, port}, listening);
	});
	teardown.add(async () => {
		server.close();
		server.closeAllConnections();
	});
	const {address, port: bound} = server.address() as AddressInfo;
	return `http://${address.includes(':') ? `[${address}]` : address}:${bound}`;
}

/** Ends slow connections. A replay takes up to a minute. */
const PATIENCE = {headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000};
