// A delivery that a process runs, and what the bot gets of it.

import type {Session, SessionRules} from '../storage/session.js';
import type {DeliveryRef} from './ref.js';
import type {RunScope} from './run-scope.js';
import type {Work} from './work.js';

/** The limits that a host enforces for a bot account. */
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
	readonly work: Work;
	/** The work as JSON text, without a token. This text is stored. Default: the work, written as JSON. */
	readonly text?: string;
	/** The delivery of this work. Default: computed. */
	readonly ref?: DeliveryRef;
}

/** What a bot gets for one run. */
export interface Task<Account extends AccountRules> {
	readonly account: Account;
	readonly work: Work;
	/** Only for bots that keep a session. */
	readonly session: Session | undefined;
	readonly run: RunScope;
}
