// A host in the process of the test: receiver, workers and what runs deliveries again, as `bothy web` and `bothy worker` have
// them, beside a realm over HTTP and a real Redis.

import {randomUUID} from 'node:crypto';
import pino from 'pino';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {isOpen, searchLedger} from '../../src/delivery/ledger.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {openBackgroundRunner} from '../../src/host/background/background-deliveries.js';
import {assignBots} from '../../src/host/bots.js';
import {openClients} from '../../src/host/clients.js';
import {openPlugins} from '../../src/host/connections.js';
import {openReceiver} from '../../src/host/receiving.js';
import {ROLES, type RoleName} from '../../src/host/roles.js';
import {createTeardown} from '../../src/host/teardown.js';
import {titleOf} from '../../src/host/title.js';
import {openWorkers} from '../../src/host/working.js';
import type {BotAccount, OpenRealm, Realm} from '../../src/realm/index.js';
import {accountTag, setPrefix} from '../../src/redis/account-key.js';
import {CALM, dataFolder, type Heard, type Person, type Scope, signIn} from './bothy.js';
import {openRealm} from './realm.js';
import {connect, startRedis} from './redis.js';
import {type Ran, runHere} from './terminal.js';
import {until} from './until.js';

export interface HouseOptions {
	/** Bots by the names of their accounts; undefined stands for the plugin of that name. */
	readonly bots: Readonly<Record<string, unknown>>;
	/** Names of the bots that are administrators. */
	readonly administrators?: readonly string[];
	/** Section of the config file for an account besides, once the realm is there. */
	sections?(realm: OpenRealm): Promise<Readonly<Record<string, object>>>;
	readonly env?: NodeJS.ProcessEnv;
	readonly redisUrl?: string;
	readonly roles?: readonly RoleName[];
	/** How long the run of a delivery that lost one holds up the next. */
	readonly triedMs?: number;
}

export interface House {
	readonly realm: Realm & OpenRealm;
	readonly env: NodeJS.ProcessEnv;
	/** Accounts of the bots. */
	readonly accounts: Readonly<Record<string, BotAccount>>;
	/** Everything that the host logged. */
	log(): string;
	/** Closes the host, and opens another one on the same data. */
	restart(): Promise<void>;
	/** Runs a command in its own process while the host runs. */
	run(...args: string[]): Promise<Ran>;
	signIn(name: string): Promise<Talker>;
	/** Resolves when no delivery is under way and nothing remains to be posted. */
	settled(): Promise<void>;
	/** Everything that bots wrote, oldest first. */
	said(): string[];
	receiverUrl(): string;
}

export interface Talker extends Person {
	/** The next message of a bot that fits. */
	nextWith(fits: (content: string) => boolean): Promise<Heard>;
	/** The next message of a bot, or of any bot. */
	next(bot?: string): Promise<string>;
	/** Writes to a bot directly. */
	dm(bot: string, content: string): Promise<number>;
	/** Mentions a bot in a channel. */
	mention(bot: string, content: string, channel?: string): Promise<number>;
	/** Writes to a bot directly; resolves with its next message. */
	ask(bot: string, content: string): Promise<string>;
}

export async function openHouse(t: Scope, options: HouseOptions): Promise<House> {
	const {bots, administrators = [], env: more, sections = async () => ({}), roles = ROLES} = options;
	const realm = (await openRealm(t, {rateLimit: false})) as Realm & OpenRealm;
	const redisUrl = options.redisUrl ?? (await startRedis(t));
	const ensure = (receiverUrl: string) =>
		Object.keys(bots).map(name =>
			realm.ensureBot({
				name,
				fullName: titleOf(name),
				payloadUrl: `${receiverUrl}/webhook`,
				isAdministrator: administrators.includes(name),
			}),
		);
	const accounts = Object.fromEntries(ensure('http://127.0.0.1:9').map(account => [account.name, account]));
	const own = Object.entries(accounts).map(([name, {email, key, site, token}]) => [name, {email, key, site, token}]);
	const env = {
		...CALM,
		BOTHY_DATA: await dataFolder(t),
		REDIS_URL: redisUrl,
		PORT: '0',
		WEB_CONCURRENCY: '1',
		BOTHY_CONFIG_JSON: JSON.stringify({...Object.fromEntries(own), ...(await sections(realm))}),
		...more,
	};
	const lines: string[] = [];
	const log = pino({base: null}, {write: (line: string) => lines.push(line)});
	let receiverUrl = '';

	async function open() {
		const teardown = createTeardown(error => log.warn({err: error}, 'could not close a part of this process'));
		const host = {settings: readSettings(env), log, teardown};
		const accounts = readAccounts(host.settings);
		const inCode = Object.entries(bots).flatMap(([name, bot]) => (bot === undefined ? [] : [{name, file: '', bot}]));
		const isInFiles = inCode.length < Object.keys(bots).length;
		const inFiles = isInFiles ? await openPlugins(host, accounts) : {loaded: [], broken: []};
		const parts = {
			redisUrl,
			accounts: assignBots(accounts, {loaded: [...inCode, ...inFiles.loaded], broken: inFiles.broken}),
			process: randomUUID(),
			isDead: () => false,
		};
		await openWorkers(host, {redisUrl, accounts, clientOf: openClients(host, {redisUrl, accounts})}, roles);
		await openBackgroundRunner(host, parts, {triedMs: options.triedMs});
		receiverUrl = await openReceiver(host, {...parts, listen: {host: '127.0.0.1', port: 0}});
		ensure(receiverUrl);
		return teardown;
	}

	let teardown = await open();
	t.teardown(() => teardown.run());
	const connection = await connect(t, redisUrl);
	setPrefix(connection, readSettings(env).REDIS_PREFIX);
	const store = createRedisStore(connection);
	const said = () =>
		realm.services.store
			.all<{content: string}>(
				'SELECT content FROM messages JOIN accounts ON accounts.id = sender_id WHERE bot_type = 3 ORDER BY messages.id',
			)
			.map(({content}) => content);

	return {
		realm,
		env,
		accounts,
		log: () => lines.join(''),
		receiverUrl: () => receiverUrl,
		async restart() {
			await teardown.run();
			teardown = await open();
		},
		run: (...args) => runHere(args, {env}),
		said,
		async signIn(name) {
			const person = await signIn(t, realm.url, `${name}@bothy.example`);
			const queue = await person.listen();
			const emails = new Set(Object.values(accounts).map(({email}) => email));
			const next = async (bot?: string) => {
				const {content} = await queue.next(({sender_email: sender}) =>
					bot === undefined ? emails.has(sender) : sender === accounts[bot]?.email,
				);
				return content;
			};
			const dm = async (bot: string, content: string) =>
				(await person.sendMessage({type: 'direct', to: [accounts[bot]?.userId ?? 0], content})).id;
			return {
				...person,
				next,
				nextWith: fits => queue.next(({content, sender_email: sender}) => emails.has(sender) && fits(content)),
				dm,
				async mention(bot, text, channel = 'general') {
					const content = `@**${titleOf(bot)}** ${text}`;
					return (await person.sendMessage({type: 'channel', to: channel, topic: 'journey', content})).id;
				},
				async ask(bot, content) {
					await dm(bot, content);
					return next(bot);
				},
			};
		},
		async settled() {
			await realm.webhooksDone();
			const search = {accounts: Object.values(accounts).map(accountTag), since: 0, limit: 1_000};
			await until(async () => !(await searchLedger(store, search)).some(isOpen));
		},
	};
}
