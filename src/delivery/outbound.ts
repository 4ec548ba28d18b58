// The ways in which a bot can post.

import type {CheckedCron} from '../queue/cron.js';

export interface Outbound {
	/** Answers in the conversation; `widget` is JSON text of what the service shows under it. Resolves with the id of the send. */
	reply(text: string, widget?: string): Promise<string>;
	/** Makes a worker post the replies, those of before and those to come. Only posted messages have an ID. */
	post(): Promise<void>;
	/** Posts anywhere; resolves with the id of the send. */
	send(message: {target: string; text: string; widget?: string | undefined}): Promise<string>;
	/** Makes a worker change the message of an earlier send of this delivery. */
	edit(change: {send: string; text: string}): Promise<void>;
	/** Posts at a set time. Resolves with its name; by default, the ID of the send. */
	schedule(message: Scheduled): Promise<string>;
	/** Posts at each due time of a cron. Resolves with its name. */
	repeat(message: Omit<Scheduled, 'dueAt' | 'via' | 'kind'> & {cron: CheckedCron}): Promise<string>;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

export interface Scheduled {
	/** `later`: runs the bot's handler that `text` names. Default `send`. */
	readonly kind?: 'send' | 'later';
	readonly target: string;
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly dueAt: number;
	/** JSON text of what the service shows under it. */
	readonly widget?: string | undefined;
	/** Names the schedule. Cancels the one that had the name before. */
	readonly name?: string | undefined;
	/** The service stores the message until it is due. */
	readonly via?: 'service' | undefined;
}
