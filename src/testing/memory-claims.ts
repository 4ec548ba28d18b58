// Claims of deliveries in the memory of one process: what the script `claim` means, in plain code.

import {APOLOGY, FLOOD_ANSWER, SILENCE} from '../delivery/answers.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {type Claim, type ClaimRequest, LAST_ARRIVAL, LAST_ARRIVAL_MS, LEASE_MS, MAX_RUNS} from '../delivery/store.js';
import {type Delivery, keyOf, type Memory} from './memory.js';

export function createMemoryClaims(memory: Memory, now: () => number) {
	const {deliveries} = memory;
	const floods = new Map<string, {count: number; until: number}>();

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
			released: new Set(),
			arrivedAt: now(),
			work: request.work,
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

	async function claim(ref: DeliveryRef, request: ClaimRequest): Promise<Claim> {
		const delivery = deliveries.get(keyOf(ref));
		if (!delivery) {
			return begin(ref, request);
		}

		const {nonce, isArrival = false} = request;
		if (isArrival && !delivery.arrivals.includes(nonce)) {
			delivery.arrivals.push(nonce);
		}

		const {arrivals, arrivedAt} = delivery;
		const isRepeat = isArrival && arrivals.length > 1 && arrivals.at(-1) === nonce;
		const isLast = arrivals.length >= LAST_ARRIVAL || (isRepeat && now() - arrivedAt >= LAST_ARRIVAL_MS);
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
	}

	return {claim, postAnswer};
}
