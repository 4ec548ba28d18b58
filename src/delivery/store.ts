// What is stored of deliveries, and the few steps that change it. Each step is atomic and safe to repeat:
// a repeated step returns its first result.

import type {EntryState} from '../outbox/entry-state.js';
import type {StoredCron} from '../schedules/cron-store.js';
import type {DeliveryRef} from './ref.js';

/** How long a delivery stays readable, in milliseconds. */
export const KEPT_MS = 7 * 24 * 3600 * 1000;

/** How long a run holds its delivery without a renewal, in milliseconds. */
export const LEASE_MS = 10_000;

/** After this time a worker posts an inline answer that no connection confirmed. It searches for the answer first. */
export const UNCONFIRMED_MS = 60_000;

/** Maximum number of times that the service posts a payload. Nothing follows the last one, so nothing shows that its answer was read. */
export const LAST_ARRIVAL = 4;

/**
 * A repeat this long after the first arrival is the last one, even if Bothy has seen fewer: three attempts before it lasted at most 10 s
 * each, and those that never reached Bothy cannot be counted.
 */
export const LAST_ARRIVAL_MS = 30_000;

/** Maximum number of runs of a delivery: one, and two reruns in the background. */
export const MAX_RUNS = 3;

/** Runs up to this one do not count if they were released. Later ones do: the message may be what slows its processes down. */
export const LAST_EXCUSED_RUN = 10;

export interface ClaimRequest {
	/** Identifies the holder. The same nonce gets the same result. Starts with the id of the process. */
	readonly nonce: string;
	/** JSON text of the work. */
	readonly work: string;
	/** The sender, for flood control. */
	readonly sender: number;
	/** How many messages a sender may write to this bot in a minute. 0 for no limit. */
	readonly perMinute: number;
	/**
	 * Nobody called the bot. If the sender exceeds the limit, or the work crashes its runs, nobody gets a text. Such messages are
	 * counted separately from those that call the bot.
	 */
	readonly isUnasked?: boolean;
	/** A holder that is known to be dead. Its lease ends at once. */
	readonly deadHolder?: string | undefined;
	/** Does not take over a delivery whose holder is gone. The answer is then `busy`. */
	readonly leavesLapsed?: boolean;
	/** No connection waits for the answer: a worker posts it, unless it was delivered already. */
	readonly isLate?: boolean;
	/** A connection waits for the answer. So the service has not read any earlier one. */
	readonly isArrival?: boolean;
	/** This connection is the service's last one and is still open: a worker should post the answer. */
	readonly posts?: boolean;
}

export type Claim =
	/** This holder runs it. `isLate` if its answer can no longer be inline. */
	| {readonly kind: 'run'; readonly run: number; readonly isLate: boolean}
	/** Another run holds it. */
	| {readonly kind: 'busy'; readonly holder: string}
	/** It has this answer, JSON text. `isFlood` if it did not run because its sender exceeds the flood limit. */
	| {readonly kind: 'answer'; readonly answer: string; readonly isFlood: boolean}
	/** Nothing would show that the service read this connection's answer. If it is still open, a worker should post the answer. */
	| {readonly kind: 'last'}
	/** A worker posts its output through the REST API. */
	| {readonly kind: 'late'};

export const OUTBOX_KINDS = ['reply', 'send', 'edit', 'later'] as const;

/** One thing that a bot posts outside the webhook's answer. */
export interface OutboxEntry {
	/** Numbers the posts of this delivery, from 1. */
	readonly n: number;
	/**
	 * `reply` goes to the conversation of the message, `send` anywhere. `edit` changes the message of another entry. `later` runs
	 * the handler that its text names.
	 */
	readonly kind: (typeof OUTBOX_KINDS)[number];
	/** JSON text of the target. */
	readonly target: string;
	readonly text: string;
	/** Earliest time, in milliseconds since 1970. 0 for at once. */
	readonly dueAt: number;
	/** JSON text of what the service shows under the message. */
	readonly widget?: string;
	/** Number of the entry whose message an `edit` changes. */
	readonly edits?: number;
	/** Whether it may have been posted already. Then a worker searches the conversation first. */
	readonly mayBePosted: boolean;
	/** The service stores it until it is due, as a scheduled message. */
	readonly via?: 'service';
	/** A person had it posted before its time. */
	readonly byHand?: true;
	/** Names a post at a set time, so that a bot can find, move and cancel it. */
	readonly name?: string;
}

export interface StoredEntry extends Omit<OutboxEntry, 'kind'> {
	/** `unknown`: a newer version of Bothy stored it, and this version cannot read it. */
	readonly kind: OutboxEntry['kind'] | 'unknown';
	readonly state: EntryState;
}

