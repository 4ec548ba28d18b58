// Which bot does an account's work, and how it runs.

import {join} from 'node:path';
import type {Bot} from '../bot/bot.js';
import type {Drafts} from '../bot/drafts.js';
import {checkReceive} from '../bot/event-triggers.js';
import {type Hook, hooksOf} from '../bot/http.js';
import {apologise, runBot} from '../bot/run.js';
import {configFromEnvironment, parseConfig, SettingsError} from '../bot/settings.js';
import type {Client} from '../client/client.js';
import type {FetchOnce} from '../client/fetch.js';
import type {Account} from '../config/accounts.js';
import {ConfigError} from '../config/error.js';
import type {AccountRules, DeliveriesOptions, Task} from '../delivery/deliveries.js';
import {forward} from '../delivery/forward.js';
import {numberOf} from '../delivery/ref.js';
import {isUnasked} from '../delivery/work.js';
import type {Log} from '../log.js';
import type {Sight} from '../outbox/sight.js';
import type {EntryRef} from '../outbox/store.js';
import type {Plugins} from '../plugins/index.js';
import {accountTag} from '../redis/account-key.js';
import type {Retry} from '../redis/availability.js';
import {type Schedules, schedulesOf} from '../schedules/schedules.js';
import type {ValueStore} from '../storage/values.js';
import {version} from './version.js';

/**
 * An account with the bot that does its work; without one when its plugin is broken, when another host does it, or when
 * it is a person's, for which we keep drafts or presence.
 */
export type BotAccount = Account &
	AccountRules & {
		readonly work: Bot<unknown, unknown> | undefined;
		/** What the account sets for its bot, as the bot's schema has it. */
		readonly settings: unknown;
		/** What the bot takes requests of other systems at. */
		readonly hooks?: readonly Hook[];
		/** Why the bot is left out, where what it is set does not fit. */
		readonly problem?: string;
	};

/**
 * A bot whose settings do not fit is left out; where `isStrict`, it stops the start. `environment` may hold settings.
 *
 * @throws ConfigError for an account whose plugin does not exist and that is not forwarded.
 */
export function assignBots(
	accounts: readonly Account[],
	{loaded, broken}: Plugins,
	{isStrict = false, environment = {}}: {isStrict?: boolean; environment?: NodeJS.ProcessEnv} = {},
): BotAccount[] {
	if (isStrict) {
		refuseBroken(accounts, broken);
	}

	return accounts.map(account => {
		const plugin = loaded.find(({name}) => name === account.bot);
		const hasWebhook = account.receive !== 'events';
		const isPerson = hasWebhook && account.tokens.length === 0 && !plugin && account.forward === undefined;
		if (isPerson) {
			return {...account, ...WITHOUT_BOT, work: undefined, settings: undefined};
		}

		if (hasWebhook) {
			needToken(account);
		}

		if (account.forward !== undefined) {
			return {...account, ...WITHOUT_BOT, work: undefined, settings: undefined};
		}

		if (!plugin && !broken.some(({name}) => name === account.bot)) {
			throw new ConfigError(missingPlugin(account, loaded));
		}

		// Known to be a bot by its mark.
		const work = plugin?.bot as Bot<unknown, unknown> | undefined;
		if (!work) {
			return {...account, ...WITHOUT_BOT, work, settings: undefined};
		}

		try {
			if (!account.name.startsWith(LOCAL)) {
				checkReceive(work, account);
			}

			return {...account, ...work.rules, work, ...readBotConfig(account, work, environment)};
		} catch (error) {
			if (!(error instanceof SettingsError)) {
				throw error;
			}

			if (isStrict) {
				throw new ConfigError(error.message);
			}

			return {...account, ...WITHOUT_BOT, work: undefined, settings: undefined, problem: error.message};
		}
	});
}

/** A deploy must not put a bot that cannot be loaded in the place of one that works. */
function refuseBroken(accounts: readonly Account[], broken: Plugins['broken']): void {
	const needed = broken.filter(({name}) => accounts.some(({bot, forward}) => bot === name && forward === undefined));
	if (needed.length > 0) {
		const lines = needed.map(({name, file, reason}) => `  ${name} (${file}): ${reason}`);
		throw new ConfigError(
			`These plugins failed to load:\n${lines.join('\n')}\n` +
				'Fix them, or start with --lenient: the other bots then run, and these answer that they failed to load.',
		);
	}
}

function missingPlugin({name, bot}: Account, loaded: Plugins['loaded']): string {
	const names = loaded.map(plugin => plugin.name).join(', ') || 'none';
	const forward = 'or `forward = <URL of your present bot host>` while the bot still runs there';
	const expected = `[${name}]: expected a plugin \`${bot}\` in bots/ or BOTHY_BOTS`;
	return bot.startsWith('@')
		? `${expected}, or a package of that name. Install it with \`npm install ${bot}\`, ${forward}.`
		: `${expected}, found only: ${names}. Add \`bot = <plugin or package>\` to the section, or the plugin ` +
				`${join('bots', `${bot}.ts`)} (\`npx bothy new ${bot}\` makes one), ${forward}.`;
}

