// Creates a bot for a test: the real receiver, dispatch and realm, and a clock that the test moves, all in this process. It needs
// no port, no Redis and no waiting.

import {servesAdministrators} from '../bot/arguments/people.js';
import type {Bot} from '../bot/bot.js';
import {type Hook, hooksOf} from '../bot/context/http.js';
import {eventTriggersOf} from '../bot/event-triggers.js';
import {parseConfig} from '../bot/settings.js';
import {createFetchOnce, type FetchOnce} from '../client/fetch.js';
import {openRealm} from '../realm/index.js';
import {CallTrouble, WebhookTrouble} from '../realm/trouble/trouble.js';
import {signatureHeader} from '../receiver/hooks.js';
import {createClients} from './clients.js';
import {createClockwork} from './clockwork.js';
import {connectTo, createLocalPool} from './connections.js';
import {NO_FEED, openFeed} from './event-feed.js';
import {createHost} from './host.js';
import {PEOPLE} from './person.js';
import {createTalk, emailOf, readTime} from './talk.js';
import type {Fault, FaultOptions, HttpCallOptions, TestBot, TestBotOptions} from './test-bot-types.js';

/**
 * Starts a local realm with the bot's account and people who talk to it. A message takes the same path as on a real host.
 * When a call resolves, everything that follows from it is done. If a handler throws and no `.catch` handles the error, the
 * call that sent the message rejects with it. As on every host, a person may write 20 messages a minute.
 *
 * @example
 * import {test} from 'node:test';
 * import assert from 'node:assert/strict';
 * import {testBot} from 'bothy/testing';
 * import echo from '../bots/echo.js';
 *
 * test('echo says it again', async () => {
 * 	const t = await testBot(echo, {name: 'Echo'});
 *
 * 	assert.deepEqual(await t.alice.says('#general > lunch', '@**Echo** hello'), ['hello']);
 * });
 * @throws SettingsError if `config` does not fit the bot's schema.
 */
export async function testBot<Session, Config>(
	bot: Bot<Session, Config>,
	options: TestBotOptions<Config> = {},
): Promise<TestBot> {
	const {name = 'Bot', drafts = PEOPLE, fetch} = options;
	const config = readConfig(bot, options.config);
	// The kit does not need the types of session and config.
	const work = bot as Bot<unknown, unknown>;
	const errors: unknown[] = [];
	const report = (error: unknown) => errors.push(error);
	const realm = openRealm({
		file: ':memory:',
		now: readTime(options.now ?? Date.now()),
		rateLimit: false,
		connect: () => connectTo(host.receiver),
		log({event, error}) {
			if (event === 'error') {
				report(error);
			}
		},
	});
	const hooks = hooksOf(work, config, 'testBot()');
	const {services, url: site} = realm;
	const wanted = eventTriggersOf(work);
	const now = () => services.clock.now();
	const account = realm.ensureBot({
		name: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
		fullName: name,
		payloadUrl: `${site}/webhook`,
		isAdministrator: servesAdministrators(work),
		isPolled: wanted.length > 0,
	});
	const pool = createLocalPool(realm.server, site);
	const clientOf = createClients(realm, pool);
	const host = createHost({
		bot: work,
		config,
		account: {...bot.rules, name: 'bot', site, email: account.email, tokens: [account.token], hooks},
		draftAccounts: drafts.map(person => ({name: person, site, email: emailOf(person)})),
		clientOf,
		fetchOnce: fetch ? holdOpen(fetch) : createFetchOnce(),
		log: SILENT,
		now,
		report,
	});
	const {deliver} = host;
	const feed =
		wanted.length > 0 ? await openFeed({client: clientOf(account.email), wanted, log: SILENT, deliver}) : NO_FEED;
	const receiving = createLocalPool(host.receiver, site);
	/** Messages that people are sending. */
	const speaking = new Set<Promise<unknown>>();
	const clockwork = createClockwork({realm, host, speaking, feed});
	const {talk, follow} = createTalk({
		realm,
		account,
		name,
		host,
		clientOf,
		speaking,
		idle: clockwork.idle,
		waitUntil: clockwork.waitUntil,
		check() {
			const [error] = errors.splice(0);
			if (error !== undefined) {
				throw error;
			}
		},
	});

	// Not spread, because its getters must read the current lists.
	return Object.assign(talk, {
		async redeliver() {
			const work = host.latest();
			if (!work) {
				throw new Error('Expected a message to redeliver, found none yet');
			}

			return follow(async () => {
				if (wanted.length > 0 || work.kind !== 'message') {
					await deliver(work);
					return [];
				}

				const response = await receiving.request({
					method: 'POST',
					path: '/webhook',
					headers: {'content-type': 'application/json'},
					body: JSON.stringify(work.payload),
				});
				// The receiver always answers with an object.
				const {content} = (await response.body.json()) as {content?: string};
				return content === undefined ? [] : [content];
			});
		},
		fault(kind: Fault, {operation, times = 1, retryAfterSeconds = 1}: FaultOptions = {}) {
			if (kind === 'answer-lost') {
				services.trouble.addWebhook(WebhookTrouble.parse({kind: 'break-after', bot: account.email, count: times}));
				return;
			}

			services.trouble.addCall(
				CallTrouble.parse({kind, operation, account: account.email, count: times, retry_after: retryAfterSeconds}),
			);
		},
		async http(path: string, body: unknown, {headers = {}, secret}: HttpCallOptions = {}) {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const hook = hookOf(work, hooks, path);
			const signature = signatureHeader({...hook, secret: secret ?? hook.secret}, text);
			return follow(async () => {
				const response = await receiving.request({
					method: 'POST',
					path: `/hooks/bot${path}`,
					headers: {'content-type': 'application/json', ...signature, ...headers},
					body: text,
				});
				await response.body.dump();
				return response.statusCode;
			});
		},
		async close() {
			await Promise.all([pool.destroy(), receiving.destroy(), realm.close()]);
		},
	});
}

/** A request to another path would only be answered with 401. */
function hookOf({https}: Bot<unknown, unknown>, hooks: readonly Hook[], path: string): Hook {
	const [pathname] = path.split('?');
	const hook = hooks.find(declared => declared.path === pathname);
	if (hook) {
		return hook;
	}

	const declared = pathname === undefined ? undefined : https.get(pathname);
	throw new TypeError(
		declared
			? `Expected testBot() with the secret of .http('${pathname}'): pass it as {config: {${declared.secret}: '…'}}, of at least 16 characters`
			: `Expected t.http() with a path that the bot declares with .http(): ${[...https.keys()].join(', ') || 'it declares none'}; got "${path}"`,
	);
}

const SILENT = {info() {}, warn() {}, error() {}};

/** Converts values to text, as in the config file. */
function readConfig<Session, Config>(bot: Bot<Session, Config>, config: TestBotOptions<Config>['config']): unknown {
	const given = Object.entries(config ?? {}).map(([key, value]) => {
		return [key, {text: String(value), place: 'testBot()'}] as const;
	});
	return parseConfig(bot.config, Object.fromEntries(given), {place: 'testBot()'});
}

/** As a connection does, a call to the stand-in keeps the process alive: the time limit of a call does not. */
function holdOpen(fetch: NonNullable<TestBotOptions<unknown>['fetch']>): FetchOnce {
	return async (url, init) => {
		const holding = setInterval(() => {}, 60_000);
		try {
			return await fetch(url, init);
		} finally {
			clearInterval(holding);
		}
	};
}
