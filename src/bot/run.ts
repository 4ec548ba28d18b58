// Runs a bot for one payload; what it says goes to the delivery.

import {randomBytes} from 'node:crypto';
import type {Payload} from '../api/index.js';
import type {Say} from '../delivery/run.js';
import type {AccountSchedules} from '../delivery/schedules.js';
import type {Session as StoredSession} from '../delivery/session.js';
import type {Bot} from './bot.js';
import {type BotLog, createActions, createContext, type Effects} from './context.js';
import {readCronPayload} from './cron.js';
import {BotError, dispatch} from './dispatch.js';
import {type Drafts, UnknownAccount} from './drafts.js';

export interface RunOptions<Session = undefined> {
	readonly bot: Bot<Session>;
	readonly payload: Payload;
	readonly say: Say;
	/** What is stored of the conversation, for a bot that keeps a session. */
	readonly session?: StoredSession | undefined;
	/** What the account has said for later. */
	readonly schedules: AccountSchedules;
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
export async function runBot<Session>(options: RunOptions<Session>): Promise<void> {
	const {bot, payload, say, session, schedules, log, now} = options;
	const effects = {...say, schedules, now, drafts: (account: string) => draftsWhileRunning(options, account)};
	const due = readCronPayload(payload);
	if (due) {
		await runCron(due, {...options, effects});
		return;
	}

	const remembered = recall(bot, session, log);
	const ctx = createContext({
		session: remembered,
		payload,
		log,
		get signal() {
			return options.signal;
		},
		effects,
	});

	try {
		await dispatch(bot, ctx);
		if (session) {
			session.save(JSON.stringify(remembered));
		}
	} catch (error) {
		await apologise(error, options);
	}
}

/** A run that is over writes no more. */
function draftsWhileRunning<Session>(options: RunOptions<Session>, account: string): Drafts {
	if (!options.drafts) {
		throw new UnknownAccount('Expected a host that keeps drafts, found none');
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
async function runCron<Session>(
	{handler, planned}: {handler: string; planned: Date},
	options: RunOptions<Session> & {readonly effects: Omit<Effects, 'reply'>},
): Promise<void> {
	const {bot, say, log, effects} = options;
	try {
		// The bot may have changed since.
		await bot.crons.get(handler)?.run({
			...createActions({effects, log}),
			name: handler,
			planned,
			get signal() {
				return options.signal;
			},
		});
	} catch (error) {
		say.failed(noteFailure(error, log));
	}
}

/** What the bot remembers of a conversation. What its schema no longer takes is forgotten, not an error. */
function recall<Session>(bot: Bot<Session>, session: StoredSession | undefined, log: BotLog): Session {
	if (!bot.session || !session) {
		// A bot without a session has none to look at.
		return undefined as Session;
	}

	const stored = bot.session.safeParse(session.json === undefined ? {} : JSON.parse(session.json));
	if (stored.success) {
		// The type of the session is that of its schema.
		return stored.data as Session;
	}

	log.warn({}, 'what was stored of a conversation does not fit the session any more; starting anew');
	return bot.session.parse({}) as Session;
}

/** Says that something failed, with a reference under which log and ledger have the error. */
export async function apologise(
	error: unknown,
	{say, log, signal}: Pick<RunOptions, 'say' | 'log' | 'signal'>,
): Promise<void> {
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
