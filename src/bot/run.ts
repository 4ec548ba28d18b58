// Runs a bot for one payload; what it says goes to the delivery.

import {randomBytes} from 'node:crypto';
import type {Payload} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {Outbound} from '../delivery/run.js';
import {HostStoppingError} from '../delivery/run-expired-error.js';
import type {AccountSchedules} from '../schedules/schedules.js';
import type {Session as StoredSession} from '../storage/session.js';
import type {Values} from '../storage/values.js';
import {createActions, type Effects} from './actions.js';
import type {Bot} from './bot.js';
import type {BotLog} from './context.js';
import {openConversation} from './conversation.js';
import {createContext} from './create-context.js';
import {readCronPayload} from './cron.js';
import {BotError, dispatch, handleError} from './dispatch.js';
import {type Drafts, UnknownAccount} from './drafts.js';
import {readFailurePayload} from './failure.js';
import {createPeople} from './people.js';

export interface RunOptions<Session = undefined, Config = undefined> {
	readonly bot: Bot<Session, Config>;
	/** What the account sets for the bot. */
	readonly config: Config;
	readonly payload: Payload;
	readonly say: Outbound;
	/** What is stored of the conversation, for a bot that keeps a session. */
	readonly session?: StoredSession | undefined;
	/** What the account has said for later. */
	readonly schedules: AccountSchedules;
	/** What the bot keeps between messages. */
	readonly values: Values;
	/** Speaks as the account; absent where it has no API key. */
	readonly client: Client | undefined;
	/** The message that a send became. */
	sent(id: string): Promise<number>;
	readonly log: BotLog;
	readonly signal: AbortSignal;
	/** Milliseconds since 1970. */
	now(): number;
	/** Where drafts are kept; absent where there is no such place. */
	readonly drafts?: ((account: string) => Drafts) | undefined;
}

/**
 * Runs the bot to its end. A bot that throws says a short apology with a reference under which log and ledger have the
 * error: everyone in the conversation reads it, and anything but a 200 would be shown to them as a failure.
 */
export async function runBot<Session, Config>(options: RunOptions<Session, Config>): Promise<void> {
	const {bot, payload, say, session, schedules, values, log, config} = options;
	const api = () => expectClient(options.client);
	const now = () => options.now();
	const effects = {
		...say,
		schedules,
		values,
		api,
		now,
		sent: (id: string) => options.sent(id),
		drafts: (account: string) => draftsWhileRunning(options, account),
	};
	const due = readCronPayload(payload);
	if (due) {
		await runCron(due, {...options, effects});
		return;
	}

	const failure = readFailurePayload(payload);
	const conversation = openConversation<Session>({schema: bot.session, json: session?.json, now: now(), log});
	const ctx = createContext({
		conversation,
		answers: bot.answers,
		payload: failure?.answered ?? payload,
		log,
		config,
		get signal() {
			return options.signal;
		},
		effects,
	});

	try {
		if (failure) {
			await handleError(bot, failure.error, ctx);
		} else {
			await dispatch(bot, {ctx, conversation, people: createPeople(api, ctx.sender.id), now: now()});
		}

		session?.save(conversation.save());
	} catch (error) {
		await apologise(error, options);
	}
}

function expectClient(client: Client | undefined): Client {
	if (!client) {
		throw new Error("Expected the account's API key in the config file (`key`), found none: ctx.api needs it");
	}

	return client;
}

/** A run that is over writes no more. */
function draftsWhileRunning(options: Pick<RunOptions, 'drafts' | 'signal'>, account: string): Drafts {
	if (!options.drafts) {
		throw new UnknownAccount('Expected a host that stores drafts, found none');
	}

	const drafts = options.drafts(account);
	return {
		async put(...draft) {
			options.signal.throwIfAborted();
			await drafts.put(...draft);
		},
		async remove(key) {
			options.signal.throwIfAborted();
			await drafts.remove(key);
		},
		list: () => drafts.list(),
	};
}

/** Runs a handler at its due time. Nobody has asked, so nobody reads an apology: log and ledger have the error. */
async function runCron<Session, Config>(
	{handler, planned}: {handler: string; planned: Date},
	options: RunOptions<Session, Config> & {readonly effects: Omit<Effects, 'reply'>},
): Promise<void> {
	const {bot, say, log, effects, config} = options;
	try {
		// The bot may have changed since.
		await bot.crons.get(handler)?.run({
			...createActions({effects, log, config}),
			name: handler,
			planned,
			get api() {
				return effects.api();
			},
			get signal() {
				return options.signal;
			},
		});
	} catch (error) {
		say.failed(noteFailure(error, log));
	}
}

/** Says that something failed, with a reference under which log and ledger have the error. */
export async function apologise(
	error: unknown,
	{say, log, signal}: Pick<RunOptions, 'say' | 'log' | 'signal'>,
): Promise<void> {
	// A stop is no failure of the bot: its host says so once for all.
	if (signal.reason instanceof HostStoppingError) {
		return;
	}

	const failure = noteFailure(error, log);
	say.failed(failure);
	if (!signal.aborted) {
		await say.reply(`Sorry, something went wrong here. (Reference: ${failure.slice(0, REFERENCE_LENGTH)})`);
	}
}

const REFERENCE_LENGTH = 8;

/** Logs an error; gives it as the ledger has it, its reference first. */
function noteFailure(error: unknown, log: BotLog): string {
	const reference = randomBytes(REFERENCE_LENGTH / 2).toString('hex');
	const cause = error instanceof BotError ? error.cause : error;
	log.error({reference, err: cause}, 'a bot failed');
	return `${reference} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
}
