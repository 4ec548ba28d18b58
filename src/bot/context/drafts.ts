// Drafts that a bot puts into a person's account.

import type {Target} from '../../delivery/target.js';

/** The state of a draft. */
export type DraftStatus =
	/** On its way to the service. */
	| {readonly status: 'waiting'}
	| {readonly status: 'synced'}
	/** The person changed it: `theirs` is their text, which stays. `conflict` if the bot has put another text in the meantime. */
	| {readonly status: 'edited' | 'conflict'; readonly theirs: string}
	/** The person sent or deleted it. */
	| {readonly status: 'gone'}
	/** The service refused it. */
	| {readonly status: 'refused'; readonly reason: string};

/** A draft as the bot put it, and its state: `waiting`, `synced`, `edited`, `conflict`, `gone` or `refused`. */
export type BotDraft = DraftStatus & {readonly key: string; readonly target: Target; readonly text: string};

/** The drafts of one bot in one account, each under a key that you choose. */
export interface Drafts {
	/**
	 * Creates a draft, or replaces the one under this key. If the person has changed it, their text stays. Resolves when the
	 * draft is stored; a worker syncs it with the service.
	 *
	 * @limits 10,000 characters of text, 60 of the topic, 200 of the key.
	 * @throws TypeError or RangeError beyond a limit.
	 * @example
	 * await ctx.drafts('alice').put('agenda', {channel: 'general', topic: 'monday'}, 'Agenda for Monday:');
	 */
	put(key: string, target: Target, text: string): Promise<void>;
	/**
	 * Deletes a draft. If the person has changed it, the draft stays and belongs to the person.
	 *
	 * @example
	 * await ctx.drafts('alice').remove('agenda');
	 */
	remove(key: string): Promise<void>;
	/**
	 * Lists the bot's own drafts with their states. A change by the person is visible within a minute.
	 *
	 * @example
	 * for (const draft of await ctx.drafts('alice').list()) {
	 * 	ctx.log.info({key: draft.key, status: draft.status}, 'draft');
	 * }
	 */
	list(): Promise<BotDraft[]>;
}

/** This host has no account with that name or email. */
export class UnknownAccount extends Error {
	override name = 'UnknownAccount' as const;
}
