// What a handler is given: the message, and ways to answer.

import type {Message} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {DownloadOptions} from '../client/download.js';
import type {FetchOptions} from '../client/fetch.js';
import type {Cron} from '../queue/cron.js';
import type {Target} from '../queue/sends.js';
import type {Jsonable} from '../storage/json.js';
import type {Choice} from './choices.js';
import type {Drafts} from './drafts.js';
import type {Storage} from './storage.js';

export type {Target};

/** The person who wrote. */
export interface Sender {
	readonly id: number;
	readonly email: string;
	readonly name: string;
	/** Markdown that mentions them. */
	readonly mention: string;
}

/** The part of a log that bots use. Never give it people's messages. */
export interface BotLog {
	info(fields: object, message?: string): void;
	warn(fields: object, message?: string): void;
	error(fields: object, message?: string): void;
}

/** The bot's own account. */
export interface Me {
	readonly email: string;
	/** Its full name, as the message has it. */
	readonly name: string;
	/** Markdown that mentions it. */
	readonly mention: string;
}

/** Somebody that a bot names: what `arg.user()` gives, `ctx.sender`, or a user ID. */
export type Person = number | {readonly id: number};

/** A message that the bot has said. */
export interface SendHandle {
	/** Id of the send; the same one never posts twice. `SendError` names it. */
	readonly sendId: string;
	/**
	 * The message's ID, once the service has it. Asking for the ID of a reply has the replies posted through the API rather
	 * than answered with. Rejects when the message is refused, when nobody can tell whether it was posted, and when the
	 * handler's time is over.
	 *
	 * @example
	 * const poll = await ctx.reply('Who comes?');
	 * await ctx.storage.set('poll', await poll.id);
	 */
	readonly id: Promise<number>;
	/** Changes its text. The service refuses this for a message with buttons. */
	edit(text: string): Promise<void>;
	/** Takes it back; the way to make buttons disappear. */
	delete(): Promise<void>;
	/** Adds an emoji to it, by name. */
	react(emoji: string): Promise<void>;
}

/** Text that grows in one message, or in several where it is long. */
export interface TextStream {
	/** All that was written so far. */
	readonly text: string;
	/** Adds to the text. The message shows it within about a second. */
	write(text: string): Promise<void>;
	/** Ends it; the message then shows all of the text. What is left open ends with the handler. */
	end(): Promise<void>;
}

/** What will be said at a set time, once or again and again. */
export interface ScheduleHandle {
	/** The key that was given; else the id of the send. */
	readonly id: string;
	/** False when it is too late. */
	cancel(): Promise<boolean>;
	/** Moves a one-off to another time. False when it is too late. */
	reschedule(when: Date): Promise<boolean>;
}

export interface ScheduledText extends ScheduleHandle {
	/** When it is due next. */
	readonly when: Date;
	readonly target: Target;
	readonly text: string;
	/** For what comes again and again. */
	readonly cron: Cron | undefined;
}

/** Buttons of a message. */
export interface ChoiceOptions {
	/**
	 * Buttons under the message, at most 26. Pressing one says its text for that person; in a channel with a mention of the
	 * bot. The service shows text and buttons without Markdown. Of several replies that become one message, the last buttons
	 * are shown.
	 *
	 * @example
	 * await ctx.reply('Where?', {choices: ['here', {label: 'Over there', says: 'go there'}]});
	 */
	readonly choices?: readonly Choice[];
}

/** Options of `ctx.later()`. */
export interface LaterOptions {
	/** Names it, for this bot account: planned again under the same key, it takes the earlier one's place. */
	readonly key?: string;
}

/** Options of `ctx.schedule()`. */
export interface ScheduleOptions extends ChoiceOptions {
	/** Names it, for this bot account: scheduled again under the same key, it takes the earlier one's place. */
	readonly key?: string;
	/** `service`: the service itself keeps it until it is due (a one-off, at least five minutes ahead for some servers). */
	readonly via?: 'service';
}

