// Runs a bot for one payload.

import {randomBytes} from 'node:crypto';
import {isRunElsewhere} from '../delivery/run-expired-error.js';
import {isOverheard, type Work} from '../delivery/work.js';
import {conversationKey, type Session as StoredSession} from '../storage/session.js';
import {createPeople} from './arguments/people.js';
import type {Bot} from './bot.js';
import {createActions} from './context/actions.js';
import type {BotLog} from './context/capabilities.js';
import {openConversation} from './context/conversation.js';
import {createContext} from './context/create-context.js';
import {presentRequest} from './context/http.js';
import {type HostServices, openScope, type Scope} from './context/scope.js';
import {BotError, dispatch, handleError} from './dispatch.js';
import {runEvent} from './events.js';
import {SendError} from './failure.js';

export interface RunOptions<Session = undefined, Config = undefined> extends HostServices {
	readonly bot: Bot<Session, Config>;
	/** The account's settings for the bot. */
	readonly config: Config;
	/** The account's address. */
	readonly email: string;
	readonly work: Work;
	/** What is stored of the conversation, for a bot that keeps a session. */
	readonly session?: StoredSession | undefined;
}

/**
 * Runs the bot to its end. If a handler throws, the bot replies with a short apology and a reference; log and ledger have the
 * error under it. The apology is a normal answer, because the service shows any status but 200 to people as a failure.
 */
export async function runBot<Session, Config>(options: RunOptions<Session, Config>): Promise<void> {
	const {bot, email, work, session, log, config, now, run} = options;
	const scope = openScope(options, {bot, config, email});
	if (work.kind !== 'message' && work.kind !== 'sendFailed') {
		await runUnasked(work, bot, scope);
		return;
	}

	const payload = work.kind === 'sendFailed' ? work.answered : work.payload;
	const conversation = openConversation<Session>({
		schema: bot.session,
		json: session?.json,
		now: now(),
		place: bot.sessionPer === 'conversation' ? undefined : conversationKey(payload),
		owner: email,
		log,
	});
	const ctx = createContext(scope, {payload, conversation});

	try {
		if (work.kind === 'sendFailed') {
			await handleError(bot, new SendError(work.send, work.reason), ctx);
		} else {
			// Only a bot with answers can have asked.
			const question = bot.answers.size > 0 ? await scope.questions.find(payload) : undefined;
			const people = createPeople(scope.api, ctx.sender.id);
			const isClosedChoice = async () => bot.answers.size > 0 && scope.questions.isClosedChoice(payload, ctx.text);
			await dispatch(bot, {ctx, conversation, asked: question, isClosedChoice, people, now: now()});
		}

		await scope.endStreams();
		session?.save(conversation.save());
	} catch (error) {
		await scope.endStreams().catch(() => {});
		await apologise(error, {run, log, isSilent: isOverheard(payload)});
	}
}

/** Runs a handler for work without a message, such as a cron. Nobody would read an apology; log and ledger have the error. */
async function runUnasked<Session, Config>(
	work: Exclude<Work, {kind: 'message' | 'sendFailed'}>,
	bot: Bot<Session, Config>,
	scope: Scope<Config>,
): Promise<void> {
	const {log} = scope;
	const undeclared = (handler: string) => log.warn({handler}, 'the bot no longer declares a handler that was to run');
	try {
		// The bot may have changed since the delivery was stored.
		switch (work.kind) {
			case 'cron': {
				const {handler: name, planned} = work;
				const cron = bot.crons.get(name);
				await (cron ? cron.run(createActions(scope, {name, planned: new Date(planned)})) : undeclared(name));
				break;
			}

			case 'later': {
				const {name, planned, from, data} = work;
				const later = bot.laters.get(name);
				await (later
					? later.run(createActions(scope, {name, planned: new Date(planned), from}), later.schema.parse(data))
					: undeclared(name));
				break;
			}

			case 'reaction':
			case 'edit':
			case 'join':
				await ((await runEvent(bot, work, more => createActions(scope, more))) || undeclared(work.kind));
				break;
			case 'http': {
				const request = presentRequest(work.request);
				const http = bot.https.get(request.path);
				await (http ? http.run(createActions(scope, {request})) : undeclared(request.path));
				break;
			}

			default:
				work satisfies never;
		}

		await scope.endStreams();
	} catch (error) {
		await scope.endStreams().catch(() => {});
		if (!goesOnElsewhere(error, scope.run)) {
			scope.run.say.failed(noteFailure(error, log));
		}
	}
}

/** Says that something failed, with a reference under which log and ledger have the error. `isSilent`: nobody called the bot. */
export async function apologise(
	error: unknown,
	{run, log, isSilent = false}: Pick<HostServices, 'run' | 'log'> & {readonly isSilent?: boolean},
): Promise<void> {
	if (goesOnElsewhere(error, run)) {
		return;
	}

	const {say, signal} = run;
	const failure = noteFailure(error, log);
	say.failed(failure);
	if (!signal.aborted && !isSilent) {
		await say.reply(`Sorry, something went wrong here. (Reference: ${failure.slice(0, REFERENCE_LENGTH)})`);
	}
}

/** Another process runs the handler again, so the bot has not failed. The host logs it. */
function goesOnElsewhere(error: unknown, {signal}: HostServices['run']): boolean {
	return [causeOf(error), signal.reason].some(isRunElsewhere);
}

function causeOf(error: unknown): unknown {
	return error instanceof BotError ? error.cause : error;
}

const REFERENCE_LENGTH = 8;

/** Logs an error. Returns its text for the ledger, which begins with the reference. */
function noteFailure(error: unknown, log: BotLog): string {
	const reference = randomBytes(REFERENCE_LENGTH / 2).toString('hex');
	const cause = causeOf(error);
	log.error({reference, err: cause}, 'a bot failed');
	return `${reference} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
}
