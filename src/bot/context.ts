// What a handler gets: the message, and ways to answer it.

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

/** The person who wrote the message. */
export interface Sender {
	readonly id: number;
	readonly email: string;
	/** Full name. */
	readonly name: string;
	/** Markdown that mentions this person. */
	readonly mention: string;
}

/** The part of the log that bots use. Do not log people's messages. */
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

/** A scheduled message. */
export interface ScheduleHandle {
	/** The `key` that you gave, otherwise the id of the send. */
	readonly id: string;
	/** Cancels the schedule. Resolves to false if it is too late. */
	cancel(): Promise<boolean>;
	/** Moves a one-off message to another time. Resolves to false if it is too late. */
	reschedule(when: Date): Promise<boolean>;
}

/** A scheduled message with its text, as `ctx.schedules()` lists it. */
export interface ScheduledText extends ScheduleHandle {
	/** The next due time. */
	readonly when: Date;
	readonly target: Target;
	readonly text: string;
	/** The cron pattern of a recurring message. */
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
	/** Names the schedule. If this bot account schedules again under the same key, the new schedule replaces the old one. */
	readonly key?: string;
	/**
	 * `service`: the service itself stores the message until it is due (`POST /scheduled_messages`). One-off messages only; some
	 * servers want at least five minutes.
	 */
	readonly via?: 'service';
}

