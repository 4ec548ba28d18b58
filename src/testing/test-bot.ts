// A bot to talk to in a test: the real receiver and dispatch, a real organization, and a clock that jumps, all in this
// process. No port, no Redis, no waiting.

import {AssertionError} from 'node:assert';
import type {Bot} from '../bot/bot.js';
import {readDuration} from '../bot/moment.js';
import {servesAdministrators} from '../bot/people.js';
import {readSettings} from '../bot/settings.js';
import {openRealm} from '../realm/index.js';
import {findMessage, maxMessageId} from '../realm/messages/rows.js';
import {findAccountByEmail} from '../realm/people/accounts.js';
import {CallTrouble, WebhookTrouble} from '../realm/trouble/trouble.js';
import {createClients} from './clients.js';
import {createClockwork} from './clockwork.js';
import {connectTo, createLocalPool} from './connections.js';
import {createFindings} from './findings.js';
import {createHost} from './host.js';
import {buttonsOf, type SentMessage, sentBy, whereOf} from './look.js';
import {PEOPLE, type Person, type PersonName, readPlace} from './person.js';
import type {TestBot, TestBotOptions} from './surface.js';

/**
 * Makes a realm of its own for a bot, with the bot's account in it, and people who talk to it. A message runs the bot
 * through everything that it meets on a real host; when a call resolves, all that follows from it is done. What a handler
 * throws and no `.catch` takes is thrown to whoever spoke. As on every host a person may write 20 messages a minute.
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
 * @throws SettingsError when the bot does not take that config.
 */
