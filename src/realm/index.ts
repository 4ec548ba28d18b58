// The realm: a small local service that implements the API, for development and tests.

import http from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import Koa from 'koa';
import {compressAnswer} from '../page-files/compress.js';
import {servePage} from '../page-files/serve-page.js';
import {Clock} from './clock.js';
import {OWNER_EMAIL, OWNER_ID, openHome, seedDemo} from './demo.js';
import type {BotHost} from './dev/bot-host.js';
import {devRoutes, type HostOf} from './dev/routes.js';
import {EventQueues} from './events/queues.js';
import {restoreQueues, saveQueues} from './events/saved-queues.js';
import {Recorder} from './exchanges/recorder.js';
import {answerBrokenRequests} from './http/broken-requests.js';
import {checkLoopbackHost} from './http/loopback.js';
import {LeakyLimit, WindowLimit} from './http/rate-limit.js';
import {versionAt} from './levels.js';
import {Expiry} from './messages/expiry.js';
import {handlers} from './operations/index.js';
import {findAccount} from './people/accounts.js';
import {type BotAccount, type BotOptions, ensureBot} from './people/bots/bots.js';
import {apiRoutes} from './routes.js';
import {Deliverer} from './scheduled/deliverer.js';
import type {LogLine, Services} from './services.js';
import {troubleRoutes} from './trouble/routes.js';
import {Trouble} from './trouble/trouble.js';
import {serveUploads} from './uploads/serve.js';
import {WebhookLine} from './webhooks/line.js';

export type {Act, BotHost, Due, HostedDelivery} from './dev/bot-host.js';
export type {BotAccount} from './people/bots/bots.js';
export type {LogLine} from './services.js';
export {StoreError} from './store/store.js';

/** This file runs as dist/src/realm/index.js; the page's files stay in src/. */
const PAGE = new URL('../../../src/realm/page/', import.meta.url);

/** The newest feature level that spec.md knows. */
const NEWEST_FEATURE_LEVEL = 496;

/** How long `close` waits for running calls. */
const CLOSING_MS = 100;

export interface RealmOptions {
	/** SQLite file, or `:memory:`. */
	readonly file: string;
	/** 0: any free port. The realm always listens on 127.0.0.1. */
	readonly port: number;
	/** Version of the service to report. Default: one that fits the feature level. */
	readonly version?: string;
	/** The API feature level. Default: 496, the newest in spec.md. */
	readonly featureLevel?: number;
	/** Called for each request, webhook and error. Lines never contain keys, tokens or the text of messages. */
	readonly log?: (line: LogLine) => void;
	/** Time limit of a receiver, per connection and per read, in milliseconds. Default: 10,000. */
	readonly webhookTimeoutMs?: number;
	/** How many webhooks run at the same time. Default: 16. */
	readonly webhooksAtOnce?: number;
	/** How often clients are asked to report presence, in seconds. Default: 60. */
	readonly presencePingSeconds?: number;
	/** Whether callers without login can read web-public content. Default: false. */
	readonly publicAccess?: boolean;
	/** Whether rate limits apply. Default: true. */
	readonly rateLimit?: boolean;
	/** Where the clock stands still, in milliseconds since 1970. Default: it runs. */
	readonly now?: number;
}

export interface OpenRealmOptions extends Omit<RealmOptions, 'port'> {
	readonly now: number;
	/** Opens the connection of a webhook to its receiver. */
	readonly connect: () => Duplex;
}

export interface Realm {
	readonly url: string;
	readonly port: number;
	/** Creates or finds a bot of the demo organization's owner: an outgoing-webhook bot with this payload URL, unless it polls. */
	ensureBot(bot: Omit<BotOptions, 'owner'>): BotAccount;
	/** Connects the host that runs the bots, so that the chat page can show what it knows of them. */
	connectHost(host: BotHost): void;
	/** Ends polls, stops webhooks, closes the database. The next realm continues with the webhooks and event queues. */
	close(): Promise<void>;
}

/** A realm for its own process. If it does not listen, pass connections to its server. */
export interface OpenRealm extends Omit<Realm, 'port'> {
	readonly server: http.Server;
	readonly services: Services;
	/** Resolves when no webhook is running. */
	webhooksDone(): Promise<void>;
}

/** A long keep-alive, because closing a connection while its next request arrives breaks that request. */
const TIMEOUTS = {keepAliveTimeout: 65_000};

