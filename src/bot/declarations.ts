// What a bot may declare: handlers, and what they run for.

import type {z} from '../api/zod.js';
import type {Asked, Context} from './context/context.js';
import type {EventHandlers} from './events.js';
import type {Returned} from './returned.js';

/** Runs for a message. */
export type Handler<Session = undefined, Config = undefined> = (ctx: Context<Session, Config>) => Returned;
/** Runs around every handler. Call `next()` once to go on, or leave it out to stop there. */
export type Middleware<Session = undefined, Config = undefined> = (
	ctx: Context<Session, Config>,
	next: () => Promise<void>,
) => Returned;
/** Runs when a handler throws. */
export type ErrorHandler<Session = undefined, Config = undefined> = (
	error: Error,
	ctx: Context<Session, Config>,
) => Returned;

/**
 * Why a bot runs for a message. `channel_message`: a message without a mention of the bot, in a channel to which the bot is
 * subscribed. Needs an account with `receive = events`.
 */
export type Trigger = 'mention' | 'direct_message' | 'channel_message';

export const TRIGGERS: readonly string[] = ['mention', 'direct_message', 'channel_message'] satisfies Trigger[];

/** Handlers by trigger. */
export type TriggerHandlers<Session, Config> = Readonly<Record<Trigger, Handler<Session, Config>>> &
	EventHandlers<Config>;

/** Roles of the service, the most powerful first. Each includes those after it. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member';

/** Options of a command. */
export interface CommandOptions<Args extends z.ZodObject = z.ZodObject> {
	/** What the command does, in one sentence. `help` shows it. */
	readonly about: string;
	/**
	 * Schema of the words after the command. Words fill the keys in order; `--key value` sets one by name. A string as the last
	 * key takes the rest of the line. A list (`z.array()`) as the last key takes all remaining words; elsewhere it takes
	 * comma-separated words. A boolean with a default is a flag: `--key`, `--no-key`.
	 */
	readonly args?: Args;
	/** Other names of the command, such as `rm` for `remove`. `help` does not list them. */
	readonly aliases?: readonly string[];
	/** Who may run it. `help` hides it from others, and the bot refuses to run it for them. Needs the account's API key, to look up the role. */
	readonly role?: Role;
	/** A question to ask first. The command runs if the same person answers yes. */
	readonly confirm?: string;
}

/** A command as a bot keeps it. */
export interface Command<Session = undefined, Config = undefined> extends Omit<CommandOptions, 'args'> {
	readonly name: string;
	readonly args: z.ZodObject | undefined;
	readonly run: (ctx: Context<Session, Config>, args: Record<string, unknown>) => Returned;
}

/** A pattern that a bot listens for. */
export interface Listener<Session = undefined, Config = undefined> {
	/** Matches a text. Its name contains the pattern, so the watchdog's stack shows a pattern that takes too long. */
	readonly match: (text: string) => RegExpMatchArray | null;
	readonly run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => Returned;
}

/** Runs for the answer to a question. */
export type AnswerHandler<Session, Config, Value, Data = unknown> = (
	ctx: Context<Session, Config>,
	answer: Value,
	asked: Asked<Data>,
) => Returned;

/** Options of `.answer()`. */
export interface AnswerOptions<Data extends z.ZodType = z.ZodType> {
	/** Schema of the `data` of `ctx.ask()`. It checks the data before the handler runs, and gives it its type. */
	readonly data: Data;
}

/** The handler of an answer, as a bot keeps it. */
export interface Answer<Session = undefined, Config = undefined> {
	readonly schema: z.ZodType;
	readonly data?: z.ZodType | undefined;
	readonly run: AnswerHandler<Session, Config, unknown>;
}
