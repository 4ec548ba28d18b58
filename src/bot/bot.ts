// A bot is an inert value: it says which handler runs for which message. Importing a bot has no effect.

import {z} from 'zod';
import {type Cron, checkCron} from '../queue/cron.js';
import type {Jsonable} from '../storage/json.js';
import {checkArguments} from './arguments.js';
import type {Asked, Context} from './context.js';
import type {BotCron, CronHandler} from './cron.js';
import {EVENTS, type EventHandlers} from './events.js';
import {type BotHttp, type HttpHandler, type HttpOptions, VERIFICATIONS} from './http.js';
import type {BotLater, LaterHandler} from './later.js';
import type {Returned} from './returned.js';

/** A registered symbol, so that two copies of the package agree on what a bot is. */
const BOT = Symbol.for('bothy.bot');

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

const TRIGGERS: readonly string[] = ['mention', 'direct_message', 'channel_message'] satisfies Trigger[];

/** Handlers by trigger. */
export type TriggerHandlers<Session, Config> = Readonly<Record<Trigger, Handler<Session, Config>>> &
	EventHandlers<Config>;

/**
 * The context of a bot's handlers, for functions of your own.
 *
 * @example
 * const lunch = bot({about: 'Counts orders', session: z.object({orders: z.int().default(0)})});
 *
 * function order(ctx: ContextOf<typeof lunch>) {
 * 	ctx.session.orders++;
 * }
 */
export type ContextOf<B> = B extends Module<infer Session, infer Config> ? Context<Session, Config> : never;

/** Roles of the service, the most powerful first. Each includes those after it. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member';

/** Whose `ctx.session` is: one for each conversation, for each person wherever they write, or one for the whole bot. */
export type SessionPer = 'conversation' | 'person' | 'bot';

/** Options of `bot()`. */
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
	 * Shape of what the bot remembers, with a default for each field. JSON must carry its values. A bot that declares it
	 * handles one message at a time in each session; `ctx.session` is kept for a week after its last change.
	 */
	readonly session?: z.ZodType;
	/** Whose the session is: `conversation`, `person` or `bot`. Default `conversation`. */
	readonly sessionPer?: SessionPer;
	/**
	 * What an account may set for the bot: `config.<key>` in its section of the config file, `bots/<name>.config.json` for
	 * local bots, or the environment (`BOTHY_CONFIG_<NAME>_<KEY>`). Numbers and booleans are read from the text there.
	 */
	readonly config?: z.ZodObject;
}

const Milliseconds = z.int().min(1);

const Options = z.object({
	about: z
		.string('expected one sentence on what the bot is for')
		.trim()
		.min(1, 'expected one sentence on what the bot is for'),
	deadlineMs: Milliseconds.max(9_500, 'the service waits for 10,000').default(8_000),
	timeoutMs: Milliseconds.default(300_000),
	concurrency: z.int().min(1).default(100),
	perMinute: z.int().min(0).default(20),
	session: z.instanceof(z.ZodType).optional(),
	sessionPer: z.enum(['conversation', 'person', 'bot']).default('conversation'),
	config: z.instanceof(z.ZodObject).optional(),
});

/** Options of a command. */
export interface CommandOptions<Args extends z.ZodObject = z.ZodObject> {
	/** What the command does, in one sentence. `help` shows it. */
	readonly about: string;
	/**
	 * The words behind the command: keys in order are positions, `--key value` names one, the last string takes the rest of
	 * the line. A list (`z.array()`) takes all remaining words as the last field, and words with commas between them elsewhere. A
	 * boolean with a default is a flag: `--key`, `--no-key`.
	 */
	readonly args?: Args;
	/** Other names of the command, such as `rm` for `remove`. `help` does not list them. */
	readonly aliases?: readonly string[];
	/** Who may run it; for everybody else it is not there. Needs the account's API key, with which the role is asked for. */
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
	readonly pattern: RegExp;
	readonly run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => Returned;
}

/** The handler of an answer. */
export interface Answer<Session = undefined, Config = undefined> {
	readonly schema: z.ZodType;
	readonly run: (ctx: Context<Session, Config>, answer: unknown, asked: Asked) => Returned;
}

/** What a module declares; one that needs less fits wherever there is more. */
export type Declarations<Session, Config> = Pick<
	Module<Session, Config>,
	| 'middleware'
	| 'commands'
	| 'aliases'
	| 'listeners'
	| 'triggers'
	| 'events'
	| 'errorHandlers'
	| 'answers'
	| 'crons'
	| 'laters'
	| 'https'
