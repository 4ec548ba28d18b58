// Handlers for what happens in the service besides messages, and what they get.

import type {Target} from '../delivery/target.js';
import type {EventWork} from '../delivery/work.js';
import type {Actions} from './context/capabilities.js';
import type {Sender} from './context/context.js';
import {stripMention} from './mention.js';
import type {Returned} from './returned.js';

/** What the handler of a reaction gets: somebody added an emoji to a message of the bot. */
export interface ReactionContext<Config = undefined> extends Actions<Config> {
	/** The emoji's name, such as `tada`. */
	readonly emoji: string;
	/** Who added it. */
	readonly person: Sender;
	/** The bot's message, as it is now. */
	readonly message: {readonly id: number; readonly text: string};
	/** The conversation of the message. */
	readonly here: Target;
}

/** What the handler of an edit gets: somebody changed the text of a message that had called the bot. */
export interface EditContext<Config = undefined> extends Actions<Config> {
	/** The text before, without the mention of the bot. */
	readonly oldText: string;
	/** The text after this edit, without the mention of the bot. */
	readonly newText: string;
	/** Who wrote and edited the message. */
	readonly sender: Sender;
	/** The message. */
	readonly message: {readonly id: number};
	/** The conversation of the message. */
	readonly here: Target;
}

/** What the handler of a join gets: somebody joined a channel, or was added to it. */
export interface JoinContext<Config = undefined> extends Actions<Config> {
	/** Who joined. */
	readonly member: Sender;
	/** The channel. */
	readonly channel: {readonly id: number; readonly name: string};
}

/** Handlers by trigger, for accounts with `receive = events`. */
export interface EventHandlers<Config = undefined> {
	/** Somebody added an emoji to a message of the bot. */
	readonly reaction: (ctx: ReactionContext<Config>) => Returned;
	/** Somebody edited a message that had called the bot. */
	readonly edit: (ctx: EditContext<Config>) => Returned;
	/** Somebody joined a channel to which the bot is subscribed. */
	readonly join: (ctx: JoinContext<Config>) => Returned;
}

export const EVENTS: readonly string[] = ['reaction', 'edit', 'join'] satisfies (keyof EventHandlers)[];

/** False if the bot no longer declares the trigger. */
export async function runEvent<Config>(
	{events}: {readonly events: Partial<EventHandlers<Config>>},
	work: EventWork,
	give: <More extends object>(more: More) => Actions<Config> & More,
): Promise<boolean> {
	const {id, email, name} = work.by;
	const person: Sender = {id, email, name, mention: `@**${name}|${id}**`};
	switch (work.kind) {
		case 'reaction': {
			const {emoji, message, here} = work;
			await events.reaction?.(give({emoji, person, message, here}));
			break;
		}

		case 'edit': {
			const {message, here, fullName} = work;
			const oldText = stripMention(work.oldText, {fullName});
			const newText = stripMention(work.newText, {fullName});
			await events.edit?.(give({oldText, newText, sender: person, message: {id: message}, here}));
			break;
		}

		default:
			await events.join?.(give({member: person, channel: work.channel}));
	}

	return work.kind in events;
}
