// The ways in which a bot posts.

import type {CheckedCron} from '../queue/cron.js';

export interface Outbound {
	/** Answers in the conversation; `widget` is JSON text of what the service shows under it. Resolves with the id of the send. */
	reply(text: string, widget?: string): Promise<string>;
	/** Has the replies posted from here on, rather than answered with: only what is posted has a message's ID. */
	post(): Promise<void>;
	/** Posts anywhere; resolves with the id of the send. */
	send(message: {target: string; text: string; widget?: string | undefined}): Promise<string>;
	/** Has a worker change what an earlier send of this delivery became. */
	edit(change: {send: string; text: string}): Promise<void>;
	/** Posts at a set time; resolves with its name, the id of the send when none is given. */
	schedule(message: Scheduled): Promise<string>;
	/** Posts again and again; resolves with its name. */
	repeat(message: Omit<Scheduled, 'dueAt' | 'via' | 'kind'> & {cron: CheckedCron}): Promise<string>;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

export interface Scheduled {
	/** `later`: a handler of the bot, that `text` names. Default `send`. */
	readonly kind?: 'send' | 'later';
	readonly target: string;
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly dueAt: number;
	/** JSON text of what the service shows under it. */
	readonly widget?: string | undefined;
	/** What had it before is cancelled. */
	readonly name?: string | undefined;
	/** The service stores the message until it is due. */
	readonly via?: 'service' | undefined;
}
