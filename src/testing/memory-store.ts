// Deliveries in the memory of one process: what the steps mean, in plain code. The tests hold the Redis scripts against it.

import {APOLOGY, FLOOD_ANSWER, SILENCE} from '../delivery/answers.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {
	type AppendResult,
	type Claim,
	type ClaimRequest,
	type DeliveryStore,
	LAST_ARRIVAL,
	LEASE_MS,
	MAX_RUNS,
	type OutboxEntry,
} from '../delivery/store.js';
import {type Delivery, keyOf, Memory} from './memory.js';
import {createMemoryCronStore} from './memory-cron-store.js';

export interface MemoryStore extends DeliveryStore {
	/** Everything that late answers and sends hold, in order. */
	outbox(ref: DeliveryRef): readonly OutboxEntry[];
}

export function createMemoryStore(now: () => number, memory = new Memory()): MemoryStore {
	const {deliveries} = memory;
	const crons = createMemoryCronStore(memory);
	const sessions = new Map<string, {holder: string; until: number; json: string | undefined}>();
	const floods = new Map<string, {count: number; until: number}>();
	const heldBy = (ref: DeliveryRef, run: number) => {
		const delivery = deliveries.get(keyOf(ref));
		return delivery?.status === 'running' && delivery.run === run ? delivery : undefined;
	};

	function isFlooding(
		{account}: DeliveryRef,
		{sender, perMinute, isUnasked = false}: ClaimRequest,
	): 'no' | 'first' | 'again' {
		if (perMinute === 0) {
			return 'no';
		}

		const key = `${account} ${sender} ${isUnasked}`;
		const flood = floods.get(key);
		const current = flood && flood.until > now() ? flood : {count: 0, until: now() + 60_000};
		current.count++;
		floods.set(key, current);
		if (current.count <= perMinute) {
			return 'no';
		}

		return current.count === perMinute + 1 && !isUnasked ? 'first' : 'again';
	}

	function begin(ref: DeliveryRef, request: ClaimRequest): Claim {
		const flood = isFlooding(ref, request);
		const delivery: Delivery = {
			status: flood === 'no' ? 'running' : 'flood',
			decision: decisionOf(flood, request),
			run: flood === 'no' ? 1 : 0,
			holder: request.nonce,
			leaseUntil: now() + LEASE_MS,
			answer: flood === 'first' ? FLOOD_ANSWER : SILENCE,
			isUnconfirmed: false,
			carrier: '',
			arrivals: [request.nonce],
			stops: 0,
			arrivedAt: now(),
			payload: request.payload,
		};
		deliveries.set(keyOf(ref), delivery);
		const isLate = delivery.decision === 'late';
		if (flood === 'no') {
			memory.lookAfter(ref, delivery.leaseUntil);
			return {kind: 'run', run: 1, isLate};
		}

		if (!isLate) {
			return {kind: 'answer', answer: delivery.answer, isFlood: true};
		}

		if (flood === 'first') {
			const {content: text} = JSON.parse(FLOOD_ANSWER) as {content: string};
			memory.keep(ref, {n: 1, kind: 'reply', target: '', text, dueAt: 0, mayBePosted: false});
			memory.lookAfter(ref, now());
		}

		return {kind: 'late'};
	}

	function decisionOf(flood: string, {isLate = false}: ClaimRequest): Delivery['decision'] {
		if (isLate) {
			return 'late';
		}

		return flood === 'no' ? 'none' : 'inline';
	}

	function park(ref: DeliveryRef, delivery: Delivery, {nonce, isUnasked = false}: ClaimRequest): Claim {
		memory.lookAfter(ref, now());
		delivery.status = 'parked';
		if (isUnasked) {
			delivery.answer = SILENCE;
			return delivery.decision === 'late' ? {kind: 'late'} : {kind: 'answer', answer: SILENCE, isFlood: false};
		}

		delivery.answer = JSON.stringify({content: APOLOGY});
		if (delivery.decision === 'late') {
			memory.keep(ref, {n: 9999, kind: 'reply', target: '', text: APOLOGY, dueAt: 0, mayBePosted: false});
			return {kind: 'late'};
		}

		delivery.decision = 'inline';
		delivery.isUnconfirmed = true;
		delivery.carrier = nonce;
		return {kind: 'answer', answer: delivery.answer, isFlood: false};
	}

	function repeat(
		ref: DeliveryRef,
		delivery: Delivery,
		{nonce, isArrival, posts}: ClaimRequest,
		isLast: boolean,
	): Claim {
		if (delivery.decision === 'late') {
			return {kind: 'late'};
		}

		if (delivery.status !== 'flood' && delivery.answer !== SILENCE) {
			if (isLast && posts) {
				postAnswer(ref, delivery, {mayBePosted: false});
				return {kind: 'late'};
			}

			if (isArrival && delivery.arrivals.at(-1) === nonce) {
				delivery.carrier = nonce;
				delivery.isUnconfirmed = true;
			}

			if (isLast) {
				return {kind: 'last'};
			}
		}

		return {kind: 'answer', answer: delivery.answer, isFlood: delivery.status === 'flood'};
	}

	function postAnswer(ref: DeliveryRef, delivery: Delivery, {mayBePosted}: {mayBePosted: boolean}): void {
		const {content: text, widget_content: widget} = JSON.parse(delivery.answer) as {
			content: string;
			widget_content?: string;
		};
		delivery.isUnconfirmed = false;
		delivery.decision = 'late';
		const said = {n: 10_000, kind: 'reply', target: '', text, dueAt: 0, mayBePosted} as const;
		memory.keep(ref, {...said, ...(widget !== undefined && {widget})});
		memory.lookAfter(ref, now());
	}

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
		async claim(ref, request) {
			const delivery = deliveries.get(keyOf(ref));
			if (!delivery) {
				return begin(ref, request);
			}

			const {nonce} = request;
			if (request.isArrival && !delivery.arrivals.includes(nonce)) {
				delivery.arrivals.push(nonce);
			}

			const isLast = delivery.arrivals.length >= LAST_ARRIVAL;
			if (delivery.status !== 'running') {
				return repeat(ref, delivery, request, isLast);
			}

			if ((request.isLate || isLast) && delivery.decision === 'none') {
				delivery.decision = 'late';
			}

			const isLate = delivery.decision === 'late';
			if (delivery.holder === request.nonce) {
				return {kind: 'run', run: delivery.run, isLate};
			}

			if (delivery.leaseUntil > now() && delivery.holder !== request.deadHolder) {
				return isLate ? {kind: 'late'} : {kind: 'busy', holder: delivery.holder};
			}

			if (delivery.run - delivery.stops >= MAX_RUNS) {
				return park(ref, delivery, request);
			}

			if (request.leavesLapsed) {
				return isLate ? {kind: 'late'} : {kind: 'busy', holder: delivery.holder};
			}

			delivery.run++;
			delivery.holder = request.nonce;
			delivery.leaseUntil = now() + LEASE_MS;
			memory.lookAfter(ref, delivery.leaseUntil);
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
			memory.lookAfter(ref, delivery.leaseUntil);
			return delivery.decision === 'late' ? 'late' : 'inline';
		},
		async release(ref, run) {
			const delivery = heldBy(ref, run);
			if (delivery) {
				Object.assign(delivery, {leaseUntil: 0, holder: '', stops: delivery.stops + 1});
				delivery.decision = delivery.decision === 'none' ? 'late' : delivery.decision;
				memory.lookAfter(ref, now());
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
				postAnswer(ref, delivery, {mayBePosted: false});
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
