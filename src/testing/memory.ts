// What a host stores, in the memory of one process: the same as Redis has, except that nothing is ever dropped by
// its age. The memory stores change it.

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
	/** Whether no connection has confirmed an inline answer yet, and which one carries it. */
	isUnconfirmed: boolean;
	carrier: string;
	/** The claims of all connections, in the order in which they came. */
	readonly arrivals: string[];
	/** Runs that a stop of their host cut short. */
	stops: number;
	readonly arrivedAt: number;
	work: string;
}

export interface KeptEntry {
	entry: OutboxEntry;
	/** Undefined: nothing has happened to it yet. */
	state: EntryState | undefined;
	/** Whether it was cancelled while nobody knew how an attempt ended. */
	isToCancel: boolean;
}

/** What the bots of one account have. */
interface AccountMemory {
	/** Entry of a name. */
	readonly names: Map<string, EntryRef>;
	/** When a delivery must be looked after, milliseconds since 1970, by its id. */
	readonly due: Map<string, number>;
	/** Entries that failed or are unknown, and since when. */
	readonly unsettled: Map<string, {entry: EntryRef; at: number}>;
	/** Whose a message is. */
	readonly messages: Map<number, EntryRef>;
	/** The message that was found last for an entry. */
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

	/** Most deliveries have none: it is kept from the first entry on. */
	outbox(ref: DeliveryRef): Map<number, KeptEntry> {
		return this.#outboxes.get(keyOf(ref)) ?? new Map();
	}

	hasOutbox(ref: DeliveryRef): boolean {
		return this.outbox(ref).size > 0;
	}

	/** The first version of an entry stands; false when there was one. */
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

	/** Whether that run may still write. */
	isCurrent(ref: DeliveryRef, run: number): boolean {
		const delivery = this.delivery(ref);
		return delivery?.run === run && (delivery.status === 'running' || delivery.status === 'done');
	}

	lookAfter({account, id}: DeliveryRef, at: number): void {
		this.account(account).due.set(id, at);
	}

	/** Gives an entry a name; what had it before is cancelled. */
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

/** Whether nothing has begun yet for an entry of this state. */
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