export async function testBot<Session, Config>(
	bot: Bot<Session, Config>,
	options: TestBotOptions<Config> = {},
): Promise<TestBot> {
	const {name = 'Bot', drafts = PEOPLE} = options;
	const config = readConfig(bot, options.config);
	// What a bot remembers and is set is its own affair.
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
	const {services, url: site} = realm;
	const now = () => services.clock.now();
	const account = realm.ensureBot({
		name: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
		fullName: name,
		payloadUrl: `${site}/webhook`,
		isAdministrator: servesAdministrators(work),
	});
	const {userId: botId} = account;
	const pool = createLocalPool(realm.server, site);
	const clientOf = createClients(realm, pool);
	const host = createHost({
		bot: work,
		config,
		account: {...bot.rules, site, email: account.email, tokens: [account.token]},
		draftAccounts: drafts.map(person => ({name: person, site, email: emailOf(person)})),
		clientOf,
		log: {info() {}, warn() {}, error() {}},
		now,
		report,
	});
	const receiving = createLocalPool(host.receiver, site);
	/** The newest message when somebody spoke last, or when the last wait began. */
	let mark = maxMessageId(services.store);
	const begunAt = mark;

	/** Messages on their way to the realm. */
	const speaking = new Set<Promise<unknown>>();

	const clockwork = createClockwork({realm, host, speaking});
	const findings = createFindings({realm: services, host, botId, begunAt});

	/** Throws what went wrong. */
	async function look(): Promise<void> {
		await findings.refreshAll();
		const [error] = errors.splice(0);
		if (error !== undefined) {
			throw error;
		}
	}

	async function waitUntil(end: number): Promise<SentMessage[]> {
		mark = maxMessageId(services.store);
		const before = mark;
		await clockwork.waitUntil(end);
		await look();
		return sentBy(services, botId, before);
	}

	async function say(person: PersonName, where: string, text: string): Promise<string[]> {
		const client = clientOf(emailOf(person));
		const place = readPlace(where);
		const to = 'people' in place ? place.people.map(emailOf) : [];
		mark = maxMessageId(services.store);
		const sending = client.sendMessage(
			'people' in place
				? {type: 'direct', to: [...new Set([...to, account.email])], content: text}
				: {type: 'channel', to: place.channel, topic: place.topic, content: text},
		);
		const spoken = sending.catch(() => {}).finally(() => speaking.delete(spoken));
		speaking.add(spoken);
		const {id} = await sending;
		await clockwork.idle();
		await look();
		const asked = findMessage(services.store, id);
		const there = asked && whereOf(services, botId, asked);
		return sentBy(services, botId, id)
			.filter(message => message.where === there)
			.map(message => message.text);
	}

	function createPerson(person: PersonName): Person {
		const email = emailOf(person);
		const found = findAccountByEmail(services.store, email);
		if (!found) {
			throw new Error(`Expected ${email} in the demo organization, found nobody`);
		}

		const {id, full_name: fullName} = found;
		return {
			id,
			name: fullName,
			email,
			mention: `@**${fullName}|${id}**`,
			get api() {
				return clientOf(email);
			},
			dm: text => say(person, `@${person}`, text),
			says: (where, text) => say(person, where, text),
			async presses(label) {
				const buttons = sentBy(services, botId, begunAt).flatMap(({id, where}) =>
					buttonsOf(services, id).map(button => ({...button, where})),
				);
				const button = buttons.findLast(candidate => candidate.label === label);
				if (!button) {
					const labels = buttons.map(candidate => candidate.label).join(', ') || 'none';
					throw new AssertionError({message: `Expected a button “${label}”, found: ${labels}`});
				}

				return say(person, button.where, button.says);
			},
		};
	}

	return {
		...(Object.fromEntries(PEOPLE.map(person => [person, createPerson(person)])) as Record<PersonName, Person>),
		bot: {id: botId, email: account.email, name, mention: `@**${name}**`},
		get now() {
			return new Date(now());
		},
		get sent() {
			findings.refresh();
			return findings.sent;
		},
		get drafts() {
			findings.refresh();
			return findings.drafts;
		},
		get reactions() {
			findings.refresh();
			return findings.reactions;
		},
		scheduled: findings.scheduled,
		failed: findings.failed,
		wait: async duration => waitUntil(now() + readWait(duration)),
		waitUntil: async time => waitUntil(readTime(time)),
		expectSilence() {
			const said = sentBy(services, botId, mark).map(({where, text}) => `${where}: ${text}`);
			if (said.length > 0) {
				const message = `Expected the bot to be silent, but it said\n\n${said.join('\n')}`;
				throw new AssertionError({message, actual: said, expected: [], operator: 'expectSilence'});
			}
		},
		async redeliver() {
			const payload = host.latest();
			if (!payload) {
				throw new Error('Expected a message to the bot that can be posted to it again, found none yet');
			}

			mark = maxMessageId(services.store);
			const response = await receiving.request({
				method: 'POST',
				path: '/webhook',
				headers: {'content-type': 'application/json'},
				body: JSON.stringify(payload),
			});
			// The receiver answers with an object, whatever happens.
			const {content} = (await response.body.json()) as {content?: string};
			await clockwork.idle();
			await look();
			return content === undefined ? [] : [content];
		},
		fault(kind, {operation, times = 1, retryAfterSeconds = 1} = {}) {
			if (kind === 'answer-lost') {
				services.trouble.addWebhook(WebhookTrouble.parse({kind: 'break-after', bot: account.email, count: times}));
				return;
			}

			services.trouble.addCall(
				CallTrouble.parse({kind, operation, account: account.email, count: times, retry_after: retryAfterSeconds}),
			);
		},
		async close() {
			await Promise.all([pool.destroy(), receiving.destroy(), realm.close()]);
		},
	};
}

function emailOf(person: string): string {
	return `${person}@bothy.example`;
}

function readWait(duration: string | number): number {
	const read = typeof duration === 'number' ? undefined : readDuration(duration);
	const ms = read && read.length === String(duration).length ? read.value : duration;
	if (typeof ms !== 'number' || !Number.isFinite(ms)) {
		throw new TypeError(`Expected a duration such as "2 hours" or a number of milliseconds, got "${duration}"`);
	}

	return ms;
}

function readTime(time: Date | string | number): number {
	const ms = new Date(time).getTime();
	if (Number.isNaN(ms)) {
		throw new TypeError(`Expected a time such as "2026-11-23T09:00:00Z", got "${time}"`);
	}

	return ms;
}

/** As the config file would have it. */
function readConfig<Session, Config>(bot: Bot<Session, Config>, config: TestBotOptions<Config>['config']): unknown {
	const given = Object.entries(config ?? {}).map(([key, value]) => {
		return [key, {text: String(value), place: 'testBot()'}] as const;
	});
	return readSettings(bot.config, Object.fromEntries(given), 'testBot()');
}
