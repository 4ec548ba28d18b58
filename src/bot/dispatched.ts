import type {People} from './arguments/people.js';
import type {Context} from './context/context.js';
import type {Conversation} from './context/conversation.js';
import type {OpenQuestion} from './context/questions.js';

/** One message, and what Bothy knows about its conversation. */
export interface Dispatched<Session, Config> {
	readonly ctx: Context<Session, Config>;
	readonly conversation: Conversation<Session>;
	readonly people: People;
	/** The open question to the sender, also one that was asked from another conversation. */
	readonly asked?: OpenQuestion | undefined;
	/** Whether the message is a press of a button whose question is answered or expired. */
	isClosedChoice(): Promise<boolean>;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** Whether the bot was mentioned or written to. Otherwise it only listens. */
export function isSpokenTo({trigger}: {trigger: string}): boolean {
	return trigger === 'mention' || trigger === 'direct_message';
}