>;

/**
 * Commands, handlers and middleware without a bot: what several bots share. `bot.use(module)` adds all of it, as if it
 * were written there.
 */
export class Module<Session = undefined, Config = undefined> {
	readonly middleware: Middleware<Session, Config>[] = [];
	// By their names in small letters.
	readonly commands = new Map<string, Command<Session, Config>>();
	// Names in small letters, of the commands that they stand for.
	readonly aliases = new Map<string, string>();
	readonly listeners: Listener<Session, Config>[] = [];
	readonly triggers = new Map<Trigger, Handler<Session, Config>>();
	readonly events: Partial<EventHandlers<Config>> = {};
	readonly errorHandlers: ErrorHandler<Session, Config>[] = [];
	readonly answers = new Map<string, Answer<Session, Config>>();
	readonly crons = new Map<string, BotCron<Config>>();
	readonly laters = new Map<string, BotLater<Config>>();
	// By path.
	readonly https = new Map<string, BotHttp<Config>>();

	/**
	 * Adds a function around every handler, or all that a module has. A function calls `next()` once, or leaves it out to
	 * stop there.
	 *
	 * @throws TypeError when the module declares what is declared here already.
	 * @example
	 * bot({about: 'Echoes'})
	 * 	.use(async (ctx, next) => {
	 * 		const start = performance.now();
	 * 		await next();
	 * 		ctx.log.info({ms: performance.now() - start}, 'handled');
	 * 	})
	 * 	.on('mention', ctx => ctx.reply(ctx.quote(ctx.text)));
	 */
	use(added: Middleware<Session, Config> | Declarations<Session, Config>): this {
		if (typeof added === 'function') {
			this.middleware.push(added);
			return this;
		}

		if (!(added instanceof Module)) {
			throw new TypeError('Expected .use() with a function or a module');
		}

		this.middleware.push(...added.middleware);
		this.listeners.push(...added.listeners);
		this.errorHandlers.push(...added.errorHandlers);
		for (const command of added.commands.values()) {
			this.#addCommand(command);
		}

		addAll(this.triggers, added.triggers, 'trigger');
		this.#addEvents(added.events);
		addAll(this.answers, added.answers, 'answer');
		addAll(this.crons, added.crons, 'cron');
		addAll(this.laters, added.laters, 'later');
		addAll(this.https, added.https, 'http');
		return this;
	}

	/**
	 * Runs when a message begins with `name`. A name may have several words: of `list` and `list add`, the longer one that
	 * fits runs.
	 *
	 * @throws TypeError when the name is blank or declared twice, or when an argument has no schema that can work.
	 * @example
	 * bot({about: 'Keeps a list'})
	 * 	.command('list', {about: 'Show the list'}, ctx => ctx.reply('…'))
	 * 	.command('list add', {about: 'Add to the list', args: z.object({items: z.array(z.string()).min(1)})}, async (ctx, {items}) => {
	 * 		await ctx.storage.update('items', z.array(z.string()), (known = []) => [...known, ...items]);
	 * 	});
	 */
	command(
		name: string,
		options: Omit<CommandOptions, 'args'> & {readonly args?: undefined},
		run: Handler<Session, Config>,
	): this;
	command<Args extends z.ZodObject>(
		name: string,
		options: CommandOptions<Args>,
		run: (ctx: Context<Session, Config>, args: z.output<Args>) => Returned,
	): this;
	command(
		name: string,
		options: Omit<CommandOptions, 'args'> & {readonly args?: z.ZodObject | undefined},
		run: (ctx: Context<Session, Config>, args: Record<string, unknown>) => Returned,
	): this {
		expectHandler(run, `.command('${name}')`);
		if (options.args !== undefined) {
			checkArguments(options.args, name);
		}

		this.#addCommand({...options, name, args: options.args, run});
		return this;
	}

