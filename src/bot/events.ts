// Handlers for what happens in the service besides messages, and what they get.

import type {EventWork} from '../delivery/event-work.js';
import type {Actions, Sender, Target} from './context.js';
import type {Returned} from './returned.js';
import {conversationOf} from './target-of.js';

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

/** Handlers by trigger, for accounts with `receive = events`. */
export interface EventHandlers<Config = undefined> {
	/** Somebody added an emoji to a message of the bot. */
	readonly reaction: (ctx: ReactionContext<Config>) => Returned;
}

export const EVENTS: readonly string[] = ['reaction'] satisfies (keyof EventHandlers)[];

/** False if the bot no longer declares the trigger. */
export async function runEvent<Config>(
	{events}: {readonly events: Partial<EventHandlers<Config>>},
	work: EventWork,
	give: <More extends object>(more: More) => Actions<Config> & More,
): Promise<boolean> {
	const {payload} = work;
	const {message} = payload;
	const here = conversationOf(payload);
	if (!events.reaction) {
		return false;
	}

	const {id, content: text} = message;
	await events.reaction(give({emoji: work.emoji, person: senderOf(payload), message: {id, text}, here}));
	return true;
}

function senderOf({message}: EventWork['payload']): Sender {
	const {sender_id: id, sender_email: email, sender_full_name: name} = message;
	return {id, email, name, mention: `@**${name}|${id}**`};
}
