// The handles of messages and schedules, and the options for posting.

import type {Target} from '../../delivery/target.js';
import type {Cron} from '../../queue/cron.js';
import type {Choice} from './choices.js';

/** A message that the bot posts. */
export interface SendHandle {
	/** The ID of the send. Bothy never posts the same ID twice. `SendError` names it. */
	readonly sendId: string;
	/**
	 * Resolves with the message's ID when the service has the message. If you read the ID of a reply, a worker posts the replies
	 * through the API, instead of answering the webhook with them. Rejects if the service refuses the message, if Bothy cannot
	 * find out whether it was posted, or if the handler's time is over.
	 *
	 * @example
	 * const poll = await ctx.reply('Who comes?');
	 * await ctx.storage.set('poll', await poll.id);
	 */
	readonly id: Promise<number>;
	/** Changes its text. The service refuses this for a message with buttons. */
	edit(text: string): Promise<void>;
	/** Deletes the message. Use it to remove buttons. */
	delete(): Promise<void>;
	/** Adds an emoji to it, by name. */
	react(emoji: string): Promise<void>;
}

/** Text that grows in one message, or in several if it is long. */
export interface TextStream {
	/** All that was written so far. */
	readonly text: string;
	/** Adds to the text. The message shows it within about a second. */
	write(text: string): Promise<void>;
	/** Ends the stream: the message then shows the whole text. A stream that you do not end ends with the handler. */
	end(): Promise<void>;
}

/** A scheduled message. */
export interface ScheduleHandle {
	/** The `key` that you gave; by default, the ID of the send. */
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
	/** Where Bothy posts it. */
	readonly target: Target;
	/** The text that Bothy posts. */
	readonly text: string;
	/** The cron pattern of a recurring message. */
	readonly cron: Cron | undefined;
}

/** Buttons of a message. */
export interface ChoiceOptions {
	/**
	 * Buttons under the message, at most 26. A press posts the button's text in the name of that person; in a channel, with a
	 * mention of the bot. The service shows text and buttons without Markdown. If several replies become one message, it has
	 * the last buttons.
	 *
	 * @example
	 * await ctx.reply('Where?', {choices: ['here', {label: 'Over there', says: 'go there'}]});
	 */
	readonly choices?: readonly Choice[];
}

/** Options of `ctx.later()`. */
export interface LaterOptions {
	/** Names it. If this bot account plans again under the same key, the new one replaces the old one. */
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