	#addCommand(command: Command<Session, Config>): void {
		const names = [command.name, ...(command.aliases ?? [])];
		for (const name of names) {
			if (!/^\S+( \S+){0,3}$/.test(name)) {
				throw new TypeError(`Expected a command of one to four words with a space between them, got "${name}"`);
			}

			const key = name.toLowerCase();
			if (this.commands.has(key) || this.aliases.has(key)) {
				throw new TypeError(`Expected each command once, got "${name}" again`);
			}

			if (name === command.name) {
				this.commands.set(key, command);
			} else {
				this.aliases.set(key, command.name.toLowerCase());
			}
		}
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
		run: (ctx: Context<Session, Config>, answer: z.output<Schema>, asked: Asked) => Returned,
	): this {
		expectHandler(run, `.answer('${name}')`);
		if (!(schema instanceof z.ZodType)) {
			throw new TypeError(`Expected a zod schema for .answer('${name}'), such as z.string()`);
		}

		// The schema that reads an answer is the one that its type comes from.
		addAll(this.answers, new Map([[name, {schema, run: run as Answer<Session, Config>['run']}]]), 'answer');
		return this;
	}

	/**
	 * Runs if the pattern matches the text. The handler gets the match.
	 *
	 * @example
	 * bot({about: 'Is polite'}).hears(/\bthanks?\b/i, ctx => ctx.reply('You are welcome.'));
	 */
	hears(pattern: RegExp, run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => Returned): this {
		if (!(pattern instanceof RegExp)) {
			throw new TypeError(`Expected .hears() with a pattern such as /hello/i, got ${typeof pattern}`);
		}

		expectHandler(run, `.hears(${pattern})`);
		// A pattern with `g` or `y` remembers where it stopped, which must not leak from one message to the next.
		this.listeners.push({pattern: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')), run});
		return this;
	}

	/**
	 * Runs for the messages of a trigger that nothing else handles: `mention` or `direct_message`. `channel_message` is for
	 * messages without a mention, which commands and `hears` do not get ([Triggers](#triggers)).
	 *
	 * @throws TypeError if the trigger is declared twice, or is not one of the service.
	 * @example
	 * bot({about: 'Echoes'}).on('direct_message', ctx => ctx.reply(ctx.quote(ctx.text)));
	 */
	on<Name extends keyof TriggerHandlers<Session, Config>>(
		trigger: Name,
		run: TriggerHandlers<Session, Config>[Name],
	): this {
		const known = [...TRIGGERS, ...EVENTS];
		if (!known.includes(trigger)) {
			throw new TypeError(`Expected .on() with ${known.join(', ')}, got "${trigger}"`);
		}

		expectHandler(run, `.on('${trigger}')`);
		if (EVENTS.includes(trigger)) {
			this.#addEvents({[trigger]: run});
		} else {
			// Only messages have the other triggers.
			addAll(this.triggers, new Map([[trigger as Trigger, run as Handler<Session, Config>]]), 'trigger');
		}

		return this;
	}

	#addEvents(added: Partial<EventHandlers<Config>>): void {
		const again = Object.keys(added).find(name => name in this.events);
		if (again !== undefined) {
			throw new TypeError(`Expected each trigger once, got "${again}" again`);
		}

		Object.assign(this.events, added);
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
		expectHandler(run, `.cron('${name}')`);
		addAll(this.crons, new Map([[name, {cron: checkCron(cron), run}]]), 'cron');
		return this;
	}

	/**
	 * Runs when `ctx.later(when, name, data)` says. A schema reads the data and gives it its type. Like every handler it runs
	 * again if its process dies.
	 *
	 * @throws TypeError when the name is declared twice.
	 * @example
	 * bot({about: 'Escalates'})
	 * 	.command('incident', {about: 'Report an incident'}, ctx => ctx.later(new Date(Date.now() + 900_000), 'escalate', {room: ctx.here}))
	 * 	.later('escalate', z.object({room: z.any()}), (ctx, {room}) => ctx.send(room, 'Nobody has answered for 15 minutes.'));
	 */
	later(name: string, run: LaterHandler<Config, unknown>): this;
	later<Schema extends z.ZodType>(name: string, schema: Schema, run: LaterHandler<Config, z.output<Schema>>): this;
	later(name: string, ...rest: [LaterHandler<Config>] | [z.ZodType, LaterHandler<Config, never>]): this {
		const [schema, run] = rest.length === 1 ? [z.unknown(), rest[0]] : rest;
		expectHandler(run, `.later('${name}')`);
		// The schema that reads the data is the one that its type comes from.
		addAll(this.laters, new Map([[name, {schema, run: run as LaterHandler<Config>}]]), 'later');
		return this;
	}

	/**
	 * Runs for a request of another system, at `POST /hooks/<account><path>` of the receiver, where the account is the section's
	 * name in the config file. A request whose signature does not fit is refused. Like a message it is stored before the
	 * handler runs, run again if the process dies, and shown in the ledger. A repeat is not run again: Bothy knows it by the
	 * sender's delivery ID (`X-GitHub-Delivery`, `Idempotency-Key`, `X-Request-Id`, …); without one, the same body counts as a
	 * repeat within the same hour.
	 *
	 * @throws TypeError for what is no path, or declared twice.
	 * @example
	 * bot({about: 'Tells of deploys', config: z.object({hookSecret: z.string().optional()})})
	 * 	.http('/deploy', {secret: 'hookSecret', verify: 'github'}, async ctx => {
	 * 		const {ref} = z.object({ref: z.string()}).parse(ctx.request.json());
	 * 		await ctx.send({channel: 'general', topic: 'deploys'}, `Deployed ${ctx.quote(ref)}.`);
	 * 	});
	 */
	http(path: string, {secret, verify}: HttpOptions<Config>, run: HttpHandler<Config>): this {
		if (!/^(\/[\w.-]+)+$/.test(path)) {
			throw new TypeError(`Expected .http() with a path such as /deploy, got "${path}"`);
		}

		if (!VERIFICATIONS.includes(verify) || typeof secret !== 'string') {
			throw new TypeError(
				`Expected .http('${path}') with \`secret\`, a key of the config, and \`verify\`: ${VERIFICATIONS.join(', ')}`,
			);
		}

		expectHandler(run, `.http('${path}')`);
		addAll(this.https, new Map([[path, {secret, verify, run}]]), 'http');
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
		expectHandler(run, '.catch()');
		this.errorHandlers.push(run);
		return this;
	}
}

