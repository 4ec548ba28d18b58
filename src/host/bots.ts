// Assigns bots to accounts, and runs a bot for a delivery.

import {join} from 'node:path';
import type {Bot} from '../bot/bot.js';
import type {Drafts} from '../bot/context/drafts.js';
import {type Hook, hooksOf} from '../bot/context/http.js';
import {checkReceive} from '../bot/event-triggers.js';
import {apologise, runBot} from '../bot/run.js';
import {configFromEnvironment, parseConfig, SettingsError} from '../bot/settings.js';
import type {Client} from '../client/client.js';
import type {FetchOnce} from '../client/fetch.js';
import type {Account} from '../config/accounts.js';
import {ConfigError} from '../config/error.js';
import type {DeliveriesOptions} from '../delivery/deliveries.js';
import {numberOf} from '../delivery/ref.js';
import type {AccountRules, Task} from '../delivery/task.js';
import {isUnasked} from '../delivery/work.js';
import type {Log} from '../log.js';
import type {Sight} from '../outbox/sight.js';
import type {EntryRef} from '../outbox/store.js';
import type {Plugins} from '../plugins/index.js';
import {accountTag} from '../redis/account-key.js';
import type {Retry} from '../redis/availability.js';
import {type Schedules, schedulesOf} from '../schedules/schedules.js';
import type {ValueStore} from '../storage/values.js';
import {kindOfAccount} from './checks/account-kind.js';
import {version} from './version.js';

/**
 * An account with its bot. It has no bot if its plugin failed to load, if it is forwarded to another host, or if it is a person's
 * account for drafts or presence.
 */
export type BotAccount = Account &
	AccountRules & {
		readonly work: Bot<unknown, unknown> | undefined;
		/** The account's settings, parsed by the bot's schema. */
		readonly settings: unknown;
		/** The `.http()` paths of the account. */
		readonly hooks?: readonly Hook[];
		/** Why the bot does not run: its settings are wrong. */
		readonly problem?: string;
		/** Why its plugin failed to load. */
		readonly broken?: string;
	};

/**
 * If a bot's settings are wrong, it gets no bot; with `isStrict`, it throws. `environment` may contain settings.
 *
 * @throws ConfigError for an account whose plugin does not exist and that is not forwarded.
 */
export function assignBots(
	accounts: readonly Account[],
	{loaded, broken, names = [...loaded, ...broken].map(({name}) => name)}: Plugins,
	{isStrict = false, environment = {}}: {isStrict?: boolean; environment?: NodeJS.ProcessEnv} = {},
): BotAccount[] {
	if (isStrict) {
		refuseBroken(accounts, broken);
	}

	return accounts.map(account => {
		const plugin = loaded.find(({name}) => name === account.bot);
		const kind = kindOfAccount(account, names);
		if (kind !== 'bot') {
			// The old host took as much as anybody wrote.
			const limits = kind === 'forwarded' ? {perMinute: 0} : {};
			return {...account, ...WITHOUT_BOT, ...limits, work: undefined, settings: undefined};
		}

		// `loadPlugins` has checked that it is a bot.
		const work = plugin?.bot as Bot<unknown, unknown> | undefined;
		if (!work) {
			const reason = broken.find(({name}) => name === account.bot)?.reason;
			return {...account, ...WITHOUT_BOT, work, settings: undefined, ...(reason !== undefined && {broken: reason})};
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

/** In strict mode, a plugin that fails to load stops the start, so that a deploy does not replace a working bot. */
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

/** Parses the account's settings, from its section and the environment, by the bot's schema. */
function readBotConfig(
	{name, bot, config = {}}: Account,
	work: Bot<unknown, unknown>,
	environment: NodeJS.ProcessEnv,
): Pick<BotAccount, 'settings' | 'hooks'> {
	const isLocal = name.startsWith(LOCAL);
	const owner = isLocal ? join('bots', `${bot}.config.json`) : `[${name}]`;
	// Receivers get the settings of local bots in their environment. Name the file that the developer wrote.
	const fromFile = isLocal
		? Object.fromEntries(Object.entries(config).map(([key, {text}]) => [key, {text, place: owner}]))
		: config;
	const variables = isLocal ? bot : name;
	const fromEnvironment = configFromEnvironment(work.config, variables, environment);
	const settings = parseConfig(work.config, {...fromFile, ...fromEnvironment}, {place: owner, variables});
	return {settings, hooks: hooksOf(work, settings, owner)};
}

/** Prefix of the names of the local realm's accounts. */
const LOCAL = 'realm:';

const WITHOUT_BOT = {deadlineMs: 8_000, timeoutMs: 300_000, concurrency: 100, perMinute: 20, hasSession: false};

/** The drafts of a bot in an account. */
export type DraftsOf = (bot: {site: string; email: string}, account: string) => Drafts;

/** What bots need from the host. */
export interface Dependencies {
	readonly log: Log;
	readonly schedules: Schedules;
	readonly values: ValueStore;
	/** Open questions to other people. */
	readonly questions: ValueStore;
	readonly sight: Sight;
	readonly fetchOnce: FetchOnce;
	readonly draftsOf?: DraftsOf;
	clientOf(account: Account): Client | undefined;
	/** Resolves with the ID of a send's message, once it is posted. */
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
		const {account, work, session, run} = task;
		const {say, writer, retry} = run;
		if (account.forward !== undefined) {
			await passOn(account.forward, task, logOf(account));
			return;
		}

		if (!account.work && isUnasked(work)) {
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
			email: account.email,
			work,
			run,
			session,
			schedules: schedulesOf(dependencies.schedules, accountTag(account), retry),
			values: dependencies.values(writer, retry),
			questions: dependencies.questions(writer, retry),
			fetchOnce: dependencies.fetchOnce,
			client,
			sees: async target => (client ? dependencies.sight.of(client, target) : 'blind'),
			sent: id => dependencies.sent({ref: writer.ref, n: numberOf(id)}, run),
			log: logOf(account),
			now: Date.now,
			drafts: draftsOf && (name => retrying(draftsOf(account, name), retry)),
		});
	};
}

/** Wraps each method so that it waits for Redis. */
function retrying<Store extends object>(store: Store, retry: Retry): Store {
	const methods = Object.entries(store).map(([name, method]) => [
		name,
		(...parameters: unknown[]) => retry(() => method.apply(store, parameters)),
	]);
	// It has all methods of the store.
	return Object.fromEntries(methods) as Store;
}

/** Loads what `forward` of an account needs. Most hosts forward nothing. */
export const loadForward = () => import('../delivery/forward.js');

/** Another host does the work of this account. */
async function passOn(url: string, {account, work, run}: Task<BotAccount>, log: Log): Promise<void> {
	if (work.kind !== 'message') {
		return;
	}

	const {payload} = work;
	try {
		// Stored payloads have no token.
		const token = payload.token || (account.tokens[0] ?? '');
		const {forward} = await loadForward();
		const answer = await forward({
			url,
			payload: {...payload, token},
			signal: run.signal,
			userAgent: `Bothy/${version}`,
		});
		if (answer) {
			await run.say.reply(answer.text, answer.widget);
		}
	} catch (error) {
		await apologise(error, {run, log});
	}
}