/** What a bot can do, with or without a message to answer. */
export interface Actions<Config = undefined> {
	/**
	 * The settings of this account, parsed by the bot's `config` schema.
	 *
	 * @example
	 * await ctx.send({channel: ctx.config.channel, topic: 'news'}, 'Hello');
	 */
	readonly config: Config;
	/**
	 * Writes to the host's log, with the account's name. Do not log people's messages.
	 *
	 * @example
	 * ctx.log.info({votes: 3}, 'poll closed');
	 */
	readonly log: BotLog;
	/**
	 * The bot's own account.
	 *
	 * @example
	 * ctx.log.info({account: ctx.me.email}, 'done');
	 */
	readonly me: {readonly email: string};
	/**
	 * Aborts when the handler must stop: its time is over (`timeoutMs`), the host stops, or another process has taken over the
	 * delivery. Pass it to whatever takes long.
	 *
	 * @example
	 * ctx.signal.throwIfAborted();
	 */
	readonly signal: AbortSignal;
	/**
	 * The service's whole API as this account: one typed method for each operation in [api.md](api.md), and `call()` for others.
	 *
	 * A rerun of the handler calls again, so prefer `reply`, `send` and `schedule` for messages.
	 *
	 * @throws Error if the account has no API key.
	 * @throws ApiError if the service refuses a call, NetworkError without an answer, ResponseError if the answer is unreadable.
	 * @example
	 * const {members} = await ctx.api.getUsers();
	 * await ctx.reply(`We are ${members.length}.`);
	 */
	readonly api: Client;
	/**
	 * JSON values under keys, for this bot account. See [Storage](#storage).
	 *
	 * @example
	 * await ctx.storage.set('last asked', ctx.now().toISOString());
	 */
	readonly storage: Storage;
	/**
	 * Posts a message anywhere the bot may post. Resolves when the message is stored; a worker posts it, once, also if this process
	 * dies or the handler runs again.
	 *
	 * @limits 10,000 characters. 1,000 replies and sends for one message.
	 * @throws TypeError for a blank text or a target that is none, RangeError beyond a limit.
	 * @example
	 * const handle = await ctx.send({channel: 'general', topic: 'news'}, 'The build is green');
	 * ctx.log.info({id: await handle.id}, 'posted');
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
	/**
	 * Cancels what was scheduled under a key with `ctx.schedule()` or `ctx.later()`; false when it is too late.
	 *
	 * @example
	 * await ctx.reply((await ctx.cancel('incident 7')) ? 'Cancelled.' : 'It is too late.');
	 */
	cancel(key: string): Promise<boolean>;
	/**
	 * A message whose text grows while you write it: the answer of a language model, or the output of a long job. It shows
	 * changes once a second, goes on in a further message at the service's limit of 10,000 characters, and ends with the
	 * handler. If the process dies, the rerun fills in the same message. Where the bot cannot read its own messages (an
	 * Outgoing webhook bot in direct messages), the text is posted when it is complete.
	 *
	 * @example
	 * const stream = ctx.stream({channel: 'general', topic: 'build'});
	 * for (const line of ['one', 'two']) {
	 * 	await stream.write(`${line}\n`);
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
	 * Posts a message at `when`, or at each due time of a cron pattern. Resolves when the schedule is stored.
	 *
	 * @limits 10,000 characters of text, 200 of `key`.
	 * @throws RangeError if the time is not in the future, or the pattern or time zone is invalid.
	 * @example
	 * const inAnHour = new Date(ctx.now().getTime() + 3_600_000);
	 * await ctx.schedule(inAnHour, ctx.here, 'An hour has passed', {key: 'tea'});
	 * await ctx.schedule({pattern: '0 9 * * 1-5', tz: 'Europe/Berlin'}, {channel: 'general', topic: 'today'}, 'Good morning');
	 */
	schedule(when: Date | Cron, target: Target, text: string, options?: ScheduleOptions): Promise<ScheduleHandle>;
	/**
	 * Lists what this bot account has scheduled, soonest first.
	 *
	 * @example
	 * const [next] = await ctx.schedules();
	 * await next?.cancel();
	 */
	schedules(): Promise<ScheduledText[]>;
	/**
	 * Drafts in a person's account. Name the account by its section in the config file, or by its email on the bot's own site. A
	 * rerun of the handler puts its drafts again. See [Drafts](#drafts).
	 *
	 * @throws UnknownAccount if this host has no such account.
	 * @example
	 * await ctx.drafts('alice').put('agenda', ctx.here, 'Agenda for Monday:');
	 */
	drafts(account: string): Drafts;
	/**
	 * Changes the text of one of the bot's own messages. A rerun of the handler changes it again. A bot of the type *Outgoing webhook*
	 * cannot edit in direct messages.
	 *
	 * @limits 10,000 characters.
	 * @throws ApiError if the service refuses, for example because it is somebody else's message.
	 * @example
	 * const handle = await ctx.send(ctx.here, 'Counting …');
	 * await ctx.edit(await handle.id, '3 votes');
	 */
	edit(messageId: number, text: string): Promise<void>;
	/**
	 * Deletes one of the bot's own messages. A rerun of the handler tries it again.
	 *
	 * @throws ApiError if the service refuses: many organizations do not let bots delete messages.
	 * @example
	 * const handle = await ctx.send(ctx.here, 'Psst');
	 * await ctx.delete(await handle.id);
	 */
	delete(messageId: number): Promise<void>;
	/**
	 * Markdown that shows a time to each reader in their own time zone.
	 *
	 * @example
	 * await ctx.reply(`See you at ${ctx.time(new Date('2026-12-24T18:00:00Z'))}`);
	 */
	time(when: Date): string;
	/**
	 * How long it is until then, in words: `in 1 hour and 30 minutes`.
	 *
	 * @example
	 * await ctx.reply(`The doors open ${ctx.until(new Date(Date.now() + 5_400_000))}.`);
	 */
	until(when: Date): string;
	/**
	 * The same text, but mentions of people, groups and channels in it notify and link to nobody. Use it wherever a bot repeats what
	 * a person wrote.
	 *
	 * @example
	 * await ctx.reply(`There is no group “${ctx.quote(ctx.text)}”.`);
	 */
	quote(text: string): string;
	/**
	 * The current time. In tests it is the test kit's clock.
	 *
	 * @example
	 * const tomorrow = new Date(ctx.now().getTime() + 86_400_000);
	 * await ctx.reply(`Tomorrow is ${tomorrow.toISOString().slice(0, 10)}.`);
	 */
	now(): Date;
}