function expectHandler(run: unknown, method: string): void {
	if (typeof run !== 'function') {
		throw new TypeError(
			`Expected a handler for ${method}, a function such as \`ctx => ctx.reply('Hello')\`, got ${typeof run}`,
		);
	}
}

function addAll<Key, Value>(known: Map<Key, Value>, added: ReadonlyMap<Key, Value>, what: string): void {
	for (const [key, value] of added) {
		if (known.has(key)) {
			throw new TypeError(`Expected each ${what} once, got "${key}" again`);
		}

		known.set(key, value);
	}
}

/**
 * Says what a bot does. Each method adds to the bot and gives it back.
 *
 * A message goes to the first that matches: the answer to a question that waits, command (its first words), `hears` in
 * order, `on(trigger)`, built-in help.
 */
export class Bot<Session = undefined, Config = undefined> extends Module<Session, Config> {
	readonly [BOT] = 1;
	readonly about: string;
	readonly session: z.ZodType | undefined;
	readonly config: z.ZodObject | undefined;
	readonly #rules: Omit<z.infer<typeof Options>, 'about' | 'session' | 'config'>;

	constructor(options: BotOptions) {
		super();
		const parsed = Options.safeParse(options);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			throw new TypeError(`bot({${issue?.path.join('.') ?? ''}}): ${issue?.message}`);
		}

		const {about, session, config, ...rules} = parsed.data;
		if (session) {
			checkSession(session);
		}

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
}

const LOST_TYPES = new Set(['date', 'map', 'set', 'bigint', 'function', 'symbol', 'nan', 'promise', 'file']);

/** What is wrong with a session would otherwise show with the first message, or never. */
function checkSession(session: z.ZodType): void {
	const empty = session.safeParse({});
	if (!empty.success) {
		const issue = empty.error.issues[0];
		throw new TypeError(`bot({session}): expected a default for each field, \`${issue?.path.join('.')}\` has none`);
	}

	z.toJSONSchema(session, {
		unrepresentable: 'any',
		override({zodSchema, path}) {
			const {type} = zodSchema._zod.def;
			if (LOST_TYPES.has(type)) {
				const field = path.filter(part => part !== 'properties').join('.');
				throw new TypeError(
					`bot({session}): \`${field}\` is a ${type}, which JSON cannot carry; store text or a number`,
				);
			}
		},
	});
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
	options: Omit<BotOptions, 'session' | 'config'> & {
		readonly session?: Session &
			(z.output<Session> extends Jsonable<z.output<Session>> ? unknown : Jsonable<z.output<Session>>);
		readonly config?: Config;
	},
): Bot<z.output<Session>, z.output<Config>> {
	return new Bot(options as BotOptions);
}

/**
 * Declares what several bots share; a bot takes it with `.use()`. A module that needs a session or config names their types,
 * and then fits only bots that have them.
 *
 * @example
 * export const counting = module<{count: number}>().command('count', {about: 'Count'}, async ctx => {
 * 	ctx.session.count++;
 * 	await ctx.reply(String(ctx.session.count));
 * });
 */
export function module<Session = unknown, Config = unknown>(): Module<Session, Config> {
	return new Module();
}
