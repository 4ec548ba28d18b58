// What one run of a bot works with: what the host passes in, and what all methods of `ctx` share.

import type {Client} from '../../client/client.js';
import {type FetchOnce, type FetchOptions, fetchWithRetries} from '../../client/fetch.js';
import {forDelivery} from '../../client/for-delivery.js';
import type {RunScope} from '../../delivery/run-scope.js';
import type {Target} from '../../delivery/target.js';
import type {AccountSchedules} from '../../schedules/schedules.js';
import type {Values} from '../../storage/values.js';
import type {BotLog} from './capabilities.js';
import {type Drafts, UnknownAccount} from './drafts.js';
import {createQuestions, type Questions} from './questions.js';

/** What a host does for a bot. Targets are JSON text, times milliseconds since 1970. */
export interface HostServices {
	readonly run: RunScope;
	/** The account's scheduled messages. */
	readonly schedules: AccountSchedules;
	/** What the bot stores between messages. */
	readonly values: Values;
	/** Questions to others that wait for their answers. */
	readonly questions: Values;
	/** Calls the service as the account. Absent without an API key. */
	readonly client: Client | undefined;
	/** Resolves with the ID of a send's message. */
	sent(id: string): Promise<number>;
	readonly log: BotLog;
	now(): number;
	/** Calls another HTTP API once. */
	readonly fetchOnce: FetchOnce;
	/** Whether the account can read back what it posts there. */
	sees(target: Target): Promise<'sees' | 'blind' | 'unsure'>;
	/** The drafts of an account. Absent if this host stores no drafts. */
	readonly drafts?: ((account: string) => Drafts) | undefined;
}

export interface Scope<Config>
	extends Pick<HostServices, 'run' | 'schedules' | 'values' | 'sent' | 'log' | 'now' | 'sees'> {
	/** What the bot declares. */
	readonly bot: {readonly answers: {has(name: string): boolean}; readonly laters: {has(name: string): boolean}};
	/** What the account sets for the bot. */
	readonly config: Config;
	/** The account's address. */
	readonly email: string;
	readonly questions: Questions;
	/** Calls the service as the account. Throws without an API key. */
	api(): Client;
	/** The same for the bot's own calls, which name the delivery. */
	ownApi(): Client;
	drafts(account: string): Drafts;
	/** Calls another HTTP API. */
	fetch(url: string | URL, options: FetchOptions): Promise<Response>;
	/** Receives the function that ends a stream. */
	onStream(end: () => Promise<void>): void;
	endStreams(): Promise<void>;
}

export function openScope<Config>(
	host: HostServices,
	{bot, config, email}: Pick<Scope<Config>, 'bot' | 'config' | 'email'>,
): Scope<Config> {
	const {run, client, fetchOnce, drafts, questions, schedules, values, log, now} = host;
	const streams: (() => Promise<void>)[] = [];
	let ownApi: Client | undefined;
	return {
		// One field per line: V8 takes ten times as long for fields that follow a spread.
		bot,
		config,
		email,
		run,
		schedules,
		values,
		log,
		now,
		sent: id => host.sent(id),
		sees: target => host.sees(target),
		questions: createQuestions({values: questions, delivery: run.writer.ref.id, now}),
		api: () => expectClient(client),
		ownApi() {
			ownApi ??= forDelivery(expectClient(client), run.writer.ref.id);
			return ownApi;
		},
		drafts: account => draftsWhileRunning(drafts, account, run),
		fetch: (url, init) => fetchWithRetries(fetchOnce, url, {...init, signal: run.signal}),
		onStream: end => streams.push(end),
		async endStreams() {
			for (const end of streams) {
				await end();
			}
		},
	};
}

function expectClient(client: Client | undefined): Client {
	if (!client) {
		throw new Error("Expected the account's API key in the config file (`key`), found none: ctx.api needs it");
	}

	return client;
}

/** A run that is over writes no more. */
function draftsWhileRunning(draftsOf: HostServices['drafts'], account: string, run: RunScope): Drafts {
	if (!draftsOf) {
		throw new UnknownAccount('Expected a host that stores drafts, found none');
	}

	const drafts = draftsOf(account);
	return {
		async put(...draft) {
			run.signal.throwIfAborted();
			await drafts.put(...draft);
		},
		async remove(key) {
			run.signal.throwIfAborted();
			await drafts.remove(key);
		},
		list: () => drafts.list(),
	};
}
