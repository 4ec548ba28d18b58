// What a module or a bot declares, and the methods that declare it.

import {z} from '../api/zod.js';
import {type Cron, checkCron} from '../queue/cron.js';
import {addAll, addCommand, addEvents, matcherOf} from './add.js';
import {checkArguments} from './arguments/arguments.js';
import {expectHandler} from './arguments/expect.js';
import type {Context} from './context/context.js';
import {type BotHttp, checkHttp, type HttpHandler, type HttpOptions} from './context/http.js';
import type {BotLater, LaterHandler} from './context/later.js';
import type {BotCron, CronHandler} from './cron.js';
import {
	type Answer,
	type AnswerHandler,
	type AnswerOptions,
	type Command,
	type CommandOptions,
	type ErrorHandler,
	type Handler,
	type Listener,
	type Middleware,
	TRIGGERS,
	type Trigger,
	type TriggerHandlers,
} from './declarations.js';
import {EVENTS, type EventHandlers} from './events.js';
import type {Returned} from './returned.js';

/** What a module declares. Without the methods, so that a module that needs less fits where there is more. */
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
	// By name in lower case.
	readonly commands = new Map<string, Command<Session, Config>>();
	// Names of commands by alias, both in lower case.
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
	 * Adds middleware, a function that runs around every handler, or everything that a module declares. Middleware calls `next()`
	 * once to continue; without the call, the handler does not run.
	 *
	 * @throws TypeError if the bot already declares something that the module declares.
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
			addCommand(this, command);
		}

		addAll(this.triggers, added.triggers, 'trigger');
		addEvents(this.events, added.events);
		addAll(this.answers, added.answers, 'answer');
		addAll(this.crons, added.crons, 'cron');
		addAll(this.laters, added.laters, 'later');
		addAll(this.https, added.https, 'http');
		return this;
	}

	/**
	 * Runs if a message begins with `name`. A name may have up to four words. If both `list` and `list add` match, the longer one
	 * runs.
	 *
	 * @throws TypeError if the name is blank or declared twice, or if an argument's schema cannot be read from words.
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

		addCommand(this, {...options, name, args: options.args, run});
		return this;
	}

	/**
	 * Handles the answer to `ctx.ask(name, …)`. The schema parses the text, so use `z.coerce.number()` for a number. If the answer does
	 * not fit, the bot asks again. To read the question's `data`, pass its schema before the handler: `{data: z.object({…})}`.
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
		run: AnswerHandler<Session, Config, z.output<Schema>>,
	): this;
	answer<Schema extends z.ZodType, Data extends z.ZodType>(
		name: string,
		schema: Schema,
		options: AnswerOptions<Data>,
		run: AnswerHandler<Session, Config, z.output<Schema>, z.output<Data>>,
	): this;
	answer(
		name: string,
		schema: z.ZodType,
		...rest: [AnswerHandler<Session, Config, never>] | [AnswerOptions, AnswerHandler<Session, Config, never, never>]
	): this {
		const [{data}, run] = rest.length === 1 ? [{}, rest[0]] : rest;
		expectHandler(run, `.answer('${name}')`);
		for (const each of [schema, data ?? schema]) {
			if (!(each instanceof z.ZodType)) {
				throw new TypeError(`Expected a zod schema for .answer('${name}'), such as z.string()`);
			}
		}

		// The schemas that read answer and data are those that their types come from.
		addAll(this.answers, new Map([[name, {schema, data, run: run as Answer<Session, Config>['run']}]]), 'answer');
		return this;
	}

	/**
	 * Runs if the pattern matches the text. The handler gets the match. A pattern that takes more than five seconds, such as
	 * `/(a+)+$/` for some texts, ends its process; the log then names the pattern.
	 *
	 * @example
	 * bot({about: 'Is polite'}).hears(/\bthanks?\b/i, ctx => ctx.reply('You are welcome.'));
	 */
	hears(pattern: RegExp, run: (ctx: Context<Session, Config>, match: RegExpMatchArray) => Returned): this {
		const match = matcherOf(pattern);
		expectHandler(run, `.hears(${pattern})`);
		this.listeners.push({match, run});
		return this;
	}

	/**
	 * Runs for a trigger. `mention` and `direct_message` get the messages that nothing else handles. `channel_message` gets
	 * messages without a mention, which commands and `hears` do not get. `reaction`, `edit` and `join` are not messages and have a
	 * `ctx` of their own ([Triggers](#triggers)).
	 *
	 * @throws TypeError if the trigger is declared twice, or if there is no such trigger.
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
			addEvents(this.events, {[trigger]: run});
		} else {
			// Only messages have the other triggers.
			addAll(this.triggers, new Map([[trigger as Trigger, run as Handler<Session, Config>]]), 'trigger');
		}

		return this;
	}

	/**
	 * Runs at each due time of a cron pattern, once for each account of this bot, on any number of hosts. While a run is going on,
	 * Bothy skips further due times.
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
	 * Runs at the time that `ctx.later(when, name, data)` sets. The schema parses the data and gives it its type. Like every
	 * handler, it runs again if its process dies.
	 *
	 * @throws TypeError if the name is declared twice.
	 * @example
	 * bot({about: 'Escalates'})
	 * 	.command('incident', {about: 'Report an incident'}, ctx => ctx.later(new Date(ctx.now().getTime() + 900_000), 'escalate', {number: 7}))
	 * 	.later('escalate', z.object({number: z.int()}), (ctx, {number}) =>
	 * 		ctx.send(ctx.from ?? {channel: 'general', topic: 'incidents'}, `Nobody has answered incident ${number} for 15 minutes.`));
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
	 * Runs for a request from another system to `POST /hooks/<account><path>` of the receiver; `<account>` is the name of the
	 * section in the config file. Bothy refuses a request with a wrong signature. It stores the request before the handler runs,
	 * runs the handler again if the process dies, and shows the delivery in the ledger, as for messages. A repeated request does
	 * not run again. Bothy recognizes it by the sender's delivery ID (`X-GitHub-Delivery`, `Idempotency-Key`, `X-Request-Id`, …).
	 * Without an ID, the same body within the same hour counts as a repeat.
	 *
	 * @throws TypeError if the path is invalid or declared twice.
	 * @example
	 * bot({about: 'Announces deploys', config: z.object({hookSecret: z.string().optional()})})
	 * 	.http('/deploy', {secret: 'hookSecret', verify: 'github'}, async ctx => {
	 * 		const {ref} = z.object({ref: z.string()}).parse(ctx.request.json());
	 * 		await ctx.send({channel: 'general', topic: 'deploys'}, `Deployed ${ctx.quote(ref)}.`);
	 * 	});
	 */
	http(path: string, {secret, verify}: HttpOptions<Config>, run: HttpHandler<Config>): this {
		checkHttp(path, {secret, verify});
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
