// What a handler is given: the message, and ways to answer.

import type {Message, Payload} from '../api/index.js';
import {Target} from '../queue/sends.js';
import type {Drafts} from './drafts.js';
import {stripMention} from './mention.js';

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
}

export interface Context<Session = undefined> {
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
	readonly log: BotLog;
	/** Fires when the handler must stop. */
	readonly signal: AbortSignal;
	/** Answers in the conversation. Several replies in time become one message. */
	reply(text: string): Promise<void>;
	/** Posts a message anywhere the bot may post. Resolves once it is stored; a worker posts it. */
	send(target: Target, text: string): Promise<SendHandle>;
	/** Posts a message at `when`. Throws a RangeError when that is not in the future. */
	schedule(when: Date, target: Target, text: string): Promise<SendHandle>;
	/**
	 * Drafts in an account of this host: its section's name in the config file, or its email. Throws an `UnknownAccount`
	 * when there is none. A rerun of the handler puts its drafts again.
	 *
	 * @example
	 * await ctx.drafts('alice').put('agenda', ctx.here, 'Agenda for Monday:');
	 */
	drafts(account: string): Drafts;
}

/** What the host does for a context. */
export interface Effects {
	reply(text: string): Promise<void>;
	send(message: {target: Target; text: string; delayMs: number}): Promise<SendHandle>;
	drafts(account: string): Drafts;
	now(): number;
}

export interface ContextOptions<Session> {
	readonly payload: Payload;
	readonly effects: Effects;
	readonly session: Session;
	readonly log: BotLog;
	readonly signal: AbortSignal;
}

export function createContext<Session>(options: ContextOptions<Session>): Context<Session> {
	const {payload, effects, session, log} = options;
	const {message} = payload;
	const text = stripMention(payload.data, {
		fullName: payload.bot_full_name,
		renderedContent: message.rendered_content,
	});
	return {
		message,
		sender: {
			id: message.sender_id,
			email: message.sender_email,
			name: message.sender_full_name,
			mention: `@**${message.sender_full_name}|${message.sender_id}**`,
		},
		// Servers before feature level 201 say `private_message`.
		trigger: payload.trigger === 'private_message' ? 'direct_message' : payload.trigger,
		text,
		fullText: payload.data,
		here: conversationOf(payload),
		session,
		log,
		get signal() {
			return options.signal;
		},
		async reply(reply) {
			await effects.reply(expectText(reply, 'reply'));
		},
		async send(target, message) {
			return effects.send({target: expectTarget(target), text: expectText(message, 'send'), delayMs: 0});
		},
		async schedule(when, target, message) {
			const delayMs = when.getTime() - effects.now();
			if (!(delayMs > 0)) {
				const got = Number.isNaN(when.getTime()) ? 'no valid date' : when.toISOString();
				throw new RangeError(`Expected ctx.schedule() with a time in the future, got ${got}`);
			}

			return effects.send({target: expectTarget(target), text: expectText(message, 'schedule'), delayMs});
		},
		drafts: account => checked(effects.drafts(account)),
	};
}

/** Longer ones are cut by services, silently. */
const LONGEST_DRAFT = 10_000;
const LONGEST_TOPIC = 60;

function checked(drafts: Drafts): Drafts {
	return {
		async put(key, target, text) {
			const place = expectTarget(target);
			if ('topic' in place && place.topic.length > LONGEST_TOPIC) {
				throw new TypeError(
					`Expected ctx.drafts().put() with a topic of at most ${LONGEST_TOPIC} characters, got ${place.topic.length}`,
				);
			}

			if (expectText(text, 'drafts().put').length > LONGEST_DRAFT) {
				throw new TypeError(
					`Expected ctx.drafts().put() with a text of at most ${LONGEST_DRAFT} characters, got ${text.length}`,
				);
			}

			await drafts.put(expectKey(key), place, text);
		},
		remove: async key => drafts.remove(expectKey(key)),
		list: () => drafts.list(),
	};
}

/** Where a payload was written. */
export function conversationOf({message, bot_email}: Payload): Target {
	if (Array.isArray(message.display_recipient)) {
		const others = message.display_recipient.filter(({email}) => email.toLowerCase() !== bot_email.toLowerCase());
		return {dm: others.map(({id}) => id)};
	}

	return {channel: message.stream_id ?? message.display_recipient, topic: message.subject};
}

function expectText(text: unknown, method: string): string {
	if (typeof text !== 'string' || text.trim() === '') {
		throw new TypeError(`Expected ctx.${method}() with a text that is not blank, got ${describe(text)}`);
	}

	return text;
}

function expectKey(key: unknown): string {
	if (typeof key !== 'string' || key.trim() === '') {
		throw new TypeError(`Expected ctx.drafts() with a key that is not blank, got ${describe(key)}`);
	}

	return key;
}

function expectTarget(target: unknown): Target {
	const parsed = Target.safeParse(target);
	if (!parsed.success) {
		throw new TypeError(
			`Expected a target {channel, topic}, {dm: [user ids or emails]} or ctx.here, got ${describe(target)}`,
		);
	}

	return parsed.data;
}

function describe(value: unknown): string {
	if (typeof value === 'string') {
		return 'a blank string';
	}

	return typeof value === 'object' && value !== null
		? `an object with ${Object.keys(value).join(', ')}`
		: String(value);
}
