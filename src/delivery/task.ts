// A delivery in the hands of a process, and what the bot's code gets of it.

import type {Payload} from '../api/index.js';
import type {Session, SessionRules} from '../storage/session.js';
import type {RunScope} from './run-scope.js';

/** What the host of a bot account decides. */
export interface AccountRules extends SessionRules {
	readonly site: string;
	readonly email: string;
	/** Time from the first byte until an answer counts as late, in milliseconds. */
	readonly deadlineMs: number;
	/** After this a handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
	/** How many handlers of this bot run concurrently in one process. The others wait, and their answers are late. */
	readonly concurrency: number;
	/** How many messages one sender may write in a minute. 0 for no limit. */
	readonly perMinute: number;
}

/** A delivery to run. */
export interface Incoming<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	/** The payload as JSON text, without its token. This text is stored. */
	readonly text: string;
}

/** What a bot gets for one run. */
export interface Task<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	/** Only for bots that keep a session. */
	readonly session: Session | undefined;
	readonly run: RunScope;
}
