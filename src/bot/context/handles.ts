// What a bot gets for what it posts and schedules, and how it may post.

import type {Target} from '../../delivery/target.js';
import type {Cron} from '../../queue/cron.js';
import type {Choice} from './choices.js';

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