/** What the section and the environment set for the bot, by the bot's own schema. */
function readBotConfig(
	{name, bot, config = {}}: Account,
	work: Bot<unknown, unknown>,
	environment: NodeJS.ProcessEnv,
): Pick<BotAccount, 'settings' | 'hooks'> {
	const isLocal = name.startsWith(LOCAL);
	const owner = isLocal ? join('bots', `${bot}.config.json`) : `[${name}]`;
	const fromEnvironment = configFromEnvironment(work.config, isLocal ? bot : name, environment);
	const settings = parseConfig(work.config, {...config, ...fromEnvironment}, owner);
	return {settings, hooks: hooksOf(work, settings, owner)};
}

/** Begins the names of the local realm's accounts. */
const LOCAL = 'realm:';

function needToken({name, tokens}: Account): void {
	if (tokens.length === 0) {
		throw new ConfigError(
			`[${name}]: expected \`token\`, found none. It verifies that a webhook comes from your service. You find it in ` +
				"the zuliprc that you can download in the bot's settings. If the service cannot reach this host, add " +
				'`receive = events` instead.',
		);
	}
}

const WITHOUT_BOT = {deadlineMs: 8_000, timeoutMs: 300_000, concurrency: 100, perMinute: 20, hasSession: false};

/** The drafts that a bot keeps in an account. */
export type DraftsOf = (bot: {site: string; email: string}, account: string) => Drafts;

/** What the bots of a process do their work with. */
export interface Dependencies {
	readonly log: Log;
	readonly schedules: Schedules;
	readonly values: ValueStore;
	/** Questions to others that wait for their answers. */
	readonly questions: ValueStore;
	readonly sight: Sight;
	readonly fetchOnce: FetchOnce;
	readonly draftsOf?: DraftsOf;
	clientOf(account: Account): Client | undefined;
	/** The message that a send became. */
	sent(entry: EntryRef, run: {readonly signal: AbortSignal; readonly retry: Retry}): Promise<number>;
}

/** Runs an account's bot for a payload. */
export function handleWith(dependencies: Dependencies): DeliveriesOptions<BotAccount>['handle'] {
	const logs = new Map<BotAccount, Log>();
	const logOf = (account: BotAccount) => {
		const known = logs.get(account) ?? dependencies.log.child({bot: account.name});
		logs.set(account, known);
		return known;
	};

	return async function handle(task) {
		const {account, payload, say, session, writer, retry} = task;
		if (account.forward !== undefined) {
			await passOn(account.forward, task, logOf(account));
			return;
		}

		if (!account.work && isUnasked(payload)) {
			say.failed(`\`${account.bot}\` failed to load. See the log for the reason`);
			return;
		}

		if (!account.work) {
			await say.reply(`\`${account.bot}\` failed to load. See the log for the reason.`);
			return;
		}

		const {draftsOf} = dependencies;
		const client = dependencies.clientOf(account);
		await runBot({
			bot: account.work,
			config: account.settings,
			payload,
			say,
			session,
			get signal() {
				return task.signal;
			},
			schedules: retrying(schedulesOf(dependencies.schedules, accountTag(account)), retry),
			values: dependencies.values(writer, retry),
			questions: dependencies.questions(writer, retry),
			delivery: {id: writer.ref.id, run: writer.run},
			fetchOnce: dependencies.fetchOnce,
			client,
			sees: async target => (client ? dependencies.sight.of(client, target) : 'blind'),
			sent: id => dependencies.sent({ref: writer.ref, n: numberOf(id)}, {signal: task.signal, retry}),
			log: logOf(account),
			now: Date.now,
			drafts: draftsOf && (name => retrying(draftsOf(account, name), retry)),
		});
	};
}

/** The same methods, each of which waits for Redis. */
function retrying<Store extends object>(store: Store, retry: Retry): Store {
	const methods = Object.entries(store).map(([name, method]) => [
		name,
		(...parameters: unknown[]) => retry(() => method.apply(store, parameters)),
	]);
	// It has a method for each of the store's.
	return Object.fromEntries(methods) as Store;
}

/** Another host does the work of this account. */
async function passOn(url: string, {account, payload, say, signal}: Task<BotAccount>, log: Log): Promise<void> {
	try {
		// What was stored of a payload has no token.
		const token = payload.token || (account.tokens[0] ?? '');
		const answer = await forward({url, payload: {...payload, token}, signal, userAgent: `Bothy/${version}`});
		if (answer) {
			await say.reply(answer.text, answer.widget);
		}
	} catch (error) {
		await apologise(error, {say, log, signal});
	}
}
