// What a handler is given: the message, and ways to answer.

import type {Message} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {Cron} from '../queue/cron.js';
import type {Target} from '../queue/sends.js';
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

/** A message on its way. */
export interface SendHandle {
	/** Id of the send; the same one never posts twice. */
	readonly id: string;
	/**
	 * The message's id, once the service has it. Rejects when it is refused, when nobody can tell whether it was posted, and
	 * when the handler's time is over.
	 */
	readonly sent: Promise<number>;
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

export interface ScheduleOptions {
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
	/** Fires when the handler must stop. */
	readonly signal: AbortSignal;
	/**
	 * The service's whole API, as this account. Throws where the account has no API key. What is called here is called again
	 * when the handler is rerun.
	 */
	readonly api: Client;
	readonly storage: Storage;
	/** Posts a message anywhere the bot may post. Resolves once it is stored; a worker posts it. */
	send(target: Target, text: string): Promise<SendHandle>;
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

export interface ReplyOptions {
	/** Buttons under the message; of several replies that become one message the last one's are shown. */
	readonly choices?: readonly Choice[];
}

export interface AskOptions extends ReplyOptions {
	/** How long the answer is waited for, in minutes. Default 10. */
	readonly minutes?: number;
}

export interface Context<Session = undefined, Config = undefined> extends Actions<Config> {
	/** The message as the service sent it. */
	readonly message: Message;
	readonly sender: Sender;
	/** Why the service called: `mention`, `direct_message`, or one that we do not know. */
	readonly trigger: string;
	/** The text without the bot's own mention, trimmed. */
	readonly text: string;
	/** The whole text as it was written. */
	readonly fullText: string;
	/** The conversation that the message stands in. */
	readonly here: Target;
	/** What the bot remembers of this conversation, where it declares a session; stored when the handler has ended. */
	readonly session: Session;
	/** Answers in the conversation. Several replies in time become one message. */
	reply(text: string, options?: ReplyOptions): Promise<void>;
	/**
	 * Asks the sender. Their next message in this conversation goes to `.answer(name)`, whichever process gets it; `cancel`
	 * ends the waiting. A later question takes an earlier one's place.
	 */
	ask(name: string, question: string, options?: AskOptions): Promise<void>;
	/** Adds an emoji to the message, by its name. That it is there already is no error. */
	react(emoji: string): Promise<void>;
	/** Shows that an answer is on its way, for some seconds. */
	typing(): Promise<void>;
}
