// What a bot can do, with or without a message to answer.

import type {Client} from '../../client/client.js';
import type {DownloadOptions} from '../../client/download.js';
import type {FetchOptions} from '../../client/fetch.js';
import type {Target} from '../../delivery/target.js';
import type {Cron} from '../../queue/cron.js';
import type {Jsonable} from '../../storage/json.js';
import type {Drafts} from './drafts.js';
import type {
	ChoiceOptions,
	LaterOptions,
	ScheduledText,
	ScheduleHandle,
	ScheduleOptions,
	SendHandle,
	TextStream,
} from './handles.js';
import type {Storage} from './storage.js';

/** The part of the log that bots use. Do not log people's messages. */
export interface BotLog {
	info(fields: object, message?: string): void;
	warn(fields: object, message?: string): void;
	error(fields: object, message?: string): void;
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
	 * Posts a message anywhere the bot may post. Resolves when the message is stored; a worker posts it, once, even if this process
	 * dies or the handler runs again.
	 *
	 * @limits 10,000 characters. 1,000 replies and sends for one message.
	 * @throws TypeError for a blank text or an invalid target, RangeError beyond a limit.
	 * @example
	 * const handle = await ctx.send({channel: 'general', topic: 'news'}, 'The build is green');
	 * ctx.log.info({id: await handle.id}, 'posted');
	 */
	send(target: Target, text: string, options?: ChoiceOptions): Promise<SendHandle>;
	/**
	 * Runs the bot's `.later(name)` handler at a time. The data must fit into JSON. Resolves when it is stored, so it survives
	 * restarts. Cancel it by the handle, or with `ctx.cancel(key)`. Needs the account's API key.
	 *
	 * @example
	 * await ctx.later(new Date(ctx.now().getTime() + 3_600_000), 'escalate', {incident: 7}, {key: 'incident 7'});
	 */
	later<Data>(when: Date, name: string, data?: Data & Jsonable<Data>, options?: LaterOptions): Promise<ScheduleHandle>;
	/**
	 * Cancels what was scheduled under a key with `ctx.schedule()` or `ctx.later()`. Resolves to false if it is too late.
	 *
	 * @example
	 * await ctx.reply((await ctx.cancel('incident 7')) ? 'Cancelled.' : 'It is too late.');
	 */
	cancel(key: string): Promise<boolean>;
	/**
	 * A message whose text grows while you write it: the answer of a language model, or the output of a long job. It shows
	 * changes once a second, and ends with the handler. At the service's limit of 10,000 characters, a further message
	 * continues the text. If the process dies, the rerun completes the same message. If the bot cannot read its own messages
	 * (an *Outgoing webhook* bot in direct messages), Bothy posts the text when it is complete.
	 *
	 * @example
	 * const stream = ctx.stream({channel: 'general', topic: 'build'});
	 * for (const line of ['one', 'two']) {
	 * 	await stream.write(`${line}\n`);
	 * }
	 */
	stream(target: Target): TextStream;
	/**
	 * Calls another HTTP API: the standard `fetch`, through the host's proxy and with a time limit (`timeoutMs`, default
	 * 10,000). The call ends with the handler. Bothy retries reads. An answer may have at most 16 MiB.
	 *
	 * @throws FetchError if there is no answer in time.
	 * @example
	 * const response = await ctx.fetch('https://api.example.com/builds/7', {timeoutMs: 3_000});
	 * const {state} = z.object({state: z.string()}).parse(await response.json());
	 */
	fetch(url: string | URL, options?: FetchOptions): Promise<Response>;
	/**
	 * Reads a file that somebody attached to a message, with the bot's own rights. By default, `maxBytes` is 25 MiB.
	 *
	 * @throws FileError if there is no such file, the bot may not read it, or it is too large.
	 * @example
	 * const [, link] = /\]\((\/user_uploads\/[^)\s]+)\)/.exec(ctx.fullText) ?? [];
	 * const lines = link === undefined ? [] : (await (await ctx.download(link)).text()).split('\n');
	 */
	download(link: string, options?: DownloadOptions): Promise<Response>;
	/**
	 * Uploads a file. Resolves with a Markdown link for your message.
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
	 * The time until a date, in words: `in 1 hour and 30 minutes`.
	 *
	 * @example
	 * await ctx.reply(`The doors open ${ctx.until(new Date(ctx.now().getTime() + 5_400_000))}.`);
	 */
	until(when: Date): string;
	/**
	 * The same text, but mentions of people, groups and channels in it notify and link to nobody. Use it wherever a bot repeats what
	 * a person wrote. It puts an invisible character (U+200B) behind the `@` or `#` of each mention.
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