/** What a bot can do without a message to answer. */
export interface Actions<Config = undefined> {
	/** What the account sets for the bot, as the bot's own schema has it. */
	readonly config: Config;
	readonly log: BotLog;
	/** The bot's own account. */
	readonly me: {readonly email: string};
	/** Fires when the handler must stop. */
	readonly signal: AbortSignal;
	/**
	 * The service's whole API, as this account. Throws where the account has no API key. What is called here is called again
	 * when the handler is rerun.
	 */
	readonly api: Client;
	readonly storage: Storage;
	/**
	 * Posts a message anywhere the bot may post. Resolves once it is stored; a worker posts it.
	 *
	 * @throws SendError when there is no channel of that name that the bot can see. What the service refuses later goes to
	 * `.catch()`.
	 */
	send(target: Target, text: string, options?: ChoiceOptions): Promise<SendHandle>;
	/**
	 * Runs `.later(name)` at a time, with data that JSON can carry. Resolves once it is stored: a restart changes nothing.
	 * Cancel it by the handle, or with `ctx.cancel(key)`. Needs the account's API key.
	 *
	 * @example
	 * await ctx.later(new Date(Date.now() + 3_600_000), 'escalate', {incident: 7}, {key: 'incident 7'});
	 */
	later<Data>(when: Date, name: string, data?: Data & Jsonable<Data>, options?: LaterOptions): Promise<ScheduleHandle>;
	/** Cancels what was scheduled under a key with `ctx.schedule()` or `ctx.later()`; false when it is too late. */
	cancel(key: string): Promise<boolean>;
	/**
	 * A message whose text grows while you write it: the answer of a language model, or the output of a long job. It shows
	 * changes once a second, goes on in a further message at the service's limit of 10,000 characters, and ends with the
	 * handler. If the process dies, the rerun fills in the same message. Where the bot cannot read its own messages (an
	 * Outgoing webhook bot in direct messages), the text is posted when it is complete.
	 *
	 * @example
	 * const stream = ctx.stream({channel: 'general', topic: 'build'});
	 * for await (const line of lines) {
	 * 	await stream.write(line);
	 * }
	 */
	stream(target: Target): TextStream;
	/**
	 * Calls another HTTP API: the standard `fetch`, with a time limit (`timeoutMs`, default 10,000) that ends with the handler,
	 * through the host's proxy. Reads are retried. An answer has at most 16 MiB.
	 *
	 * @throws FetchError without an answer in time.
	 * @example
	 * const response = await ctx.fetch('https://api.example.com/builds/7', {timeoutMs: 3_000});
	 * const {state} = z.object({state: z.string()}).parse(await response.json());
	 */
	fetch(url: string | URL, options?: FetchOptions): Promise<Response>;
	/**
	 * Reads a file that somebody attached to a message, with the bot's own rights. `maxBytes` is 25 MiB by default.
	 *
	 * @throws FileError when there is no such file, when the bot may not read it, or when it is too large.
	 * @example
	 * const [, link] = /\]\((\/user_uploads\/[^)\s]+)\)/.exec(ctx.fullText) ?? [];
	 * const lines = link === undefined ? [] : (await (await ctx.download(link)).text()).split('\n');
	 */
	download(link: string, options?: DownloadOptions): Promise<Response>;
	/**
	 * Uploads a file; gives the Markdown link to put into a message.
	 *
	 * @example
	 * await ctx.reply(`Here you are: ${await ctx.upload('orders.csv', 'name,count\nAlice,2\n')}`);
	 */
	upload(name: string, data: string | Uint8Array): Promise<string>;
	/**
	 * Posts a message at `when`, or at each due time of a cron pattern. Resolves once it is stored. Throws a RangeError when
	 * that is not in the future, or no pattern.
	 *
	 * @example
	 * await ctx.schedule(new Date(Date.now() + 3_600_000), ctx.here, 'An hour has passed', {key: 'tea'});
	 * await ctx.schedule({pattern: '0 9 * * 1-5', tz: 'Europe/Berlin'}, {channel: 'general', topic: 'today'}, 'Good morning');
	 */
	schedule(when: Date | Cron, target: Target, text: string, options?: ScheduleOptions): Promise<ScheduleHandle>;
	/** What this bot account has scheduled, soonest first. */
	schedules(): Promise<ScheduledText[]>;
	/**
	 * Drafts in an account of this host: its section's name in the config file, or its email on the bot's own site. Throws
	 * an `UnknownAccount` when there is none. A rerun of the handler puts its drafts again.
	 *
	 * @example
	 * await ctx.drafts('alice').put('agenda', ctx.here, 'Agenda for Monday:');
	 */
	drafts(account: string): Drafts;
	/** Changes the text of one of the bot's own messages. */
	edit(messageId: number, text: string): Promise<void>;
	/** Takes back one of the bot's own messages. */
	delete(messageId: number): Promise<void>;
	/** Markdown that shows an instant to each reader in their own time zone. */
	time(when: Date): string;
	/** How long it is until then, in words: `in 1 hour and 30 minutes`. */
	until(when: Date): string;
	/**
	 * People's words, inert: mentions, wildcards, groups and channels in them show as they were written and reach nobody. Use it
	 * wherever a bot repeats what somebody wrote.
	 *
	 * @example
	 * await ctx.reply(`There is no group “${ctx.quote(name)}”.`);
	 */
	quote(text: string): string;
	/** What time it is, by the host's clock; tests have one that jumps. */
	now(): Date;
}

