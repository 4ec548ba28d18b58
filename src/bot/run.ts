// Runs a bot for one payload; what it says goes to the delivery.

import {randomBytes} from 'node:crypto';
import type {Payload} from '../api/index.js';
import type {Client} from '../client/client.js';
import {type FetchOnce, fetchPatiently} from '../client/fetch.js';
import type {Outbound} from '../delivery/run.js';
import {HostStoppingError} from '../delivery/run-expired-error.js';
import {isUnasked, readWork, type Work} from '../delivery/work.js';
import type {Target} from '../queue/sends.js';
import type {AccountSchedules} from '../schedules/schedules.js';
import {conversationKey, type Session as StoredSession} from '../storage/session.js';
import type {Values} from '../storage/values.js';
import {createActions, type Effects} from './actions.js';
import type {Bot} from './bot.js';
import type {Actions, BotLog} from './context.js';
import {openConversation} from './conversation.js';
import {createContext} from './create-context.js';
import {BotError, dispatch, handleError} from './dispatch.js';
import {type Drafts, UnknownAccount} from './drafts.js';
import {runEvent} from './events.js';
import {SendError} from './failure.js';
import {presentRequest} from './http.js';
import {createPeople} from './people.js';
import {createQuestions} from './questions.js';

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
	/** Questions to others that wait for their answers. */
	readonly questions: Values;
	/** Id of the delivery, and which of its runs this is. */
	readonly delivery: {readonly id: string; readonly run: number};
	/** Calls another HTTP API once. */
	readonly fetchOnce: FetchOnce;
	/** Whether the account can read back what it posts there. */
	sees(target: Target): Promise<'sees' | 'blind' | 'unsure'>;
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
	const {questions: stored, delivery} = options;
	const questions = createQuestions({values: stored, delivery: delivery.id, now});
	const streams: (() => Promise<void>)[] = [];
	const effects: Effects = {
		...say,
		schedules,
		values,
		questions,
		api,
		now,
		sent: id => options.sent(id),
		drafts: account => draftsWhileRunning(options, account),
		fetch: (url, init) => fetchPatiently(options.fetchOnce, url, {...init, signal: options.signal}),
		sees: target => options.sees(target),
		isRerun: delivery.run > 1,
		get signal() {
			return options.signal;
		},
	};
	const endStreams = async () => {
		for (const end of streams) {
			await end();
		}
	};
	const onStream = (end: () => Promise<void>) => streams.push(end);
	const work = readWork(payload);
	if (work.kind !== 'message' && work.kind !== 'sendFailed') {
		await runUnasked(work, {...options, effects, onStream, endStreams});
		return;
	}

	const conversation = openConversation<Session>({
		schema: bot.session,
		json: session?.json,
		now: now(),
		place: bot.rules.sessionPer === 'conversation' ? undefined : conversationKey(payload),
		owner: payload.bot_email,
		log,
	});
	const ctx = createContext({
		conversation,
		bot,
		payload: work.kind === 'sendFailed' ? work.answered : work.payload,
		log,
		config,
		effects,
		onStream,
	});

	try {
		if (work.kind === 'sendFailed') {
			await handleError(bot, new SendError(work.send, work.reason), ctx);
		} else {
			// Only a bot that takes answers can have asked.
			const asked = bot.answers.size > 0 ? await questions.find(payload) : undefined;
			await dispatch(bot, {ctx, conversation, asked, people: createPeople(api, ctx.sender.id), now: now()});
		}

		await endStreams();
		session?.save(conversation.save());
	} catch (error) {
		await endStreams().catch(() => {});
		await apologise(error, {...options, isSilent: isUnasked(payload)});
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

type Unasked<Session, Config> = RunOptions<Session, Config> & {
	readonly effects: Effects;
	onStream(end: () => Promise<void>): void;
	endStreams(): Promise<void>;
};

/** Runs a handler that nobody has asked for. Nobody reads an apology: log and ledger have the error. */
async function runUnasked<Session, Config>(
	work: Exclude<Work, {kind: 'message' | 'sendFailed'}>,
	options: Unasked<Session, Config>,
): Promise<void> {
	const {bot, say, log} = options;
	const undeclared = (handler: string) => log.warn({handler}, 'the bot no longer declares a handler that was to run');
	try {
		// The bot may have changed since.
		switch (work.kind) {
			case 'cron':
				await bot.crons.get(work.handler)?.run(withActions(options, {name: work.handler, planned: work.planned}));
				break;
			case 'later': {
				const {name, planned, from, data} = work;
				const later = bot.laters.get(name);
				await (later
					? later.run(withActions(options, {name, planned, from}), later.schema.parse(data))
					: undeclared(name));
				break;
			}

			case 'reaction':
			case 'edit':
			case 'join':
				await ((await runEvent(bot, work, more => withActions(options, more))) || undeclared(work.kind));
				break;
			default: {
				const request = presentRequest(work.request);
				const http = bot.https.get(request.path);
				await (http ? http.run(withActions(options, {request})) : undeclared(request.path));
			}
		}

		await options.endStreams();
	} catch (error) {
		await options.endStreams().catch(() => {});
		say.failed(noteFailure(error, log));
	}
}

/** Getters stay getters: few handlers look at `api` and `signal`. */
function withActions<Session, Config, More extends object>(
	{bot, payload, effects, log, config, onStream}: Omit<Unasked<Session, Config>, 'endStreams'>,
	more: More,
): Actions<Config> & More {
	const actions = createActions({effects, laters: bot.laters, log, config, email: payload.bot_email, onStream});
	return {
		...actions,
		...more,
		get api() {
			return effects.api();
		},
		get signal() {
			return effects.signal;
		},
	};
}

/** Says that something failed, with a reference under which log and ledger have the error; `isSilent` if nobody called the bot. */
export async function apologise(
	error: unknown,
	{say, log, signal, isSilent = false}: Pick<RunOptions, 'say' | 'log' | 'signal'> & {readonly isSilent?: boolean},
): Promise<void> {
	// A stop is no failure of the bot: its host says so once for all.
	if (signal.reason instanceof HostStoppingError) {
		return;
	}

	const failure = noteFailure(error, log);
	say.failed(failure);
	if (!signal.aborted && !isSilent) {
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
