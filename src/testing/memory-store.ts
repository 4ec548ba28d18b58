// An in-memory store of deliveries. Tests compare it with the Redis scripts.

import type {DeliveryRef} from '../delivery/ref.js';
import {
	type AppendResult,
	type DeliveryStore,
	LAST_EXCUSED_RUN,
	LEASE_MS,
	type OutboxEntry,
} from '../delivery/store.js';
import {keyOf, Memory} from './memory.js';
import {createMemoryClaims} from './memory-claims.js';
import {createMemoryCronStore} from './memory-cron-store.js';

export interface MemoryStore extends DeliveryStore {
	/** The texts of all late answers and sends, in order. */
	outbox(ref: DeliveryRef): readonly OutboxEntry[];
}

export function createMemoryStore(now: () => number, memory = new Memory()): MemoryStore {
	const {deliveries} = memory;
	const crons = createMemoryCronStore(memory);
	const claims = createMemoryClaims(memory, now);
	const sessions = new Map<string, {holder: string; until: number; json: string | undefined}>();
	const heldBy = (ref: DeliveryRef, run: number) => {
		const delivery = deliveries.get(keyOf(ref));
		return delivery?.status === 'running' && delivery.run === run ? delivery : undefined;
	};

	async function append(ref: DeliveryRef, run: number, entries: readonly OutboxEntry[]): Promise<AppendResult> {
		if (!memory.isCurrent(ref, run)) {
			return 'stale';
		}

		if (memory.delivery(ref)?.status === 'done') {
			memory.lookAfter(ref, now());
		}

		const differing: number[] = [];
		for (const entry of entries) {
			const first = memory.outbox(ref).get(entry.n)?.entry;
			if (!first) {
				memory.keep(ref, entry);
			} else if (first.text !== entry.text || first.target !== entry.target) {
				differing.push(entry.n);
			}
		}

		return {differing};
	}

	return {
		claim: claims.claim,
		async enterSession(ref, run, {conversation, holder, deadHolder}) {
			const key = `${ref.account} ${conversation}`;
			const session = sessions.get(key) ?? {holder: '', until: 0, json: undefined};
			const isFree = session.until <= now() || [holder, deadHolder].includes(session.holder);
			if (!isFree) {
				return {kind: 'busy', holder: session.holder};
			}

			if (deliveries.get(keyOf(ref))?.run !== run) {
				return {kind: 'stale'};
			}

			sessions.set(key, {...session, holder, until: now() + LEASE_MS});
			return {kind: 'entered', json: session.json};
		},
		async renew(ref, run, held) {
			const session = held && sessions.get(`${ref.account} ${held.conversation}`);
			if (session?.holder === held?.holder && session) {
				session.until = now() + LEASE_MS;
			}

			const delivery = heldBy(ref, run);
			if (!delivery) {
				return 'stale';
			}

			delivery.leaseUntil = now() + LEASE_MS;
			memory.lookAfter(ref, delivery.leaseUntil);
			return delivery.decision === 'late' ? 'late' : 'inline';
		},
		async release(ref, run, {holds} = {holds: false}) {
			const delivery = deliveries.get(keyOf(ref));
			if (delivery?.status !== 'running') {
				return;
			}

			if (delivery.run > run && run <= LAST_EXCUSED_RUN && !delivery.released.has(run)) {
				delivery.released.add(run);
				delivery.stops++;
			} else if (delivery.run === run && delivery.holder !== '') {
				delivery.released.add(run);
				Object.assign(delivery, {leaseUntil: 0, holder: '', stops: delivery.stops + 1});
				delivery.decision = delivery.decision === 'none' ? 'late' : delivery.decision;
				memory.lookAfter(ref, holds ? Number.POSITIVE_INFINITY : now());
			}
		},
		async decideLate(ref) {
			const delivery = deliveries.get(keyOf(ref));
			if (!delivery || delivery.decision === 'inline') {
				return delivery ? {answer: delivery.answer} : 'late';
			}

			delivery.decision = 'late';
			return 'late';
		},
		async finish(ref, {run, answer, canAnswer, replies, session: held}) {
			const delivery = deliveries.get(keyOf(ref));
			if (delivery?.run !== run) {
				return 'stale';
			}

			if (delivery.status !== 'running') {
				return delivery.status === 'done' && delivery.decision !== 'none' ? delivery.decision : 'stale';
			}

			delivery.status = 'done';
			delivery.decision = delivery.decision === 'late' || !canAnswer ? 'late' : 'inline';
			delivery.answer = answer;
			delivery.carrier = String(run);
			const session = held && sessions.get(`${ref.account} ${held.conversation}`);
			if (held && session?.holder === held.holder) {
				Object.assign(session, {holder: '', until: 0, json: held.json ?? session.json});
			}

			delivery.isUnconfirmed = replies.length > 0 && delivery.decision === 'inline';
			if (delivery.decision === 'late') {
				for (const entry of replies) {
					memory.keep(ref, entry);
				}
			}

			if (memory.hasOutbox(ref)) {
				memory.lookAfter(ref, now());
			} else {
				memory.account(ref.account).due.delete(ref.id);
			}

			return delivery.decision;
		},
		async confirm(carried) {
			for (const {ref, carrier} of carried) {
				const delivery = deliveries.get(keyOf(ref));
				if (delivery?.carrier === carrier) {
					delivery.isUnconfirmed = false;
				}
			}
		},
		async answerLost({ref, carrier}) {
			const delivery = deliveries.get(keyOf(ref));
			const isLost = delivery?.decision === 'inline' && delivery.carrier === carrier && delivery.isUnconfirmed;
			if (delivery && isLost) {
				claims.postAnswer(ref, delivery, {mayBePosted: false});
			}

			return isLost;
		},
		append,
		async schedule(ref, run, entry) {
			const appended = await append(ref, run, [entry]);
			if (appended !== 'stale') {
				memory.name({ref, n: entry.n}, entry.name);
			}

			return appended;
		},
		repeat: (ref, run, {id, cron}) => crons.putFor({ref, run}, id, cron),
		outbox(ref) {
			return [...memory.outbox(ref).values()].map(({entry}) => entry).toSorted((a, b) => a.n - b.n);
		},
	};
}
