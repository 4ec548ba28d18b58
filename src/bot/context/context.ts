// What a handler gets: the message, and ways to answer it.

import type {Message} from '../../api/index.js';
import {Target} from '../../delivery/target.js';
import type {Jsonable} from '../../storage/json.js';
import type {Actions} from './capabilities.js';
import type {ChoiceOptions, SendHandle, TextStream} from './handles.js';

export {Target};

/** The person who wrote the message. */
export interface Sender {
	/** User ID. */
	readonly id: number;
	/** The address that the service uses for the account. It may not receive mail. */
	readonly email: string;
	/** Full name. */
	readonly name: string;
	/** Markdown that mentions this person. */
	readonly mention: string;
}

/** The bot's own account. */
export interface Me {
	/** The address in its zuliprc. */
	readonly email: string;
	/** Its full name, as the message has it. */
	readonly name: string;
	/** Markdown that mentions it. */
	readonly mention: string;
}

/** A person: the value of `arg.user()`, `ctx.sender`, a user ID, or an email address. */
export type Person = number | string | {readonly id: number};

/** Options of `ctx.reply()`. */
export interface ReplyOptions extends ChoiceOptions {}

/** Options of `ctx.ask()`. */
export interface AskOptions<Data = unknown> extends ChoiceOptions {
	/** How long Bothy waits for the answer, in minutes. Default 10, for somebody else 1,440 (a day). */
	readonly minutes?: number;
	/** The person to ask: a user ID, an email address, or the value of `arg.user()` or `ctx.sender`. Default: the sender. */
	readonly of?: Person;
	/** Where to ask somebody else. Default: in a direct message. */
	readonly in?: Target;
	/** Data for the handler of the answer. It must fit into JSON. The `data` schema of `.answer()` gives it its type there. */
	readonly data?: Data & Jsonable<Data>;
}

/** A question, as the handler of its answer sees it. */
export interface Asked<Data = unknown> {
	/** The `data` of `ctx.ask()`, with the type of the `data` schema of `.answer()`. */
	readonly data: Data;
	/** The conversation in which your bot called `ctx.ask()`: reply there with `ctx.send(asked.from, …)`. */
	readonly from: Target;
	/** The person whose message made the bot ask. */
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
	 * What the bot remembers of this conversation, if it declares a `session`. Change its fields: Bothy stores it for a week if the
	 * handler ends without an error. Only one handler runs at a time in a conversation, so nobody else changes it meanwhile.
	 *
	 * @limits 64 KiB as JSON.
	 * @example
	 * ctx.session.limit = 9;
	 */
	readonly session: Session;
	/**
	 * Answers in the conversation. Until the deadline (see `deadlineMs`), replies are the answer to the webhook: they need no API
	 * key, and several become one message. After it, a worker posts them.
	 *
	 * @limits 10,000 characters. 26 buttons. 1,000 replies and sends for one message.
	 * @throws TypeError for a blank text, RangeError beyond a limit.
	 * @example
	 * await ctx.reply('Where do we eat?', {choices: ['Pizza', {label: 'Soup, please', says: 'soup'}]});
	 */
	reply(text: string, options?: ReplyOptions): Promise<SendHandle>;
	/**
	 * A message whose text grows while you write it, by default in this conversation: the answer of a language model, or the
	 * output of a long job. It shows changes once a second, and ends with the handler. At the service's limit of 10,000 characters,
	 * a further message continues the text. If the process dies, the rerun completes the same message. If the bot cannot read its
	 * own messages (an *Outgoing webhook* bot in direct messages), Bothy posts the text when it is complete.
	 *
	 * @example
	 * const stream = ctx.stream();
	 * await stream.write('Looking… ');
	 * await stream.write('found.');
	 */
	stream(target?: Target): TextStream;
	/**
	 * Asks the sender a question, or somebody else: `of` names the person, who is asked in a direct message unless `in` names a
	 * channel. Their next message there goes to `.answer(name)`, in any process. If they write `cancel`, the question is closed. A
	 * new question to the same person in the same conversation replaces the old one. In a channel, people answer with a
	 * mention of the bot, or with a button. Resolves with a handle of the question: `delete()` removes its buttons.
	 *
	 * @throws TypeError if there is no `.answer()` of that name, or nobody with the email address in `of`.
	 * @example
	 * await ctx.ask('decide', `May ${ctx.sender.name} take Friday off?`, {
	 * 	of: 'bob@bothy.example',
	 * 	choices: ['yes', 'no'],
	 * 	data: {who: ctx.sender.id},
	 * });
	 */
	ask<Data>(name: string, question: string, options?: AskOptions<Data>): Promise<SendHandle>;
	/**
	 * Adds an emoji to the message, by its name. If it is there already, nothing happens.
	 *
	 * A bot of the type *Outgoing webhook* cannot react in direct messages and in private channels with protected history. There,
	 * Bothy logs a warning instead.
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
