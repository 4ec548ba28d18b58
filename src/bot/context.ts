// What a handler gets: the message, and ways to answer it.

import type {Message} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {Cron} from '../queue/cron.js';
import type {Target} from '../queue/sends.js';
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

/** A message that is stored and will be posted by a worker. */
export interface SendHandle {
	/** Id of the send. The same id is never posted twice. */
	readonly id: string;
	/**
	 * Resolves with the ID of the message when the service has it. Rejects if the service refuses it, if its outcome stays unknown,
	 * or if the handler's time is over.
	 */
	readonly sent: Promise<number>;
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

export interface ScheduleOptions {
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
	 * ctx.log.info({id: await handle.sent}, 'posted');
	 */
	send(target: Target, text: string): Promise<SendHandle>;
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
	 * await ctx.edit(await handle.sent, '3 votes');
	 */
	edit(messageId: number, text: string): Promise<void>;
	/**
	 * Deletes one of the bot's own messages. A rerun of the handler tries it again.
	 *
	 * @throws ApiError if the service refuses: many organizations do not let bots delete messages.
	 * @example
	 * const handle = await ctx.send(ctx.here, 'Psst');
	 * await ctx.delete(await handle.sent);
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

export interface ReplyOptions {
	/** Buttons under the message. If several replies become one message, it shows the buttons of the last one. */
	readonly choices?: readonly Choice[];
}

export interface AskOptions extends ReplyOptions {
	/** How many minutes the question waits for an answer. Default 10. */
	readonly minutes?: number;
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
	 * Why the service called the bot: `mention` or `direct_message`, or a trigger that is newer than this version of Bothy.
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
	reply(text: string, options?: ReplyOptions): Promise<void>;
	/**
	 * Asks the sender a question. Their next message in this conversation goes to `.answer(name)`, in whichever process it arrives and
	 * also after a restart. `cancel` ends the question. A new question replaces an older one.
	 *
	 * @limits Waits ten minutes, or `minutes`.
	 * @throws TypeError if the bot has no `.answer()` of this name.
	 * @example
	 * await ctx.ask('limit', 'How many a day?', {choices: ['1', '5'], minutes: 60});
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
