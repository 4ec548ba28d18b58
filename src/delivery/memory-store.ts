// Deliveries in the memory of one process: what the steps mean, in plain code. It stands in while Redis is away, and the
// tests hold the Redis scripts against it.

import {APOLOGY, FLOOD_ANSWER, SILENCE} from './answers.js';
import type {DeliveryRef} from './ref.js';
import {
	type AppendResult,
	type Claim,
	type ClaimRequest,
	type DeliveryStore,
	LEASE_MS,
	MAX_RUNS,
	type OutboxEntry,
	type Status,
} from './store.js';

interface Delivery {
	status: Status;
	decision: 'none' | 'inline' | 'late';
	run: number;
	holder: string;
	leaseUntil: number;
	answer: string;
	/** Whether an inline answer still waits to be handed to the network. */
	isUnspoken: boolean;
	readonly arrivedAt: number;
	readonly outbox: Map<number, OutboxEntry>;
}

export interface MemoryStore extends DeliveryStore {
	/** Goes on with a delivery that another store had given to this run. */
	adopt(ref: DeliveryRef, run: number): void;
	/** Everything that late answers and sends hold, in order. */
	outbox(ref: DeliveryRef): readonly OutboxEntry[];
	/** Forgets what arrived before `time`, in milliseconds since 1970. */
	forget(time: number): void;
}

