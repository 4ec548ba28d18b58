// Drafts that a bot keeps for a person.

import type {Target} from '../queue/sends.js';

/** What became of a draft. */
export type DraftStatus =
	/** On its way to the service. */
	| {readonly status: 'waiting'}
	| {readonly status: 'synced'}
	/**
	 * The person changed it: `theirs` is their text, which stays. A `conflict` when the bot has put another one
	 * meanwhile, which does not replace it.
	 */
	| {readonly status: 'edited' | 'conflict'; readonly theirs: string}
	/** The person sent or deleted it. */
	| {readonly status: 'gone'}
	/** The service did not take it. */
	| {readonly status: 'refused'; readonly reason: string};

/** A draft as the bot put it, and what became of it. */
export type BotDraft = DraftStatus & {readonly key: string; readonly target: Target; readonly text: string};

/** The drafts that a bot keeps in one account; each has a key of the bot's own choice. */
export interface Drafts {
	/**
	 * Puts a draft where the person finds it, or replaces the one of this key. What the person has changed is never
	 * replaced. Resolves once it is stored; a worker brings it to the service.
	 */
	put(key: string, target: Target, text: string): Promise<void>;
	/** Takes a draft away, unless the person has changed it: then it stays, and is the bot's no more. */
	remove(key: string): Promise<void>;
	/** The bot's own drafts. What people do is seen within a minute. */
	list(): Promise<BotDraft[]>;
}

/** This host has no such account. */
export class UnknownAccount extends Error {
	override name = 'UnknownAccount' as const;
}
