// An in-memory store of outboxes. Tests compare it with the Redis scripts.

import type {DeliveryRef} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {type EntryState, isPending, isUnsettled, readAttempt, readState} from '../outbox/entry-state.js';
import {LOCK_MS} from '../outbox/scripts.js';
import {type EntryRef, type OutboxStore, TRIMMED_TO} from '../outbox/store.js';
import {isIdle, isSame, type KeptEntry, type Memory} from './memory.js';

export function createMemoryOutboxStore(memory: Memory, now: () => number): OutboxStore {
	const lockOf = ({account, id}: DeliveryRef) => `${account} lock ${id}`;
	const holderOf = (ref: DeliveryRef) => {
		const lock = memory.locks.get(lockOf(ref));
		return lock && lock.until > now() ? lock.holder : undefined;
	};
	const hold = (ref: DeliveryRef, holder: string) => memory.locks.set(lockOf(ref), {holder, until: now() + LOCK_MS});
	const find = ({ref, n}: EntryRef) => memory.outbox(ref).get(n);

	function close(ref: DeliveryRef, nonce: string, nextMs: number): boolean {
		if (holderOf(ref) === nonce) {
			memory.locks.delete(lockOf(ref));
		}

		if (memory.delivery(ref)?.status === 'running') {
			return false;
		}

		if ([...memory.outbox(ref).values()].some(({state}) => isPending(state ?? 'waiting'))) {
			memory.lookAfter(ref, now() + nextMs);
			return false;
		}

		memory.account(ref.account).due.delete(ref.id);
		return true;
	}

	/** A look-up mistook another entry's message for this entry's, so this entry must be posted again. */
	function reopen(entry: EntryRef, messageId: number): void {
		const kept = find(entry);
		if (kept?.state === `sent ${messageId}`) {
			kept.state = 'waiting';
			memory.lookAfter(entry.ref, now());
		}
	}

	return {
		async open(ref, nonce, attempt) {
			const holder = holderOf(ref);
			if (holder !== undefined && holder !== nonce) {
				return undefined;
			}

			hold(ref, nonce);
			const all = sorted(memory.outbox(ref));
			const entries = all.map(present);
			const first = all.find(({state}) => isPending(state ?? 'waiting'));
			const work = memory.delivery(ref)?.work;
			if (!first || !mayBegin(first, now())) {
				return {work, entries, begun: undefined};
			}

			first.state = attempt;
			return {work, entries, begun: first.entry.n};
		},
		async begin(ref, nonce, {n, state}) {
			if (holderOf(ref) !== nonce) {
				return 'lost';
			}

			hold(ref, nonce);
			const kept = find({ref, n});
			if (!kept || kept.state === 'cancelled') {
				return 'cancelled';
			}

			if (kept.isToCancel) {
				kept.isToCancel = false;
				kept.state = 'cancelled';
				return 'cancelled';
			}

			if (kept.entry.dueAt > now() && kept.entry.via !== 'service') {
				return 'moved';
			}

			kept.state = state;
			return 'begun';
		},
		async renew(ref, nonce) {
			if (holderOf(ref) === nonce) {
				hold(ref, nonce);
			}
		},
		async end(ref, nonce, {n, state, attempt, messageId, isFound = false, closeMs}) {
			const entry = {ref, n};
			const {messages, unsettled} = memory.account(ref.account);
			const before = messageId === undefined ? undefined : messages.get(messageId);
			if (isFound && messageId !== undefined && !(before && isSame(before, entry))) {
				return 'lost';
			}

			if (messageId !== undefined) {
				messages.set(messageId, entry);
			}

			const kept = find(entry);
			const holds = holderOf(ref) === nonce;
			const isRecorded = kept !== undefined && (holds || kept.state === attempt);
			if (isRecorded) {
				if (holds) {
					hold(ref, nonce);
				}

				const isToRetract = kept.isToCancel && readState(state).kind === 'scheduled';
				kept.isToCancel = kept.isToCancel && isPending(state);
				kept.state = isToRetract ? `retracting ${scheduledIdOf(state)}` : state;
				const owner = `${ref.id} ${n}`;
				if (isUnsettled(state)) {
					unsettled.set(owner, {entry, at: now()});
				} else {
					unsettled.delete(owner);
				}

				if (closeMs !== undefined) {
					close(ref, nonce, closeMs);
				}
			}

			if (before && messageId !== undefined && !isSame(before, entry)) {
				reopen(before, messageId);
			}

			if (!isRecorded) {
				return 'lost';
			}

			return kept.state && readState(kept.state).kind === 'retracting' ? 'retracting' : 'recorded';
		},
		async claimMessage(entry, messageId) {
			const {messages, found} = memory.account(entry.ref.account);
			const owner = messages.get(messageId) ?? entry;
			messages.set(messageId, owner);
			if (!isSame(owner, entry)) {
				return false;
			}

			found.set(`${entry.ref.id} ${entry.n}`, messageId);
			return true;
		},
		async claimed(entry) {
			const {messages, found} = memory.account(entry.ref.account);
			const messageId = found.get(`${entry.ref.id} ${entry.n}`);
			const owner = messageId === undefined ? undefined : messages.get(messageId);
			return owner && isSame(owner, entry) ? messageId : undefined;
		},
		close: async (ref, nonce, nextMs) => close(ref, nonce, nextMs),
		async put(ref, entry, name = '') {
			const isNew = memory.keep(ref, entry);
			memory.lookAfter(ref, now());
			if (name !== '') {
				memory.account(ref.account).names.set(name, {ref, n: entry.n});
			}

			return isNew;
		},
		name: async (entry, name) => memory.name(entry, name),
		async unname(entry, name) {
			const {names} = memory.account(entry.ref.account);
			const named = names.get(name);
			if (named && isSame(named, entry)) {
				names.delete(name);
			}
		},
		named: async account => new Map(memory.account(account).names),
		findNamed: async (account, name) => memory.account(account).names.get(name),
		async cancel(entry, name) {
			const kept = find(entry);
			const {names} = memory.account(entry.ref.account);
			if (kept?.state && readAttempt(kept.state)) {
				kept.isToCancel = kept.entry.via === 'service' && kept.entry.dueAt > now();
				if (kept.isToCancel) {
					names.delete(name);
				}

				return kept.isToCancel;
			}

			const scheduledId = scheduledIdOf(kept?.state);
			if (!kept || !(scheduledId || kept.state === 'cancelled' || isIdle(kept.state))) {
				return false;
			}

			kept.state = scheduledId ? `retracting ${scheduledId}` : 'cancelled';
			names.delete(name);
			memory.lookAfter(entry.ref, now());
			return true;
		},
		async move(entry, dueAt, how) {
			const kept = find(entry);
			const scheduledId = scheduledIdOf(kept?.state);
			if (!kept || !(scheduledId || isIdle(kept.state))) {
				return false;
			}

			kept.entry = {...kept.entry, dueAt, ...how};
			if (scheduledId) {
				kept.state = `rescheduling ${scheduledId}`;
			}

			memory.lookAfter(entry.ref, now());
			return true;
		},
		async resolve(entry, state) {
			const kept = find(entry);
			if (!kept?.state || !isUnsettled(kept.state)) {
				return kept?.state ?? '';
			}

			kept.state = state;
			memory.account(entry.ref.account).unsettled.delete(`${entry.ref.id} ${entry.n}`);
			memory.lookAfter(entry.ref, now());
			return 'resolved';
		},
		async unsettled(account) {
			const found = [...memory.account(account).unsettled.values()];
			return found.toSorted((a, b) => a.at - b.at).map(({entry}) => entry);
		},
		async waiting(account) {
			const due = [...memory.account(account).due].toSorted(([, a], [, b]) => a - b);
			return due.map(([id]) => ({account, id}));
		},
		async trim(ref) {
			const outbox = memory.outbox(ref);
			for (const {entry, state} of sorted(outbox).slice(0, -TRIMMED_TO)) {
				if (state !== undefined && !isPending(state) && state !== 'unknown') {
					outbox.delete(entry.n);
				}
			}
		},
		read: async ref => sorted(memory.outbox(ref)).map(present),
		async readEntry(entry) {
			const kept = find(entry);
			return kept && present(kept);
		},
	};
}

/** In the order of their numbers. */
function sorted(outbox: ReadonlyMap<number, KeptEntry>): KeptEntry[] {
	return [...outbox.values()].toSorted((a, b) => a.entry.n - b.entry.n);
}

function present({entry, state = 'waiting'}: KeptEntry): StoredEntry {
	return {...entry, state};
}

/** Whether opening the outbox may begin the attempt: nobody has tried to post it, and it needs no check first. */
function mayBegin({entry, state = 'waiting'}: KeptEntry, now: number): boolean {
	return state === 'waiting' && !entry.mayBePosted && entry.dueAt <= now && entry.via !== 'service';
}

function scheduledIdOf(state: EntryState | undefined): number {
	const parts = readState(state ?? 'waiting');
	return parts.kind === 'scheduled' || parts.kind === 'rescheduling' ? parts.scheduledId : 0;
}
