// The data of the in-memory stores: the same as in Redis, except that nothing expires.

import type {DeliveryRef} from '../delivery/ref.js';
import type {OutboxEntry, Status} from '../delivery/store.js';
import {type EntryState, isIdle as isIdleState} from '../outbox/entry-state.js';
import type {EntryRef} from '../outbox/store.js';
import type {CronCounts, StoredCron} from '../schedules/cron-store.js';

export interface Delivery {
	status: Status;
	decision: 'none' | 'inline' | 'late';
	run: number;
	holder: string;
	leaseUntil: number;
	answer: string;
	/** Whether an inline answer waits for its confirmation. `carrier` is the connection that sends it. */
	isUnconfirmed: boolean;
	carrier: string;
	/** The claims of all connections, in order of arrival. */
	readonly arrivals: string[];
	/** How many runs do not count: a stop interrupted them, or their process was only slow. */
	stops: number;
	/** Runs that have been released. */
	readonly released: Set<number>;
	readonly arrivedAt: number;
	work: string;
}

export interface KeptEntry {
	entry: OutboxEntry;
	/** Undefined until something happens to it. */
	state: EntryState | undefined;
	/** Whether it was cancelled while the outcome of an attempt was unknown. */
	isToCancel: boolean;
}

interface AccountMemory {
	/** The entry that has a name (a key of the bot). */
	readonly names: Map<string, EntryRef>;
	/** When the sweep must look at a delivery, in milliseconds since 1970, by delivery ID. */
	readonly due: Map<string, number>;
	/** Entries that failed or are unknown, with the time. */
	readonly unsettled: Map<string, {entry: EntryRef; at: number}>;
	/** The entry of a posted message. */
	readonly messages: Map<number, EntryRef>;
	/** The last message that a look-up found for an entry. */
	readonly found: Map<string, number>;
	readonly crons: Map<string, StoredCron>;
	readonly counts: Map<string, Partial<CronCounts> & {delivery?: string}>;
	readonly values: Map<string, string>;
	readonly questions: Map<string, string>;
}

export class Memory {
	readonly deliveries = new Map<string, Delivery>();
	readonly locks = new Map<string, {holder: string; until: number}>();
	cronsVersion = 0;
	readonly #outboxes = new Map<string, Map<number, KeptEntry>>();
	readonly #accounts = new Map<string, AccountMemory>();

	delivery(ref: DeliveryRef): Delivery | undefined {
		return this.deliveries.get(keyOf(ref));
	}

	/** Empty for most deliveries: the map is created with the first entry. */
	outbox(ref: DeliveryRef): Map<number, KeptEntry> {
		return this.#outboxes.get(keyOf(ref)) ?? new Map();
	}

	hasOutbox(ref: DeliveryRef): boolean {
		return this.outbox(ref).size > 0;
	}

	/** Stores an entry. If the number exists already, keeps the first version and returns false. */
	keep(ref: DeliveryRef, entry: OutboxEntry): boolean {
		const outbox = getOrMake(this.#outboxes, keyOf(ref), () => new Map<number, KeptEntry>());
		const isNew = !outbox.has(entry.n);
		if (isNew) {
			outbox.set(entry.n, {entry, state: undefined, isToCancel: false});
		}

		return isNew;
	}

	account(account: string): AccountMemory {
		return getOrMake(this.#accounts, account, () => ({
			names: new Map(),
			due: new Map(),
			unsettled: new Map(),
			messages: new Map(),
			found: new Map(),
			crons: new Map(),
			counts: new Map(),
			values: new Map(),
			questions: new Map(),
		}));
	}

	/** Whether a run may still write. */
	isCurrent(ref: DeliveryRef, run: number): boolean {
		const delivery = this.delivery(ref);
		return delivery?.run === run && (delivery.status === 'running' || delivery.status === 'done');
	}

	lookAfter({account, id}: DeliveryRef, at: number): void {
		this.account(account).due.set(id, at);
	}

	/** Gives an entry a name, and cancels the entry that had it before. */
	name(entry: EntryRef, name: string): void {
		const {names} = this.account(entry.ref.account);
		const before = names.get(name);
		const kept = before && this.outbox(before.ref).get(before.n);
		if (before && kept && !isSame(before, entry) && isIdle(kept.state)) {
			kept.state = 'cancelled';
		}

		names.set(name, entry);
	}
}

export function isSame(one: EntryRef, other: EntryRef): boolean {
	return keyOf(one.ref) === keyOf(other.ref) && one.n === other.n;
}

/** Whether no attempt has begun. */
export function isIdle(state: EntryState | undefined): boolean {
	return state === undefined || isIdleState(state);
}

export function keyOf({account, id}: DeliveryRef): string {
	return `${account} ${id}`;
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	const known = map.get(key);
	if (known !== undefined) {
		return known;
	}

	const made = make();
	map.set(key, made);
	return made;
}
