// A bot is an inert value: it says which handler runs for which message. Importing a bot has no effect.

import {z} from 'zod';
import {type Cron, checkCron} from '../queue/cron.js';
import type {Context} from './context.js';
import type {BotCron, CronHandler} from './cron.js';

/** A registered symbol, so that two copies of the package agree on what a bot is. */
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

/** Roles of the service, the most powerful first. Each includes those after it. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member';

export interface BotOptions {
	/** What the bot is for, in one sentence. `help` shows it. */
	readonly about: string;
	/**
	 * How long the webhook may wait for replies, in milliseconds. Later replies are posted over the API. Default 8,000, at most
	 * 9,500: the service gives up after 10,000.
	 */
	readonly deadlineMs?: number;
	/** How long a handler may run, in milliseconds. Then `ctx.signal` aborts. Default 300,000. */
	readonly timeoutMs?: number;
	/** How many handlers run at the same time in one process. Other messages wait, and may be answered late. Default 100. */
	readonly concurrency?: number;
	/** How many messages a person may send the bot in a minute; 0 for no limit. Default 20. */
	readonly perMinute?: number;
	/**
	 * Schema of what the bot remembers of a conversation (`ctx.session`), with a default for each field. A bot with a session handles
	 * one message of a conversation at a time. Bothy deletes a session a week after its last change.
	 */
	readonly session?: z.ZodType;
	/**
	 * Schema of the settings (`ctx.config`) that an account makes for the bot, as `config.<key>` in its section of the config file.
	 * Texts are converted to numbers and booleans. A value that does not fit stops the start.
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
	/** What the command does, in one sentence. `help` shows it. */
	readonly about: string;
	/** Schema of the words after the command: the keys in order are positions; the last string takes the rest of the line. */
	readonly args?: Args;
	/** Who may run it. `help` hides it from everybody else. Bothy looks the role up with the account's API key. */
	readonly role?: Role;
	/** A question to ask first. The command runs if the same person answers yes. */
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

/** The handler of an answer. */
export interface Answer<Session = undefined, Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: (ctx: Context<Session, Config>, answer: unknown) => unknown;
}

/**
 * Declares what a bot does. Each method adds to the bot and returns it.
 *
 * A message goes to the first that matches: an open question, a command (its first word), `hears` in order of declaration,
 * `on(trigger)`, the built-in help.
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
	 * The limits of this bot: `BotOptions` with their defaults. A bot that asks questions has a session, since they are stored there.
	 */
	get rules() {
		const asks = this.answers.size > 0 || [...this.commands.values()].some(({confirm}) => confirm !== undefined);
		return {...this.#rules, hasSession: this.session !== undefined || asks};
	}

	/**
	 * Adds a middleware: a function around every handler except those of `.cron()`. It calls `next()` once, or not at all to stop there.
	 *
	 * @throws Error if it calls `next()` twice.
	 * @example
	 * bot({about: 'Echoes'})
	 * 	.use(async (ctx, next) => {
	 * 		const start = performance.now();
	 * 		await next();
	 * 		ctx.log.info({ms: performance.now() - start}, 'handled');
	 * 	})
	 * 	.on('mention', ctx => ctx.reply(ctx.quote(ctx.text)));
	 */
	use(middleware: Middleware<Session, Config>): this {
		this.middleware.push(middleware);
		return this;
	}

	/**
	 * Adds a command: it runs if `name` is the first word of a message, in upper or lower case. Arguments that do not fit get one reply
	 * with the usage.
	 *
	 * @throws TypeError if the name is not a single word or is declared twice, or an argument has no schema.
	 * @example
	 * bot({about: 'Adds'}).command(
	 * 	'add',
	 * 	{about: 'Add two numbers', args: z.object({a: z.number(), b: z.number().default(1)})},
	 * 	(ctx, {a, b}) => ctx.reply(String(a + b)),
	 * );
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
	 * Handles the answer to `ctx.ask(name, …)`. The schema parses the text, so use `z.coerce.number()` for a number. If the answer does
	 * not fit, the bot asks again.
	 *
	 * @throws TypeError if the name is declared twice.
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

	/**
	 * Runs if the pattern matches the text. The handler gets the match.
	 *
	 * @example
	 * bot({about: 'Is polite'}).hears(/\bthanks?\b/i, ctx => ctx.reply('You are welcome.'));
	 */
	hears(pattern: RegExp, run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => unknown): this {
		// A pattern with `g` or `y` remembers where it stopped, which must not leak from one message to the next.
		this.listeners.push({pattern: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')), run});
		return this;
	}

	/**
	 * Runs for the messages of a trigger that nothing else handles: `mention`, `direct_message`, or another that the service sends.
	 *
	 * @throws TypeError if the trigger is declared twice.
	 * @example
	 * bot({about: 'Echoes'}).on('direct_message', ctx => ctx.reply(ctx.quote(ctx.text)));
	 */
	on(trigger: 'mention' | 'direct_message' | (string & {}), run: Handler<Session, Config>): this {
		if (this.triggers.has(trigger)) {
			throw new TypeError(`Expected each trigger once, got "${trigger}" again`);
		}

		this.triggers.set(trigger, run);
		return this;
	}

	/**
	 * Runs at each due time of a cron pattern, once for each account of this bot, however many hosts run. A due time is skipped while
	 * the run before it still goes on.
	 *
	 * @throws RangeError if the pattern or the time zone is invalid, TypeError if the name is declared twice.
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
	 * Handles errors that a handler throws. Without it, the person gets a short apology with a reference. It also runs, with a
	 * `SendError`, if a message could not be posted after its handler had ended.
	 *
	 * @example
	 * bot({about: 'Fails politely'})
	 * 	.command('fail', {about: 'Fail'}, () => {
	 * 		throw new Error('out of paper');
	 * 	})
	 * 	.catch((error, ctx) => ctx.reply(`Sorry: ${error.message}`));
	 */
	catch(run: ErrorHandler<Session, Config>): this {
		this.errorHandlers.push(run);
		return this;
	}
}

/**
 * Declares a bot. Export it as the default export of a file in `bots/`.
 *
 * @throws TypeError if an option is invalid.
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
