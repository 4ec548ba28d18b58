// What is kept of deliveries, and the few steps that change it. Each step is atomic and may be repeated: a step that was
// done already gives its first result.

import type {EntryState} from '../outbox/entry-state.js';
import type {StoredCron} from '../schedules/cron-store.js';
import type {DeliveryRef} from './ref.js';

/** How long a run holds its delivery without renewing, in milliseconds. */
export const LEASE_MS = 10_000;

/** After this long an inline answer that no connection confirmed is posted instead, after a look. */
export const UNCONFIRMED_MS = 60_000;

/** The service posts the same payload this often at most; nothing follows the last time, so nothing proves it was read. */
export const LAST_ARRIVAL = 4;

/** A delivery is run this often at most: once, and two reruns. */
export const MAX_RUNS = 3;

export interface ClaimRequest {
	/** Names the holder; the same nonce gets the same result. Starts with the id of the process. */
	readonly nonce: string;
	/** JSON text of the payload. */
	readonly payload: string;
	/** Who wrote, for flood control. */
	readonly sender: number;
	/** Messages that a sender may write to this bot in a minute; 0 for no limit. */
	readonly perMinute: number;
	/** A holder known to be dead, whose lease need not be waited for. */
	readonly deadHolder?: string | undefined;
	/** Leaves to others what nobody holds any more: the answer is `busy` then. */
	readonly leavesLapsed?: boolean;
	/** Nobody waits for the answer: what it says is posted, unless it was said already. */
	readonly isLate?: boolean;
	/** A connection waits for the answer: the service has not read what any other one carried before. */
	readonly isArrival?: boolean;
	/** This connection is the service's last and still there: have the answer posted. */
	readonly posts?: boolean;
}

export type Claim =
	/** It is ours to run. `isLate` when its answer can no longer be inline. */
	| {readonly kind: 'run'; readonly run: number; readonly isLate: boolean}
	/** Another run holds it. */
	| {readonly kind: 'busy'; readonly holder: string}
	/** It has this answer, JSON text. `isFlood` when it was not run because its sender writes too much. */
	| {readonly kind: 'answer'; readonly answer: string; readonly isFlood: boolean}
	/** Nothing would prove that this connection's answer was read: it is to be posted, if the connection is still there. */
	| {readonly kind: 'last'}
	/** What it says is posted through the REST API. */
	| {readonly kind: 'late'};

/** One thing that a bot says outside of the webhook's answer. */
export interface OutboxEntry {
	/** Counts what the bot said in this delivery, from 1. */
	readonly n: number;
	/**
	 * `reply` belongs where the message was written, `send` anywhere; `edit` changes the message of another entry; `later` is a
	 * handler that runs at its time, its text names it.
	 */
	readonly kind: 'reply' | 'send' | 'edit' | 'later';
	/** JSON text of the target. */
	readonly target: string;
	readonly text: string;
	/** Not before this time, milliseconds since 1970; 0 for at once. */
	readonly dueAt: number;
	/** JSON text of what the service shows under the message. */
	readonly widget?: string;
	/** Number of the entry whose message an `edit` changes. */
	readonly edits?: number;
	/** Whether it may be in the conversation already, so that a look comes first. */
	readonly mayBePosted: boolean;
	/** The service keeps it until it is due, as a scheduled message. */
	readonly via?: 'service';
	/** Names what is said at a set time, so that it can be found, moved and cancelled. */
	readonly name?: string;
}

export interface StoredEntry extends OutboxEntry {
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
	/** How many of these runs a stop of their host cut short. */
	readonly stops: number;
	/** Milliseconds since 1970. */
	readonly arrivedAt: number;
	readonly endedAt: number | undefined;
	/** JSON text of the payload; undefined once it was dropped. */
	readonly payload: string | undefined;
	readonly answer: string | undefined;
	/** What the handler threw, with its stack. */
	readonly error: string | undefined;
	readonly outbox: readonly StoredEntry[];
}

export interface Finish {
	readonly run: number;
	/** JSON text of the webhook's answer, should it be inline. */
	readonly answer: string;
	/** Whether a connection of this process can carry the answer now; without one it is late. */
	readonly canAnswer: boolean;
	/** What goes into the outbox instead, should it be late; empty when there is nothing that somebody must get to see. */
	readonly replies: readonly OutboxEntry[];
	/** What the handler threw, with its stack. */
	readonly error?: string | undefined;
	/** The session that the run held, and its new value if it changed. */
	readonly session?: (HeldSession & {readonly json: string | undefined}) | undefined;
}

/** A conversation whose session a run holds. */
export interface HeldSession {
	readonly conversation: string;
	/** Names the run among all holders; starts with the id of the process. */
	readonly holder: string;
}

/** An inline answer, and what carries it to the service: a run by its number, or a repeat by the nonce of its claim. */
export interface Carried {
	readonly ref: DeliveryRef;
	readonly carrier: string;
}

export type SessionEntry =
	/** It is ours; `json` is what the run before left. */
	| {readonly kind: 'entered'; readonly json: string | undefined}
	| {readonly kind: 'busy'; readonly holder: string}
	/** Another run has taken over the delivery meanwhile. */
	| {readonly kind: 'stale'};

/** What a holder is told: go on, go on but say things late, or stop, another run has taken over. */
export type DeliveryState = 'inline' | 'late' | 'stale';

export interface DeliveryStore {
	/** Is it new? Then it is stored before anything runs. Takes over what lapsed; parks what killed its runs. */
	claim(ref: DeliveryRef, request: ClaimRequest): Promise<Claim>;
	/** Gives up a run that its host cuts short: another one may follow at once, and this one does not count. */
	release(ref: DeliveryRef, run: number): Promise<void>;
	/** Holds on for another lease, to the session too. */
	renew(ref: DeliveryRef, run: number, session?: HeldSession): Promise<DeliveryState>;
	/** Asks for the session of a conversation, which one run at a time has. */
	enterSession(ref: DeliveryRef, run: number, request: HeldSession & {deadHolder?: string}): Promise<SessionEntry>;
	/** Any connection at its deadline: from here on the answer is late, unless it was decided inline before. */
	decideLate(ref: DeliveryRef): Promise<{readonly answer: string} | 'late'>;
	/** This answer was handed to the network in full. Ignored where another connection carries it by now. */
	confirm(carried: readonly Carried[]): Promise<void>;
	/** This answer never reached the network in full: it is late, unless another connection carries it by now. */
	answerLost(carried: Carried): Promise<boolean>;
	/** The current run has ended: `inline` when `answer` may be written, `late` when it may not. */
	finish(ref: DeliveryRef, finish: Finish): Promise<DeliveryState>;
	/** Keeps what a run says for a worker to post. On a rerun the first version of an entry stands. */
	append(ref: DeliveryRef, run: number, entries: readonly OutboxEntry[]): Promise<AppendResult>;
	/** The same for what is said at a set time; what had its name before is cancelled. */
	schedule(ref: DeliveryRef, run: number, entry: OutboxEntry & {readonly name: string}): Promise<AppendResult>;
	/** Keeps what a run wants said again and again. */
	repeat(
		ref: DeliveryRef,
		run: number,
		repeated: {readonly id: string; readonly cron: StoredCron},
	): Promise<'put' | 'stale'>;
}

/** `differing` lists the numbers of entries that an earlier run had with another target or text. */
export type AppendResult = 'stale' | {readonly differing: readonly number[]};
