// A bot to talk to in a test: the real receiver and dispatch, a real organization, and a clock that jumps, all in this
// process. No port, no Redis, no waiting.

import {AssertionError} from 'node:assert';
import {setTimeout as sleep} from 'node:timers/promises';
import type {OperationName} from '../api/index.js';
import type {Bot} from '../bot/bot.js';
import {readDuration} from '../bot/moment.js';
import {conversationOf} from '../bot/place.js';
import {readSettings} from '../bot/settings.js';
import {type Client, createClient} from '../client/client.js';
import {createLevel} from '../client/level.js';
import type {Schedule} from '../delivery/schedules.js';
import type {Cron} from '../queue/cron.js';
import {Target} from '../queue/sends.js';
import {openRealm} from '../realm/index.js';
import {findMessage, maxMessageId} from '../realm/messages/rows.js';
import {findAccountByEmail} from '../realm/people/accounts.js';
import {CallTrouble, WebhookTrouble} from '../realm/trouble/trouble.js';
import {connectTo, createLocalPool} from './connections.js';
import {createHost} from './host.js';
import {
	buttonsOf,
	describeTarget,
	draftsOfPeople,
	type PersonsDraft,
	type Reaction,
	reactionsOf,
	type SentMessage,
	sentBy,
	whereOf,
} from './look.js';
import {PEOPLE, type Person, type PersonName, readPlace} from './person.js';

export interface TestBotOptions<Config = unknown> {
	/** What an account sets for the bot, as text or as what the text would say. */
	readonly config?: {readonly [Key in keyof Config]?: Config[Key] | string};
	/** What time it is; from there on only `wait` moves the clock. Default: now. */
	readonly now?: Date | string | number;
	/** The bot's full name, by which it is mentioned. Default: `Bot`. */
	readonly name?: string;
	/** Whose accounts the bot may keep drafts in. Default: everybody's. */
	readonly drafts?: readonly PersonName[];
}

/** What the bot will say at a set time. */
export interface Scheduled {
	/** The key that the bot gave; else the id of the send. */
	readonly id: string;
	readonly where: string;
	readonly text: string;
	/** When it is due next. */
	readonly at: Date;
	readonly cron?: Cron;
}

/**
 * What goes wrong: a call of the bot is refused (`429`, `500`, `502-html`), cut before anything is done (`break-before`), or
 * done without a readable answer (`accept-and-break`, `unreadable`); or what the bot answers is lost on its way
 * (`answer-lost`), so that the service posts the message to it again.
 */
export type Fault = Exclude<CallTrouble['kind'], 'silence'> | 'answer-lost';

export interface FaultOptions {
	/** Only calls of this operation. Default: whatever is called next. */
	readonly operation?: OperationName;
	/** Default 1. */
	readonly times?: number;
	/** How long a 429 asks to wait. Default 1. */
	readonly retryAfterSeconds?: number;
}

/** What the bot said and nobody can read. */
export interface FailedSend {
	readonly where: string;
	readonly text: string;
	/** As the ledger has it. */
	readonly reason: string;
}

/** Its lists are always as things stand; they may be taken apart: `const {alice, sent} = await testBot(echo)`. */
export type TestBot = Readonly<Record<PersonName, Person>> & {
	/** The bot's account. */
	readonly bot: {readonly id: number; readonly email: string; readonly name: string; readonly mention: string};
	/** What time it is. */
	readonly now: Date;
	/** All that the bot has said, as it reads now. */
	readonly sent: readonly SentMessage[];
	/** What the bot will say, soonest first. */
	readonly scheduled: readonly Scheduled[];
	/** What stands among people's drafts. */
	readonly drafts: readonly PersonsDraft[];
	/** The emoji that the bot gave. */
	readonly reactions: readonly Reaction[];
	/** What the service refused to post, or of which nobody knows. */
	readonly failed: readonly FailedSend[];
	/**
	 * Lets time pass: what becomes due is done at its time, one after the other. Gives what the bot said meanwhile.
	 *
	 * @example
	 * await t.alice.dm('me in 10 minutes tea');
	 * const [reminder] = await t.wait('10 minutes');
	 * assert.match(reminder.text, /tea/);
	 */
	wait(duration: string | number): Promise<SentMessage[]>;
	/** Lets time pass until then. */
	waitUntil(time: Date | string): Promise<SentMessage[]>;
	/** Throws with what the bot has said since somebody spoke last, or since the last `wait` began. */
	expectSilence(): void;
	/**
	 * Posts the last message to the bot again, as a service does that got no answer; gives what is answered. The bot's host
	 * knows it again: the same answer, and nothing done twice.
	 *
	 * @example
	 * const answer = await t.alice.dm('vote pizza');
	 * assert.deepEqual(await t.redeliver(), answer);
	 */
	redeliver(): Promise<string[]>;
	/**
	 * Has the next calls of the bot go wrong. A 429 is told to the bot at once; a host would have waited for a while.
	 *
	 * @example
	 * t.fault('accept-and-break', {operation: 'sendMessage'});
	 * await t.alice.dm('announce tea');
	 * await t.wait('2 minutes');
	 * assert.equal(t.sent.filter(({text}) => text === 'tea').length, 1);
	 */
	fault(kind: Fault, options?: FaultOptions): void;
	/** Breaks off what still runs. Whatever is not closed is forgotten with the test. */
	close(): Promise<void>;
};

/** A handler that does nothing for so many turns of the event loop waits for something of its own. */
const HANGING_TURNS = 5;

