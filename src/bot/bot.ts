// What a bot is: an inert value that says which handler runs for which message. Importing one does nothing.

import {z} from 'zod';
import {type Cron, checkCron} from '../queue/cron.js';
import type {Context} from './context.js';
import type {BotCron, CronHandler} from './cron.js';

/** Known by a registered symbol, so that two copies of the package agree on what a bot is. */
const BOT = Symbol.for('bothy.bot');

export type Handler<Session = undefined, Config = undefined> = (ctx: Context<Session, Config>) => unknown;
export type Middleware<Session = undefined, Config = undefined> = (
	ctx: Context<Session, Config>,
	next: () => Promise<void>,
) => unknown;
export type ErrorHandler<Session = undefined, Config = undefined> = (
	error: Error,
	ctx: Context<Session, Config>,
) => unknown;

/** Roles of the service, the mightiest first; each may do what those behind it may. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member';

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
	/**
	 * What an account may set for the bot: `config.<key>` in its section of the config file. Numbers and booleans are read
	 * from the text that stands there. What does not fit stops the start.
	 */
	readonly config?: z.ZodObject;
}

const Milliseconds = z.int().min(1);

const Options = z.object({
	about: z.string().trim().min(1, 'expected one sentence on what the bot is for'),
	deadlineMs: Milliseconds.max(9_500, 'the service waits for 10,000').default(8_000),
	timeoutMs: Milliseconds.default(300_000),
	concurrency: z.int().min(1).default(100),
	perMinute: z.int().min(0).default(20),
	session: z.instanceof(z.ZodType).optional(),
	config: z.instanceof(z.ZodObject).optional(),
});

export interface CommandOptions<Args extends z.ZodObject = z.ZodObject> {
	/** One sentence for `help`. */
	readonly about: string;
	/** The words behind the command: keys in order are positions, the last string takes the rest of the line. */
	readonly args?: Args;
	/** Who may run it; for everybody else it is not there. Needs the account's API key, with which the role is asked for. */
	readonly role?: Role;
	/** Asked before it runs; it runs when the same person answers yes. */
	readonly confirm?: string;
}

export interface Command<Session = undefined, Config = undefined> extends Omit<CommandOptions, 'args'> {
	readonly name: string;
	readonly args: z.ZodObject | undefined;
	readonly run: (ctx: Context<Session, Config>, args: Record<string, unknown>) => unknown;
}

export interface Listener<Session = undefined, Config = undefined> {
	readonly pattern: RegExp;
	readonly run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => unknown;
}

/** What follows the answer to a question. */
export interface Answer<Session = undefined, Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: (ctx: Context<Session, Config>, answer: unknown) => unknown;
}

/**
 * Says what a bot does. Each method adds to the bot and gives it back.
 *
 * A message goes to the first that matches: the answer to a question that waits, command (its first word), `hears` in
 * order, `on(trigger)`, built-in help.
 */
export class Bot<Session = undefined, Config = undefined> {
	readonly [BOT] = 1;
	readonly about: string;
	readonly middleware: Middleware<Session, Config>[] = [];
	readonly commands = new Map<string, Command<Session, Config>>();
	readonly listeners: Listener<Session, Config>[] = [];
	readonly triggers = new Map<string, Handler<Session, Config>>();
	readonly errorHandlers: ErrorHandler<Session, Config>[] = [];
	readonly answers = new Map<string, Answer<Session, Config>>();
	readonly crons = new Map<string, BotCron<Config>>();
	readonly session: z.ZodType | undefined;
	readonly config: z.ZodObject | undefined;
	readonly #rules: Omit<z.infer<typeof Options>, 'about' | 'session' | 'config'>;

	constructor(options: BotOptions) {
		const parsed = Options.safeParse(options);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			throw new TypeError(`bot({${issue?.path.join('.') ?? ''}}): ${issue?.message}`);
		}

