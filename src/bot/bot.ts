// A bot is an inert value: it says which handler runs for which message. Importing a bot has no effect.

import {z} from '../api/zod.js';
import type {Jsonable} from '../storage/json.js';
import type {Context} from './context/context.js';
import {Module} from './module.js';

/** A registered symbol, so that two copies of the package agree on what a bot is. */
const BOT = Symbol.for('bothy.bot');

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

/** What `ctx.session` belongs to: a conversation, a person wherever they write, or the whole bot. */
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
	 * Schema of what the bot remembers, with a default for each field. Its values must fit into JSON. A bot with a session
	 * handles one message at a time in each session. Bothy keeps `ctx.session` for a week after its last change.
	 */
	readonly session?: z.ZodType;
	/** What the session belongs to: `conversation`, `person` or `bot`. Default `conversation`. */
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

/**
 * Declares what a bot does. Each method adds to the bot and returns it.
 *
 * A message goes to the first of these that matches: `.answer()` of an open question, a command (by its first words), `hears`
 * in the order of declaration, `on(trigger)`, the built-in help.
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

	/** What shares a session. */
	get sessionPer() {
		return this.#rules.sessionPer;
	}

	/**
	 * The bot's limits, which the host enforces: `BotOptions` with their defaults. A bot with questions has a session too,
	 * because its open questions are stored with the conversation.
	 */
	get rules() {
		const asks = this.answers.size > 0 || [...this.commands.values()].some(({confirm}) => confirm !== undefined);
		return {...this.#rules, hasSession: this.session !== undefined || asks};
	}
}

const LOST_TYPES = new Set(['date', 'map', 'set', 'bigint', 'function', 'symbol', 'nan', 'promise', 'file']);

/** Without this check, a wrong session would show with the first message, or never. */
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
 * Declares what several bots share. A bot takes it with `.use()`. If a module needs a session or a config, name their types;
 * it then fits only bots that have them.
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
