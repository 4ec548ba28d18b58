// What a handler is given: the message, and ways to answer.

import type {Message, Payload} from '../api/index.js';
import type {Say} from '../delivery/run.js';
import type {AccountSchedules} from '../delivery/schedules.js';
import {type Cron, checkCron} from '../queue/cron.js';
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
export interface Actions {
	readonly log: BotLog;
	/** Fires when the handler must stop. */
	readonly signal: AbortSignal;
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
	 * Drafts in an account of this host: its section's name in the config file, or its email. Throws an `UnknownAccount`
	 * when there is none. A rerun of the handler puts its drafts again.
	 *
	 * @example
	 * await ctx.drafts('alice').put('agenda', ctx.here, 'Agenda for Monday:');
	 */
	drafts(account: string): Drafts;
}

/** What a handler is given that runs at its due times. */
export interface CronContext extends Actions {
	/** The name under which the bot declares it. */
	readonly name: string;
	/** The due time; a little earlier than now, or much where a missed one is made up for. */
	readonly planned: Date;
}

export interface Context<Session = undefined> extends Actions {
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
	reply(text: string): Promise<void>;
}

/** What the host does for a context. Targets are JSON text, times milliseconds since 1970. */
export interface Effects extends Pick<Say, 'reply' | 'send' | 'schedule' | 'repeat'> {
	readonly schedules: AccountSchedules;
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
		...createActions({effects, log}),
		get signal() {
			return options.signal;
		},
		async reply(reply) {
			await effects.reply(expectText(reply, 'reply'));
		},
	};
}

/** All but `signal`, which is made when somebody first looks. */
export function createActions({effects, log}: {effects: Omit<Effects, 'reply'>; log: BotLog}): Omit<Actions, 'signal'> {
	const handleOf = (id: string): ScheduleHandle => ({
		id,
		cancel: () => effects.schedules.cancel(id),
		reschedule: when =>
			effects.schedules.reschedule(id, expectFuture(when, {method: 'reschedule', now: effects.now()})),
	});

	return {
		log,
		async send(target, text) {
			return {id: await effects.send({...expectMessage({target, text}, 'send')})};
		},
		async schedule(when, target, text, {key, via} = {}) {
			const message = {...expectMessage({target, text}, 'schedule'), name: key};
			if (when instanceof Date) {
				const dueAt = expectFuture(when, {method: 'schedule', now: effects.now()});
				return handleOf(await effects.schedule({...message, dueAt, via}));
			}

			if (via !== undefined) {
				throw new TypeError("Expected ctx.schedule() with a Date where `via: 'service'` is given, got a cron pattern");
			}

			return handleOf(await effects.repeat({...message, cron: checkCron(when)}));
		},
		async schedules() {
			const found = await effects.schedules.list();
			return found.flatMap(schedule =>
				schedule.target === undefined || schedule.text === undefined
					? []
					: [
							{
								...handleOf(schedule.id),
								when: new Date(schedule.dueAt),
								target: Target.parse(JSON.parse(schedule.target)),
								text: schedule.text,
								cron: schedule.kind === 'cron' ? schedule.cron : undefined,
							},
						],
			);
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

function expectMessage({target, text}: {target: unknown; text: unknown}, method: string) {
	return {target: JSON.stringify(expectTarget(target)), text: expectText(text, method)};
}

function expectFuture(when: Date, {method, now}: {method: string; now: number}): number {
	if (!(when.getTime() > now)) {
		const got = Number.isNaN(when.getTime()) ? 'no valid date' : when.toISOString();
		throw new RangeError(`Expected ctx.${method}() with a time in the future, got ${got}`);
	}

	return when.getTime();
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
