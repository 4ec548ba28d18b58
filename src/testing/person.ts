// The people of the demo organization, who speak to the bot.

import type {Client} from '../client/client.js';
import type {SentMessage} from './realm-queries.js';

/** One of each role, and three members: `olivia` owns the organization, `adam` administers it, `mona` moderates, `gus` is a guest. */
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
	 * Writes to the bot; gives what it answered there, one text for each message.
	 *
	 * @example
	 * assert.deepEqual(await t.alice.dm('roll 0d6'), ['Nothing rolls.']);
	 */
	dm(text: string): Promise<string[]>;
	/**
	 * Writes in a channel, or to other people and the bot together; gives what the bot answered there.
	 *
	 * @example
	 * await t.alice.says('#general > lunch', '@**Bot** hello');
	 * await t.alice.says('@bob, @carla', 'hello, you three');
	 */
	says(where: string, text: string): Promise<string[]>;
	/**
	 * Presses a button under the bot's latest message that has such a one: says there what the button says.
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

/** Where somebody writes, in the words of `SentMessage.where`. */
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