		const {about, session, config, ...rules} = parsed.data;
		this.about = about;
		this.session = session;
		this.config = config;
		this.#rules = rules;
	}

	/**
	 * What the host keeps to for this bot: `BotOptions` with their defaults. Who asks questions remembers them as part of the
	 * conversation.
	 */
	get rules() {
		const asks = this.answers.size > 0 || [...this.commands.values()].some(({confirm}) => confirm !== undefined);
		return {...this.#rules, hasSession: this.session !== undefined || asks};
	}

	/** Adds a function around every handler; it calls `next()` once, or leaves it out to stop there. */
	use(middleware: Middleware<Session, Config>): this {
		this.middleware.push(middleware);
		return this;
	}

	/**
	 * Runs when `name` is the first word of a message.
	 *
	 * @throws TypeError when the name is no single word, or declared twice, or when an argument has no schema.
	 */
	command(
		name: string,
		options: Omit<CommandOptions, 'args'> & {readonly args?: undefined},
		run: Handler<Session, Config>,
	): this;
	command<Args extends z.ZodObject>(
		name: string,
		options: CommandOptions<Args>,
		run: (ctx: Context<Session, Config>, args: z.output<Args>) => unknown,
	): this;
	command(
		name: string,
		options: Omit<CommandOptions, 'args'> & {readonly args?: z.ZodObject | undefined},
		run: (ctx: Context<Session, Config>, args: Record<string, unknown>) => unknown,
	): this {
		if (!/^\S+$/.test(name)) {
			throw new TypeError(`Expected a command of one word, got "${name}"`);
		}

		const key = name.toLowerCase();
		if (this.commands.has(key)) {
			throw new TypeError(`Expected each command once, got "${name}" again`);
		}

		// Zod would say so only when somebody uses the command.
		const [argument] =
			Object.entries(options.args?.def.shape ?? {}).find(([, field]) => !(field instanceof z.ZodType)) ?? [];
		if (argument !== undefined) {
			throw new TypeError(`Expected a zod schema for the argument "${argument}" of the command "${name}"`);
		}

		this.commands.set(key, {...options, name, args: options.args, run});
		return this;
	}

	/**
	 * Runs for the answer to `ctx.ask(name, …)`, read by `schema`; what does not fit is asked for again. One that is a number
	 * takes text: `z.coerce.number()`.
	 *
	 * @throws TypeError when the name is declared twice.
	 * @example
	 * bot({about: 'Counts', session: z.object({limit: z.int().default(5)})})
	 * 	.command('limit', {about: 'Change your limit'}, ctx => ctx.ask('limit', 'How many a day?'))
	 * 	.answer('limit', z.coerce.number().int().max(9), (ctx, limit) => {
	 * 		ctx.session.limit = limit;
	 * 	});
	 */
	answer<Schema extends z.ZodType>(
		name: string,
		schema: Schema,
		run: (ctx: Context<Session, Config>, answer: z.output<Schema>) => unknown,
	): this {
		if (this.answers.has(name)) {
			throw new TypeError(`Expected each answer once, got "${name}" again`);
		}

		// The schema that reads an answer is the one that its type comes from.
		this.answers.set(name, {schema, run: run as Answer<Session, Config>['run']});
		return this;
	}

	/** Runs when `pattern` is found in the text. The match is handed over. */
	hears(pattern: RegExp, run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => unknown): this {
		// A pattern with `g` or `y` remembers where it stopped, which must not leak from one message to the next.
		this.listeners.push({pattern: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')), run});
		return this;
	}

	/** Runs for every message of that trigger that nothing else took: `mention`, `direct_message`, or one unknown to us. */
	on(trigger: 'mention' | 'direct_message' | (string & {}), run: Handler<Session, Config>): this {
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
	cron(name: string, cron: Cron, run: CronHandler<Config>): this {
		if (this.crons.has(name)) {
			throw new TypeError(`Expected each cron once, got "${name}" again`);
		}

		this.crons.set(name, {cron: checkCron(cron), run});
		return this;
	}

	/**
	 * Runs when a handler throws; without it the person gets a short apology with a reference. It runs too, with a
	 * `SendError`, when something that a handler said could not be posted after it had ended.
	 */
	catch(run: ErrorHandler<Session, Config>): this {
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
export function bot<
	Session extends z.ZodType = z.ZodUndefined,
	Config extends z.ZodObject | z.ZodUndefined = z.ZodUndefined,
>(
	options: Omit<BotOptions, 'session' | 'config'> & {readonly session?: Session; readonly config?: Config},
): Bot<z.output<Session>, z.output<Config>> {
	return new Bot(options as BotOptions);
}
