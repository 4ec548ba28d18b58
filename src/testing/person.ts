// The people of the demo organization who talk to the bot.

import type {Client} from '../client/client.js';
import type {SentMessage} from './realm-queries.js';

/** `olivia` is the owner, `adam` an administrator, `mona` a moderator, `gus` a guest. The others are members. */
export const PEOPLE = ['olivia', 'adam', 'mona', 'alice', 'bob', 'carla', 'gus'] as const;
export type PersonName = (typeof PEOPLE)[number];

export interface Person {
	readonly id: number;
	/** `Alice Ahn` */
	readonly name: string;
	readonly email: string;
	/** Markdown that mentions them, as `ctx.sender.mention` has it. */
	readonly mention: string;
	/** The service's whole API, as this person. */
	readonly api: Client;
	/**
	 * Writes to the bot. Resolves with its answers there, one text for each message.
	 *
	 * @example
	 * assert.deepEqual(await t.alice.dm('roll 0d6'), ['I need at least one die with at least one side, such as `2d6`.']);
	 */
	dm(text: string): Promise<string[]>;
	/**
	 * Writes in a channel, or in a group with the bot. Resolves with the bot's answers there.
	 *
	 * @example
	 * await t.alice.says('#general > lunch', '@**Bot** hello');
	 * await t.alice.says('@bob, @carla', 'hello, you three');
	 */
	says(where: string, text: string): Promise<string[]>;
	/**
	 * Presses the latest button of the bot with this label: posts the button's text in its conversation.
	 *
	 * @example
	 * await t.olivia.dm('purge'); // Really?
	 * await t.olivia.presses('yes');
	 */
	presses(label: string): Promise<string[]>;
	/**
	 * Adds an emoji to a message, for example one of `t.sent`; gives what the bot said then.
	 *
	 * @example
	 * const [said] = await t.alice.reacts(t.sent.at(-1)!, 'tada');
	 */
	reacts(message: {readonly id: number}, emoji: string): Promise<SentMessage[]>;
	/** The message that this person wrote last. */
	readonly latest: {readonly id: number; readonly text: string};
	/**
	 * Edits a message of this person; gives what the bot said then.
	 *
	 * @example
	 * await t.alice.dm('2 pizzas');
	 * await t.alice.edits(t.alice.latest, '3 pizzas');
	 */
	edits(message: {readonly id: number}, text: string): Promise<SentMessage[]>;
	/**
	 * Leaves the channel, if this person is in it, and joins it; gives what the bot said then.
	 *
	 * @example
	 * await t.bob.joins('general');
	 */
	joins(channel: string): Promise<SentMessage[]>;
}

/** Parses a conversation in the form of `SentMessage.where`. */
export type Place = {readonly channel: string; readonly topic: string} | {readonly people: readonly string[]};

export function readPlace(where: string): Place {
	const [, channel, topic] = /^#([^>]+?)\s*>\s*(.*)$/.exec(where.trim()) ?? [];
	if (channel !== undefined && topic !== undefined) {
		return {channel, topic};
	}

	const people = where.split(',').map(name => /^\s*@(\S+)\s*$/.exec(name)?.[1]?.toLowerCase());
	const known: readonly (string | undefined)[] = PEOPLE;
	if (!people.every(name => known.includes(name))) {
		throw new TypeError(`Expected a place such as "#general > lunch" or "@bob, @carla", got "${where}"`);
	}

	return {people: people.map(String)};
}