export type Status = 'running' | 'done' | 'parked' | 'flood';

/** A delivery as the ledger shows it. */
export interface LedgerEntry {
	readonly ref: DeliveryRef;
	readonly status: Status;
	readonly decision: 'none' | 'inline' | 'late';
	/** How often it was run. */
	readonly runs: number;
	/** How many of these runs do not count: a stop interrupted them, or their process was only slow. */
	readonly stops: number;
	/** Waits until its bot is resumed. */
	readonly isHeld: boolean;
	/** Milliseconds since 1970. */
	readonly arrivedAt: number;
	readonly endedAt: number | undefined;
	/** JSON text of the work; undefined once it was dropped. */
	readonly work: string | undefined;
	readonly answer: string | undefined;
	/** The error that the handler threw, with its stack. */
	readonly error: string | undefined;
	readonly outbox: readonly StoredEntry[];
}

export interface Finish {
	readonly run: number;
	/** JSON text of the webhook's answer, if it is inline. */
	readonly answer: string;
	/** Whether a connection of this process can carry the answer now. Without one the answer is late. */
	readonly canAnswer: boolean;
	/** What goes into the outbox instead if the answer is late. Empty if there is nothing to post. */
	readonly replies: readonly OutboxEntry[];
	/** The error that the handler threw, with its stack. */
	readonly error?: string | undefined;
	/** The session that the run held, and its new value if it changed. */
	readonly session?: (HeldSession & {readonly json: string | undefined}) | undefined;
}

/** A conversation whose session a run holds. */
export interface HeldSession {
	readonly conversation: string;
	/** Identifies the run among all holders. Starts with the id of the process. */
	readonly holder: string;
}

/** An inline answer and what carries it to the service: a run by its number, or a repeat by the nonce of its claim. */
export interface Carried {
	readonly ref: DeliveryRef;
	readonly carrier: string;
}

export type SessionEntry =
	/** This run has it. `json` is the value from the previous run. */
	| {readonly kind: 'entered'; readonly json: string | undefined}
	| {readonly kind: 'busy'; readonly holder: string}
	/** Another run has taken over the delivery in the meantime. */
	| {readonly kind: 'stale'};

/** Result for a holder: continue, continue but post late, or stop because another run has taken over. */
export type DeliveryState = 'inline' | 'late' | 'stale';

export interface DeliveryStore {
	/** Stores a new delivery before anything runs. Takes over a lapsed one. Parks one that crashed its runs. */
	claim(ref: DeliveryRef, request: ClaimRequest): Promise<Claim>;
	/**
	 * Gives up a run, which then does not count. Another run may follow at once, or, if it `holds`, after `wakeHeld`. If another run
	 * has taken over, this shows that its process was only slow.
	 */
	release(ref: DeliveryRef, run: number, how?: {readonly holds: boolean}): Promise<void>;
	/** Renews the lease, and the session lock with it. */
	renew(ref: DeliveryRef, run: number, session?: HeldSession): Promise<DeliveryState>;
	/** Requests the session of a conversation. Only one run at a time has it. */
	enterSession(ref: DeliveryRef, run: number, request: HeldSession & {deadHolder?: string}): Promise<SessionEntry>;
	/** Any connection may call this at its deadline. The answer is late from now on, unless it was decided inline before. */
	decideLate(ref: DeliveryRef): Promise<{readonly answer: string} | 'late'>;
	/** The network took this answer in full. Ignored if another connection carries the answer by now. */
	confirm(carried: readonly Carried[]): Promise<void>;
	/** The network did not take this answer in full. The answer is late, unless another connection carries it by now. */
	answerLost(carried: Carried): Promise<boolean>;
	/** The current run has ended: `inline` if `answer` may be written, `late` if not. */
	finish(ref: DeliveryRef, finish: Finish): Promise<DeliveryState>;
	/** Stores what a run posts, for a worker. If the delivery runs again, the first version of an entry stays. */
	append(ref: DeliveryRef, run: number, entries: readonly OutboxEntry[]): Promise<AppendResult>;
	/** The same for a post at a set time. Cancels the earlier schedule with this name. */
	schedule(ref: DeliveryRef, run: number, entry: OutboxEntry & {readonly name: string}): Promise<AppendResult>;
	/** Stores what a run schedules with a cron. */
	repeat(
		ref: DeliveryRef,
		run: number,
		repeated: {readonly id: string; readonly cron: StoredCron},
	): Promise<'put' | 'stale'>;
}

/** `differing` lists the numbers of entries for which an earlier run had another target or text. */
export type AppendResult = 'stale' | {readonly differing: readonly number[]};