/** What a handler is given that runs at its due times. */
export interface CronContext<Config = undefined> extends Actions<Config> {
	/** The name under which the bot declares it. */
	readonly name: string;
	/** The due time; a little earlier than now, or much where a missed one is made up for. */
	readonly planned: Date;
}

/** What a handler is given that `ctx.later()` planned. */
export interface LaterContext<Config = undefined> extends Actions<Config> {
	/** The name under which the bot declares it. */
	readonly name: string;
	/** When it was due; a little earlier than now. */
	readonly planned: Date;
	/** The conversation in which it was planned; undefined where there was none. */
	readonly from: Target | undefined;
}

/** A request that another system made. */
export interface ReceivedRequest {
	/** As the bot declares it. */
	readonly path: string;
	/** Names in lower case. Signatures, tokens and cookies are left out. */
	readonly headers: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, string>>;
	/** The body as text. */
	readonly text: string;
	/** When it came. */
	readonly at: Date;
	/** The body as JSON; read it with a schema. Throws for what is none. */
	json(): unknown;
}

/** What a handler is given for a request of another system. */
export interface HttpContext<Config = undefined> extends Actions<Config> {
	readonly request: ReceivedRequest;
}

/** Options of `ctx.reply()`. */
export interface ReplyOptions extends ChoiceOptions {}

/** Options of `ctx.ask()`. */
export interface AskOptions extends ChoiceOptions {
	/** How long Bothy waits for the answer, in minutes. Default 10, for somebody else 1,440 (a day). */
	readonly minutes?: number;
	/** Who is asked. Default: the sender. */
	readonly of?: Person;
	/** Where somebody else is asked. Default: in a direct message. */
	readonly in?: Target;
	/** What the answer's handler gets besides the answer. JSON must carry it. */
	readonly data?: unknown;
}

/** A question, as the handler of its answer sees it. */
export interface Asked {
	/** The `data` of `ctx.ask()`. */
	readonly data: unknown;
	/** The conversation in which the question was asked for: reply there with `ctx.send(asked.from, …)`. */
	readonly from: Target;
	/** Who had it asked. */
	readonly by: {readonly id: number; readonly mention: string};
}

/** What a handler is given for a message. */

export interface Context<Session = undefined, Config = undefined> extends Actions<Config> {
	/** The message as the service sent it. */
	readonly message: Message;
	readonly sender: Sender;
	/** The bot's own account, without a call to the service. */
	readonly me: Me;
	/** Why the service called: `mention`, `direct_message`, or one that we do not know. */
	readonly trigger: string;
	/** The text without the bot's own mention, trimmed. */
	readonly text: string;
	/** The whole text as it was written. */
	readonly fullText: string;
	/** The conversation that the message stands in. */
	readonly here: Target;
	/** What the bot remembers of this conversation, person or in all (`sessionPer`); stored when the handler has ended. */
	readonly session: Session;
	/** Answers in the conversation. Several replies in time become one message, unless their IDs are asked for. */
	reply(text: string, options?: ReplyOptions): Promise<SendHandle>;
	/** A message that grows, by default in this conversation. */
	stream(target?: Target): TextStream;
	/**
	 * Asks the sender, or somebody else (`of`) in a direct message or where `in` says. Their next message there goes to
	 * `.answer(name)`, whichever process gets it; `cancel` ends the waiting. A later question to the same person in the same
	 * conversation takes an earlier one's place. In a channel they answer with a mention of the bot, or by a button.
	 *
	 * @example
	 * await ctx.ask('decide', `May ${ctx.sender.name} take Friday off?`, {
	 * 	of: boss,
	 * 	choices: ['yes', 'no'],
	 * 	data: {who: ctx.sender.id},
	 * });
	 */
	ask(name: string, question: string, options?: AskOptions): Promise<void>;
	/** Adds an emoji to the message, by its name. That it is there already is no error. */
	react(emoji: string): Promise<void>;
	/** Shows that an answer is on its way, for some seconds. */
	typing(): Promise<void>;
}