export async function startRealm(options: RealmOptions): Promise<Realm & OpenRealm> {
	const server = http.createServer(TIMEOUTS);
	try {
		await listen(server, options.port);
		const {port} = server.address() as AddressInfo;
		return {...openDoors({server, options, url: `http://127.0.0.1:${port}`}), port};
	} catch (error) {
		server.close();
		throw error;
	}
}

export function openRealm(options: OpenRealmOptions): OpenRealm {
	return openDoors({server: http.createServer(TIMEOUTS), options, url: 'http://127.0.0.1'});
}

interface House {
	readonly server: http.Server;
	readonly options: Omit<RealmOptions, 'port'> & Partial<OpenRealmOptions>;
	readonly url: string;
}

function openDoors({server, options, url}: House): OpenRealm {
	const clock = new Clock(options.now);
	const featureLevel = options.featureLevel ?? NEWEST_FEATURE_LEVEL;
	const store = openHome({file: options.file, clock, featureLevel});
	const trouble = new Trouble();
	const holdMs = (type: string, userId: number) => trouble.takeSwap(type, () => findAccount(store, userId)?.email);
	const services: Services = {
		store,
		clock,
		queues: new EventQueues({clock, featureLevel, holdMs}),
		trouble,
		exchanges: new Recorder(clock),
		log: options.log ?? (() => {}),
		version: options.version ?? versionAt(featureLevel),
		featureLevel,
		generation: clock.seconds(),
		presencePingSeconds: options.presencePingSeconds ?? 60,
		publicAccess: options.publicAccess ?? false,
		site: url,
		wakeWebhooks: () => line.wake(),
		wakeDeliverer: () => deliverer.wake(),
		wakeExpiry: () => expiry.wake(),
	};
	const line = new WebhookLine(services, {
		timeoutMs: options.webhookTimeoutMs ?? 10_000,
		connect: options.connect,
		atOnce: options.webhooksAtOnce ?? 16,
	});
	const deliverer = new Deliverer(services);
	const expiry = new Expiry(services);

	seedDemo(services, options);
	restoreQueues(services);
	let host: BotHost | undefined;
	server.on(
		'request',
		serve(services, options, () => host),
	);
	answerBrokenRequests(server);
	line.wake();
	expiry.start();
	deliverer.start();

	let closed: Promise<void> | undefined;
	const close = async () => {
		services.queues.close();
		await Promise.all([line.stop(), stopListening(server)]);
		clock.stop();
		saveQueues(services);
		store.close();
	};

	return {
		url,
		server,
		services,
		webhooksDone: () => line.done(),
		connectHost(connected) {
			host = connected;
		},
		ensureBot: bot => ensureBot(services, {...bot, owner: demoOwner(services)}),
		close() {
			closed ??= close();
			return closed;
		},
	};
}

function serve(
	services: Services,
	{rateLimit = true}: Pick<RealmOptions, 'rateLimit'>,
	hostOf: HostOf,
): http.RequestListener {
	const {clock} = services;
	const app = new Koa();
	app.on('error', (error: Error & {expose?: boolean}) => {
		// A RealmError is for the caller. It is not an error of the realm.
		if (!error.expose) {
			services.log({event: 'error', error});
		}
	});
	app.use(servePage({folder: PAGE, check: checkLoopbackHost, framesItself: true}));
	app.use(serveUploads(services));
	app.use(compressAnswer);
	app.use(troubleRoutes(services, '/trouble'));
	app.use(troubleRoutes(services, '/dev/faults'));
	app.use(devRoutes(services, hostOf));
	app.use(
		apiRoutes({
			services,
			handlers,
			...(rateLimit && {limits: {calls: new WindowLimit(clock), events: new LeakyLimit(clock)}}),
		}),
	);

	return app.callback();
}

function demoOwner({store}: Services) {
	const owner = findAccount(store, OWNER_ID);
	if (!owner) {
		throw new Error(`Expected the account ${OWNER_ID}, made for ${OWNER_EMAIL}, in the realm, found none`);
	}

	return owner;
}

function listen(server: http.Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});
}

async function stopListening(server: http.Server): Promise<void> {
	const closed = new Promise(resolve => server.close(resolve));
	const timer = setTimeout(() => server.closeAllConnections(), CLOSING_MS);
	await closed;
	clearTimeout(timer);
}