/** What a handler does outside of the kit takes real time, so the first turns of a wait are longer. */
const FIRST_TURN_MS = 4;

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
	const errors: unknown[] = [];
	const report = (error: unknown) => errors.push(error);
	const realm = openRealm({
		file: ':memory:',
		now: new Date(options.now ?? Date.now()).getTime(),
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
	});
	const {userId: botId} = account;
	const pool = createLocalPool(realm.server, site);
	const level = createLevel(services.featureLevel);
	const clients = new Map<string, Client>();

	function clientOf(email: string): Client {
		const known = clients.get(email);
		if (known) {
			return known;
		}

		let until = 0;
		const pause = {
			remainingMs: () => Math.max(0, until - now()),
			begin(ms: number) {
				until = now() + ms;
			},
		};
		const key = findAccountByEmail(services.store, email)?.api_key ?? '';
		const client = createClient({site, email, key, userAgent: 'bothy-testing/1', pool, pause, level});
		clients.set(email, client);
		return client;
	}

	const host = createHost({
		// What a bot remembers and is set is its own affair.
		bot: bot as Bot<unknown, unknown>,
		config,
		account: {...bot.rules, site, email: account.email, tokens: [account.token]},
		draftAccounts: drafts.map(person => ({name: person, site, email: emailOf(person)})),
		clientOf,
		log: {info() {}, warn() {}, error() {}},
		now,
		report,
	});
	const receiving = createLocalPool(host.receiver, site);
	const sent: SentMessage[] = [];
	const scheduled: Scheduled[] = [];
	const drafted: PersonsDraft[] = [];
	const reactions: Reaction[] = [];
	const failed: FailedSend[] = [];
	/** The newest message when somebody spoke last, or when the last wait began. */
	let mark = maxMessageId(services.store);
	const begunAt = mark;

	/** Messages on their way to the realm. */
	const speaking = new Set<Promise<unknown>>();

	/** Resolves when nothing is under way. */
	async function idle(): Promise<void> {
		do {
			services.clock.advance(0);
			await Promise.all([...speaking, realm.webhooksDone(), host.idle()]);
		} while (host.isBusy() || host.isRunning());
	}

	async function settle(): Promise<void> {
		await idle();
		await look();
	}

	/** Throws what went wrong. */
	async function look(): Promise<void> {
		fill(scheduled, (await host.schedules()).flatMap(presentSchedule));
		fill(failed, (await host.failed()).map(presentFailed));
		refresh();
		const [error] = errors.splice(0);
		if (error !== undefined) {
			throw error;
		}
	}

	/** What stands in the realm may also be changed by people. */
	function refresh(): void {
		fill(sent, sentBy(services, botId, begunAt));
		fill(drafted, draftsOfPeople(services));
		fill(reactions, reactionsOf(services, botId));
	}

	function presentSchedule(schedule: Schedule): Scheduled[] {
		const {id, target, text, dueAt} = schedule;
		if (target === undefined || text === undefined) {
			// A handler.
			return [];
		}

		const where = placeOf(target);
		return [{id, where, text, at: new Date(dueAt), ...(schedule.kind === 'cron' && {cron: schedule.cron})}];
	}

	function presentFailed({entry, payload}: Awaited<ReturnType<typeof host.failed>>[number]): FailedSend {
		const {target, text, state} = entry;
		const reason = state.startsWith('failed ') ? state.slice('failed '.length) : state;
		return {
			where: target === '' && payload ? placeOf(JSON.stringify(conversationOf(payload))) : placeOf(target),
			text,
			reason,
		};
	}

	const placeOf = (target: string) => describeTarget(services, botId, Target.parse(JSON.parse(target)));

	/** As far as it goes without more time: a handler may wait for something of its own. */
	async function idleOrHanging(turnMs: number): Promise<void> {
		let isIdle = false;
		const idling = idle().then(() => {
			isIdle = true;
		});
		const hanging = async () => {
			for (let turns = 0; turns < HANGING_TURNS && !isIdle; ) {
				await sleep(turnMs);
				turns = host.isRunning() && !host.isBusy() ? turns + 1 : 0;
			}
		};
		await Promise.race([idling, hanging()]);
	}

	async function waitUntil(end: number): Promise<SentMessage[]> {
		mark = maxMessageId(services.store);
		const before = mark;
		await idleOrHanging(FIRST_TURN_MS);
		for (;;) {
			const next = Math.min(host.next(), services.clock.next);
			if (next > end) {
				break;
			}

			services.clock.advance(Math.max(0, next - now()));
			host.work();
			await idleOrHanging(0);
		}

		services.clock.advance(Math.max(0, end - now()));
		host.lookAtDrafts();
		await idleOrHanging(0);
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
		await settle();
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
			refresh();
			return sent;
		},
		get drafts() {
			refresh();
			return drafted;
		},
		get reactions() {
			refresh();
			return reactions;
		},
		scheduled,
		failed,
		wait: async duration => waitUntil(now() + readWait(duration)),
		waitUntil: time => waitUntil(new Date(time).getTime()),
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
			await settle();
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

/** Lists stay the same, so that they may be kept. */
function fill<Item>(list: Item[], items: readonly Item[]): void {
	list.splice(0, list.length, ...items);
}

function emailOf(person: string): string {
	return `${person}@bothy.example`;
}

function readWait(duration: string | number): number {
	if (typeof duration === 'number') {
		return duration;
	}

	const read = readDuration(duration);
	if (read?.length !== duration.length) {
		throw new TypeError(`Expected a duration such as "2 hours" or a number of milliseconds, got "${duration}"`);
	}

	return read.value;
}

/** As the config file would have it. */
function readConfig<Session, Config>(bot: Bot<Session, Config>, config: TestBotOptions<Config>['config']): unknown {
	const given = Object.entries(config ?? {}).map(([key, value]) => {
		return [key, {text: String(value), place: 'testBot()'}] as const;
	});
	return readSettings(bot.config, Object.fromEntries(given), 'testBot()');
}