export function createMemoryStore(now: () => number): MemoryStore {
	const deliveries = new Map<string, Delivery>();
	const sessions = new Map<string, {holder: string; until: number; json: string | undefined}>();
	const floods = new Map<string, {count: number; until: number}>();
	const keyOf = ({account, id}: DeliveryRef) => `${account} ${id}`;
	const heldBy = (ref: DeliveryRef, run: number) => {
		const delivery = deliveries.get(keyOf(ref));
		return delivery?.status === 'running' && delivery.run === run ? delivery : undefined;
	};

	function isFlooding({account}: DeliveryRef, {sender, perMinute}: ClaimRequest): 'no' | 'first' | 'again' {
		if (perMinute === 0) {
			return 'no';
		}

		const key = `${account} ${sender}`;
		const flood = floods.get(key);
		const current = flood && flood.until > now() ? flood : {count: 0, until: now() + 60_000};
		current.count++;
		floods.set(key, current);
		if (current.count <= perMinute) {
			return 'no';
		}

		return current.count === perMinute + 1 ? 'first' : 'again';
	}

	function begin(ref: DeliveryRef, request: ClaimRequest): Claim {
		const flood = isFlooding(ref, request);
		const delivery: Delivery = {
			status: flood === 'no' ? 'running' : 'flood',
			decision: flood === 'no' ? 'none' : 'inline',
			run: flood === 'no' ? 1 : 0,
			holder: request.nonce,
			leaseUntil: now() + LEASE_MS,
			answer: flood === 'first' ? FLOOD_ANSWER : SILENCE,
			isUnspoken: false,
			arrivedAt: now(),
			outbox: new Map(),
		};
		deliveries.set(keyOf(ref), delivery);
		return flood === 'no'
			? {kind: 'run', run: 1, isLate: false}
			: {kind: 'answer', answer: delivery.answer, isFlood: true};
	}

	function park(delivery: Delivery): Claim {
		delivery.status = 'parked';
		delivery.answer = JSON.stringify({content: APOLOGY});
		if (delivery.decision === 'late') {
			const apology = {n: 9999, kind: 'reply', target: '', text: APOLOGY, dueAt: 0, mayBePosted: false} as const;
			delivery.outbox.set(apology.n, apology);
			return {kind: 'late'};
		}

		delivery.decision = 'inline';
		delivery.isUnspoken = true;
		return {kind: 'answer', answer: delivery.answer, isFlood: false};
	}

	async function append(ref: DeliveryRef, run: number, entries: readonly OutboxEntry[]): Promise<AppendResult> {
		const delivery = deliveries.get(keyOf(ref));
		if (delivery?.run !== run || (delivery.status !== 'running' && delivery.status !== 'done')) {
			return 'stale';
		}

		const differing: number[] = [];
		for (const entry of entries) {
			const first = delivery.outbox.get(entry.n);
			if (!first) {
				delivery.outbox.set(entry.n, entry);
			} else if (first.text !== entry.text || first.target !== entry.target) {
				differing.push(entry.n);
			}
		}

		return {differing};
	}

	return {
		async claim(ref, request) {
			const delivery = deliveries.get(keyOf(ref));
			if (!delivery) {
				return begin(ref, request);
			}

			if (delivery.status !== 'running') {
				return delivery.decision === 'late'
					? {kind: 'late'}
					: {kind: 'answer', answer: delivery.answer, isFlood: delivery.status === 'flood'};
			}

			const isLate = delivery.decision === 'late';
			if (delivery.holder === request.nonce) {
				return {kind: 'run', run: delivery.run, isLate};
			}

			if (delivery.leaseUntil > now() && delivery.holder !== request.deadHolder) {
				return isLate ? {kind: 'late'} : {kind: 'busy', holder: delivery.holder};
			}

			if (delivery.run >= MAX_RUNS) {
				return park(delivery);
			}

			if (request.leavesLapsed) {
				return isLate ? {kind: 'late'} : {kind: 'busy', holder: delivery.holder};
			}

			delivery.run++;
			delivery.holder = request.nonce;
			delivery.leaseUntil = now() + LEASE_MS;
			return {kind: 'run', run: delivery.run, isLate};
		},
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
			return delivery.decision === 'late' ? 'late' : 'inline';
		},
		async decideLate(ref) {
			const delivery = deliveries.get(keyOf(ref));
			if (!delivery || delivery.decision === 'inline') {
				return delivery ? {answer: delivery.answer} : 'late';
			}

			delivery.decision = 'late';
			return 'late';
		},
		async finish(ref, {run, answer, replies, session: held}) {
			const delivery = deliveries.get(keyOf(ref));
			if (delivery?.run !== run) {
				return 'stale';
			}

			if (delivery.status !== 'running') {
				return delivery.status === 'done' && delivery.decision !== 'none' ? delivery.decision : 'stale';
			}

			delivery.status = 'done';
			delivery.decision = delivery.decision === 'late' ? 'late' : 'inline';
			delivery.answer = answer;
			const session = held && sessions.get(`${ref.account} ${held.conversation}`);
			if (held && session?.holder === held.holder) {
				Object.assign(session, {holder: '', until: 0, json: held.json ?? session.json});
			}

			delivery.isUnspoken = replies.length > 0 && delivery.decision === 'inline';
			if (delivery.decision === 'late') {
				for (const entry of replies) {
					delivery.outbox.set(entry.n, delivery.outbox.get(entry.n) ?? entry);
				}
			}

			return delivery.decision;
		},
		async markSpoken(refs) {
			for (const ref of refs) {
				const delivery = deliveries.get(keyOf(ref));
				if (delivery) {
					delivery.isUnspoken = false;
				}
			}
		},
		append,
		schedule: (ref, run, entry) => append(ref, run, [entry]),
		async repeat(ref, run) {
			const delivery = deliveries.get(keyOf(ref));
			return delivery?.run === run ? 'put' : 'stale';
		},
		adopt(ref, run) {
			if (!deliveries.has(keyOf(ref))) {
				begin(ref, {nonce: '', payload: '', sender: 0, perMinute: 0});
				Object.assign(deliveries.get(keyOf(ref)) ?? {}, {run});
			}
		},
		outbox(ref) {
			return [...(deliveries.get(keyOf(ref))?.outbox.values() ?? [])].toSorted((a, b) => a.n - b.n);
		},
		forget(time) {
			for (const [key, delivery] of deliveries) {
				if (delivery.arrivedAt < time) {
					deliveries.delete(key);
				}
			}
		},
	};
}