/** What the handler of a `.cron()` gets. It has everything above except the message: nobody wrote one. */
export interface CronContext<Config = undefined> extends Actions<Config> {
	/** The name of the cron, as you declared it. */
	readonly name: string;
	/** The due time. It is a little before now, or long before if a missed run is made up for. */
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

/** What a handler gets: the message, and ways to answer it. */
export interface Context<Session = undefined, Config = undefined> extends Actions<Config> {
	/**
	 * The message as the service sent it.
	 *
	 * @example
	 * await ctx.reply(`Message ${ctx.message.id} was sent at ${ctx.time(new Date(ctx.message.timestamp * 1000))}`);
	 */
	readonly message: Message;
	/**
	 * Who wrote: `id`, `email`, `name`, and `mention`, Markdown that mentions the person.
	 *
	 * @example
	 * await ctx.reply(`Hello, ${ctx.sender.name}!`);
	 */
	readonly sender: Sender;
	/**
	 * The bot's own account, without a call to the service.
	 *
	 * @example
	 * await ctx.reply(`Mention me: \`${ctx.me.mention} hello\``);
	 */
	readonly me: Me;
	/**
	 * Why the bot runs: `mention`, `direct_message` or `channel_message`, or a trigger that is newer than this version of Bothy.
	 *
	 * @example
	 * await ctx.reply(ctx.trigger === 'mention' ? 'You mentioned me.' : 'You wrote to me.');
	 */
	readonly trigger: string;
	/**
	 * The text without the mention of this bot, wherever it was, trimmed.
	 *
	 * @example
	 * await ctx.reply(`You wrote: ${ctx.quote(ctx.text)}`);
	 */
	readonly text: string;
	/**
	 * The whole text as it was written.
	 *
	 * @example
	 * ctx.log.info({characters: ctx.fullText.length});
	 */
	readonly fullText: string;
	/**
	 * The conversation of the message, as a target for `send`, `schedule` and `drafts`.
	 *
	 * @example
	 * await ctx.send(ctx.here, 'This is a message of its own.');
	 */
	readonly here: Target;
	/**
	 * What the bot remembers of this conversation, if it declares a `session`. Change it; Bothy stores it when the handler has ended
	 * without an error, for a week. One handler runs at a time in a conversation, so nobody else changes it meanwhile.
	 *
	 * @limits 64 KiB as JSON.
	 * @example
	 * ctx.session.limit = 9;
	 */
	readonly session: Session;
	/**
	 * Answers in the conversation. In time (see `deadlineMs`) it is the answer to the webhook and needs no API key; several replies
	 * become one message. Later, a worker posts it.
	 *
	 * @limits 10,000 characters. 26 buttons. 1,000 replies and sends for one message.
	 * @throws TypeError for a blank text, RangeError beyond a limit.
	 * @example
	 * await ctx.reply('Where do we eat?', {choices: ['Pizza', {label: 'Soup, please', says: 'soup'}]});
	 */
	reply(text: string, options?: ReplyOptions): Promise<SendHandle>;
	/**
	 * A message that grows, by default in this conversation.
	 *
	 * @example
	 * const stream = ctx.stream();
	 * await stream.write('Looking… ');
	 * await stream.write('found.');
	 */
	stream(target?: Target): TextStream;
	/**
	 * Asks the sender, or somebody else (`of`) in a direct message or where `in` says. Their next message there goes to
	 * `.answer(name)`, whichever process gets it; `cancel` ends the waiting. A later question to the same person in the same
	 * conversation takes an earlier one's place. In a channel they answer with a mention of the bot, or by a button.
	 *
	 * @example
	 * await ctx.ask('decide', `May ${ctx.sender.name} take Friday off?`, {
	 * 	of: 9,
	 * 	choices: ['yes', 'no'],
	 * 	data: {who: ctx.sender.id},
	 * });
	 */
	ask(name: string, question: string, options?: AskOptions): Promise<void>;
	/**
	 * Adds an emoji to the message, by its name. If it is there already, nothing happens.
	 *
	 * A bot of the type *Outgoing webhook* cannot react in direct messages and in private channels with protected history; there it
	 * logs a warning instead.
	 *
	 * @throws ApiError if there is no emoji of this name.
	 * @example
	 * await ctx.react('heart');
	 */
	react(emoji: string): Promise<void>;
	/**
	 * Shows for some seconds that the bot is typing. Bothy does this by itself while people wait for a late answer.
	 *
	 * @throws ApiError if the service refuses.
	 * @example
	 * await ctx.typing();
	 */
	typing(): Promise<void>;
}
