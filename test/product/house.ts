// A whole host, as an operator runs it: `bothy web`, `bothy worker` and a Redis of their own, and the organizations that it
// serves. Its time stands still unless it is moved.

import {join} from 'node:path';
import type {Redis} from 'ioredis';
import {createCronStore, firingId} from '../../src/delivery/crons.js';
import {accountTag} from '../../src/delivery/ref.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {firings} from '../../src/queue/firings.js';
import {type BotAccount, type OpenRealm, startRealm} from '../../src/realm/index.js';
import {findAccountByEmail} from '../../src/realm/people/accounts.js';
import {emailOf} from '../../src/testing/talk.js';
import {dataFolder, type Scope, startCommand} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';
import {CLOCK_FILE, createClockFile} from './clock-file.js';
import {age, wakeWorkers} from './redis-state.js';

const CLOCK = new URL('./standing-clock.js', import.meta.url).href;

/** Organizations that a house serves, each for one test: to start another house takes seconds. */
const ORGANIZATIONS = 6;

export interface HouseOptions {
	/** The plugin of the bot, by its file in bots/. */
	readonly plugin: string;
	/** By which the bot is mentioned. */
	readonly name: string;
	readonly isAdministrator: boolean;
	/** What each account sets for the bot. */
	readonly config: Readonly<Record<string, string>>;
	/** People in whose accounts the bot may keep drafts. */
	readonly drafts: readonly string[];
	/** Due times that the bot declares. */
	readonly crons: readonly string[];
	/** What time it is, in milliseconds since 1970. */
	readonly now: number;
}

/** An organization, and the account of the bot in it. */
export interface Organization {
	readonly realm: OpenRealm;
	readonly account: BotAccount;
}

export interface House {
	readonly redis: Redis;
	/** Milliseconds since 1970. */
	now(): number;
	hasRoom(): boolean;
	/** An organization in which nobody has spoken yet. */
	take(): Organization;
	/** Has the time jump for everybody. */
	jump(time: number): Promise<void>;
	/** Whether BullMQ's schedulers are as the accounts' crons say: a worker looks every second. */
	areCronsKept(): Promise<boolean>;
	/** What the processes have logged as errors. */
	errors(): string[];
	/** To be done before the house is closed. */
	onClose(close: () => unknown): void;
	close(): Promise<void>;
}

export async function openHouse(options: HouseOptions): Promise<House> {
	const {scope, close} = createScope(`a house of ${options.plugin}`);
	try {
		return {...(await furnish(scope, options)), onClose: scope.teardown, close};
	} catch (error) {
		await close();
		throw error;
	}
}

async function furnish(t: Scope, options: HouseOptions): Promise<Omit<House, 'onClose' | 'close'>> {
	let time = options.now;
	// What the bot does at its due times it does in all of them.
	const count = options.crons.length > 0 ? 1 : ORGANIZATIONS;
	const organizations = await Promise.all(Array.from({length: count}, () => openOrganization(t, options)));
	const redisUrl = await startRedis(t);
	const redis = await connect(t, redisUrl);
	const path = join(await dataFolder(t), 'clock');
	const clock = createClockFile(path, time);
	t.teardown(() => clock.close());
	const env = {
		[CLOCK_FILE]: path,
		NODE_OPTIONS: `--import ${CLOCK}`,
		REDIS_URL: redisUrl,
		BOTHY_CONFIG_JSON: JSON.stringify(configOf(organizations, options)),
		PORT: '0',
		WEB_CONCURRENCY: '1',
		// What is due at the same time is posted in sequence.
		SEND_CONCURRENCY: '1',
		LOG_LEVEL: 'error',
	};
	const [web, worker] = await Promise.all([
		startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)/}),
		startCommand(t, 'worker', {env, ready: /(Worker)/}),
	]);
	for (const {realm} of organizations) {
		// The address is known only now.
		ensureBot(realm, options, web.found);
	}

	let taken = 0;
	const crons = createCronStore(redis);
	const queue = openQueue(firings, redis);
	t.teardown(() => queue.close());

	return {
		redis,
		now: () => time,
		hasRoom: () => taken < organizations.length,
		take() {
			const organization = organizations[taken++];
			if (!organization) {
				throw new Error(`Expected at most ${organizations.length} tests in a house`);
			}

			return organization;
		},
		async jump(next) {
			await age(redis, next - time);
			time = next;
			clock.set(time);
			for (const {realm} of organizations) {
				advance(realm.services.clock, time);
			}

			await wakeWorkers(redis);
		},
		async areCronsKept() {
			const wanted = new Set<string>();
			for (const {account} of organizations) {
				const tag = accountTag(account);
				const stored = await crons.all(tag);
				if (!options.crons.every(handler => stored.has(`cron ${handler}`))) {
					return false;
				}

				for (const [id, {cron}] of stored) {
					wanted.add(`${firingId(tag, id)} ${cron.pattern} ${cron.tz}`);
				}
			}

			const kept = [...(await queue.repeated())].map(([key, {pattern, tz}]) => `${key} ${pattern} ${tz}`);
			return kept.length === wanted.size && kept.every(cron => wanted.has(cron));
		},
		errors() {
			const lines = [web, worker].flatMap(({output}) => output().split('\n'));
			return lines.filter(line => line.startsWith('{'));
		},
	};
}

/** What an organization does by itself it does at its time; the host hears of it when it has come there. */
function advance(clock: OpenRealm['services']['clock'], time: number): void {
	while (clock.next < time) {
		clock.advance(clock.next - clock.now());
	}

	clock.advance(time - clock.now());
}

/** As a test has one: what is opened in it is closed in the reverse order. */
function createScope(title: string) {
	const closing: (() => unknown)[] = [];
	return {
		scope: {
			title,
			teardown(close: () => unknown) {
				closing.push(close);
			},
		},
		async close() {
			for (const close of closing.splice(0).toReversed()) {
				await close();
			}
		},
	};
}

async function openOrganization(t: Scope, options: HouseOptions): Promise<Organization> {
	const realm = await startRealm({file: ':memory:', port: 0, now: options.now, rateLimit: false});
	t.teardown(() => realm.close());
	return {realm, account: ensureBot(realm, options, realm.url)};
}

function ensureBot(realm: OpenRealm, {plugin, name, isAdministrator}: HouseOptions, payloadUrl: string): BotAccount {
	return realm.ensureBot({name: plugin, fullName: name, payloadUrl, isAdministrator});
}

/** A section for each account: the bots', and those in which they keep drafts. */
function configOf(organizations: readonly Organization[], {plugin, config, drafts}: HouseOptions) {
	const own = Object.entries(config).map(([key, value]) => [`config.${key}`, value]);
	return Object.fromEntries(
		organizations.flatMap(({realm, account: {site, email, key, token}}, index) => {
			const people = drafts.map(person => {
				const found = findAccountByEmail(realm.services.store, emailOf(person));
				return [`${person} ${index}`, {site, email: emailOf(person), key: found?.api_key ?? ''}] as const;
			});
			const bot = {bot: plugin, site, email, key, token, ...Object.fromEntries(own)};
			return [[`${plugin} ${index}`, bot] as const, ...people];
		}),
	);
}
