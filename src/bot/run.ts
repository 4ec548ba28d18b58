// Runs a bot for one payload.

import {randomBytes} from 'node:crypto';
import type {Payload} from '../api/index.js';
import type {Client} from '../client/client.js';
import {type FetchOnce, fetchPatiently} from '../client/fetch.js';
import type {Outbound} from '../delivery/run.js';
import {HostStoppingError} from '../delivery/run-expired-error.js';
import {readWork, type Work} from '../delivery/work.js';
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
import {SendError} from './failure.js';
import {presentRequest} from './http.js';
import {createPeople} from './people.js';
import {createQuestions} from './questions.js';

export interface RunOptions<Session = undefined, Config = undefined> {
	readonly bot: Bot<Session, Config>;
	/** The account's settings for the bot. */
	readonly config: Config;
	readonly payload: Payload;
	readonly say: Outbound;
	/** The stored session, if the bot has one. */
	readonly session?: StoredSession | undefined;
	/** The account's schedules. */
	readonly schedules: AccountSchedules;
	/** `ctx.storage` of the account. */
	readonly values: Values;
	/** Client of the account. Undefined without an API key. */
	readonly client: Client | undefined;
	/** Resolves with the ID of a send's message, once it is posted. */
	sent(id: string): Promise<number>;
	readonly log: BotLog;
	readonly signal: AbortSignal;
	/** Milliseconds since 1970. */
	now(): number;
	/** Open questions to other people. */
	readonly questions: Values;
	/** ID of the delivery, and the number of this run. */
	readonly delivery: {readonly id: string; readonly run: number};
	/** Makes one call to another HTTP API, without retries. */
	readonly fetchOnce: FetchOnce;
	/** Whether the account can read its own messages there. */
	sees(target: Target): Promise<'sees' | 'blind' | 'unsure'>;
	/** Undefined if this host stores no drafts. */
	readonly drafts?: ((account: string) => Drafts) | undefined;
}

/**
 * Runs the bot to its end. If a handler throws, the bot replies with a short apology and a reference; log and ledger have the
 * error under it. The apology is a normal answer, because the service shows any status but 200 to people as a failure.
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
			// Only a bot with `.answer()` can have asked.
			const asked = bot.answers.size > 0 ? await questions.find(payload) : undefined;
			await dispatch(bot, {ctx, conversation, asked, people: createPeople(api, ctx.sender.id), now: now()});
		}

		await endStreams();
		session?.save(conversation.save());
	} catch (error) {
		await endStreams().catch(() => {});
		await apologise(error, options);
	}
}

function expectClient(client: Client | undefined): Client {
	if (!client) {
		throw new Error("Expected the account's API key in the config file (`key`), found none: ctx.api needs it");
	}

	return client;
}

/** Refuses writes when the run is over. */
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

/** Runs a handler that no person caused. There is no apology; log and ledger have the error. */
async function runUnasked<Session, Config>(
	work: Exclude<Work, {kind: 'message' | 'sendFailed'}>,
	options: Unasked<Session, Config>,
): Promise<void> {
	const {bot, say, log} = options;
	const undeclared = (handler: string) =>
		log.warn({handler}, 'the bot no longer declares the handler of a stored delivery; skipping it');
	try {
		// The bot may have changed since the delivery was stored.
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

/** `api` and `signal` stay getters, because few handlers use them. */
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

/** Replies with an apology and a reference; log and ledger have the error under it. */
export async function apologise(
	error: unknown,
	{say, log, signal}: Pick<RunOptions, 'say' | 'log' | 'signal'>,
): Promise<void> {
	// A stop of the host is not a failure of the bot; the host logs it once for all handlers.
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

/** Logs an error. Returns its text for the ledger, which begins with the reference. */
function noteFailure(error: unknown, log: BotLog): string {
	const reference = randomBytes(REFERENCE_LENGTH / 2).toString('hex');
	const cause = error instanceof BotError ? error.cause : error;
	log.error({reference, err: cause}, 'a bot failed');
	return `${reference} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
}
