// What a bot is: an inert value that says which handler runs for which message. Importing one does nothing.

import {z} from 'zod';
import {type Cron, checkCron} from '../queue/cron.js';
import type {Context} from './context.js';
import type {BotCron, CronHandler} from './cron.js';

/** Known by a registered symbol, so that two copies of the package agree on what a bot is. */
const BOT = Symbol.for('bothy.bot');

export type Handler<Session = undefined> = (ctx: Context<Session>) => unknown;
export type Middleware<Session = undefined> = (ctx: Context<Session>, next: () => Promise<void>) => unknown;
export type ErrorHandler<Session = undefined> = (error: Error, ctx: Context<Session>) => unknown;

export interface BotOptions {
	/** One sentence for `help`: what the bot is for. */
	readonly about: string;
	/**
	 * From the arrival of a message to the moment when its answer is posted instead of answered, in milliseconds.
	 * Default 8,000; the service waits for 10,000.
	 */
	readonly deadlineMs?: number;
	/** After this a handler is aborted, in milliseconds. Default 300,000. */
	readonly timeoutMs?: number;
	/** Handlers that run side by side in one process; further messages wait and are answered late. Default 100. */
	readonly concurrency?: number;
	/** Messages that one person may write to the bot in a minute; 0 for no limit. Default 20. */
	readonly perMinute?: number;
	/**
	 * Shape of what the bot remembers of a conversation, with a default for each field. A bot that declares it has one
	 * run at a time in a conversation; `ctx.session` is kept for a week after its last change.
	 */
	readonly session?: z.ZodType;
}

const Milliseconds = z.int().min(1);

const Options = z.object({
	about: z.string().trim().min(1, 'expected one sentence on what the bot is for'),
	deadlineMs: Milliseconds.max(9_500, 'the service waits for 10,000').default(8_000),
	timeoutMs: Milliseconds.default(300_000),
	concurrency: z.int().min(1).default(100),
	perMinute: z.int().min(0).default(20),
	session: z.instanceof(z.ZodType).optional(),
});

export interface CommandOptions<Args extends z.ZodObject = z.ZodObject> {
	/** One sentence for `help`. */
	readonly about: string;
	/** The words behind the command: keys in order are positions, the last string takes the rest of the line. */
	readonly args?: Args;
}

export interface Command<Session = undefined> {
	readonly name: string;
	readonly about: string;
	readonly args: z.ZodObject | undefined;
	readonly run: (ctx: Context<Session>, args: Record<string, unknown>) => unknown;
}

export interface Listener<Session = undefined> {
	readonly pattern: RegExp;
	readonly run: (ctx: Context<Session>, match: RegExpMatchArray) => unknown;
}

/**
 * Says what a bot does. Each method adds to the bot and gives it back.
 *
 * A message goes to the first that matches: command (its first word), `hears` in order, `on(trigger)`, built-in help.
 */
export class Bot<Session = undefined> {
	readonly [BOT] = 1;
	readonly about: string;
	readonly middleware: Middleware<Session>[] = [];
	readonly commands = new Map<string, Command<Session>>();
	readonly listeners: Listener<Session>[] = [];
	readonly triggers = new Map<string, Handler<Session>>();
	readonly errorHandlers: ErrorHandler<Session>[] = [];
	readonly crons = new Map<string, BotCron>();

	/** What the host keeps to for this bot: `BotOptions` with their defaults. */
	readonly rules: Omit<z.infer<typeof Options>, 'about' | 'session'> & {readonly hasSession: boolean};
	readonly session: z.ZodType | undefined;

	constructor(options: BotOptions) {
		const parsed = Options.safeParse(options);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			throw new TypeError(`bot({${issue?.path.join('.') ?? ''}}): ${issue?.message}`);
		}

		const {about, session, ...rules} = parsed.data;
		this.about = about;
		this.session = session;
		this.rules = {...rules, hasSession: session !== undefined};
	}

	/** Adds a function around every handler; it calls `next()` once, or leaves it out to stop there. */
	use(middleware: Middleware<Session>): this {
		this.middleware.push(middleware);
		return this;
	}

	/**
	 * Runs when `name` is the first word of a message.
	 *
	 * @throws TypeError when the name is no single word, or declared twice.
	 */
	command(name: string, options: {readonly about: string; readonly args?: undefined}, run: Handler<Session>): this;
	command<Args extends z.ZodObject>(
		name: string,
		options: CommandOptions<Args>,
		run: (ctx: Context<Session>, args: z.output<Args>) => unknown,
	): this;
	command(
		name: string,
		{about, args}: {readonly about: string; readonly args?: z.ZodObject | undefined},
		run: (ctx: Context<Session>, args: Record<string, unknown>) => unknown,
	): this {
		if (!/^\S+$/.test(name)) {
			throw new TypeError(`Expected a command of one word, got "${name}"`);
		}

		const key = name.toLowerCase();
		if (this.commands.has(key)) {
			throw new TypeError(`Expected each command once, got "${name}" again`);
		}

		this.commands.set(key, {name, about, args, run});
		return this;
	}

	/** Runs when `pattern` is found in the text. The match is handed over. */
	hears(pattern: RegExp, run: (ctx: Context<Session>, match: RegExpMatchArray) => unknown): this {
		// A pattern with `g` or `y` remembers where it stopped, which must not leak from one message to the next.
		this.listeners.push({pattern: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')), run});
		return this;
	}

	/** Runs for every message of that trigger that nothing else took: `mention`, `direct_message`, or one unknown to us. */
	on(trigger: 'mention' | 'direct_message' | (string & {}), run: Handler<Session>): this {
		if (this.triggers.has(trigger)) {
			throw new TypeError(`Expected each trigger once, got "${trigger}" again`);
		}

		this.triggers.set(trigger, run);
		return this;
	}

	/**
	 * Runs at each due time of a cron pattern, once for each account that has this bot, however many hosts there are; not
	 * while the run before it still goes on.
	 *
	 * @throws RangeError for what is no pattern or zone, TypeError when the name is declared twice.
	 * @example
	 * bot({about: 'Says good morning'}).cron('morning', {pattern: '0 9 * * 1-5', tz: 'Europe/Berlin', missed: 'once'}, ctx =>
	 * 	ctx.send({channel: 'general', topic: 'today'}, 'Good morning'));
	 */
	cron(name: string, cron: Cron, run: CronHandler): this {
		if (this.crons.has(name)) {
			throw new TypeError(`Expected each cron once, got "${name}" again`);
		}

		this.crons.set(name, {cron: checkCron(cron), run});
		return this;
	}

	/** Runs when a handler throws; without it the person gets a short apology with a reference. */
	catch(run: ErrorHandler<Session>): this {
		this.errorHandlers.push(run);
		return this;
	}
}

/**
 * Declares a bot.
 *
 * @example
 * export default bot({about: 'Says hello'})
 * 	.command('hello', {about: 'Get a greeting'}, ctx => ctx.reply(`Hello, ${ctx.sender.name}`));
 */
export function bot<Session extends z.ZodType>(
	options: BotOptions & {readonly session: Session},
): Bot<z.output<Session>>;
export function bot(options: BotOptions & {readonly session?: undefined}): Bot;
export function bot(options: BotOptions): object {
	return new Bot(options);
}
