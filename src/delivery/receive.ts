// Handles one connection: claims its delivery, waits for a run here or elsewhere, and answers at the deadline at the latest.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Availability} from '../redis/availability.js';
import {AWAY_ANSWER, FULL_ANSWER, SILENCE} from './answers.js';
import type {Confirmations, Outcome} from './confirmations.js';
import type {DeliveryRef} from './ref.js';
import type {Run} from './run.js';
import type {RunHost} from './run-scope.js';
import type {Claim, ClaimRequest, DeliveryStore} from './store.js';
import type {AccountRules, Incoming} from './task.js';
import {DECISION_MS, noticeCloses, type RunAnswer} from './waiting-connections.js';
import type {WaitingRoom} from './waiting-room.js';
import {workRef} from './work.js';

/** A delivery and the connection that waits for its answer. */
export interface Arrival<Account extends AccountRules> extends Incoming<Account> {
	/** When the first byte arrived, by `elapsed`. */
	readonly arrivedAt: number;
	/** Whether the connection can still carry an answer. Default: always. */
	readonly isOpen?: () => boolean;
}

/** What to write to the connection. */
export interface Answer {
	/** JSON text. */
	readonly body: string;
	/** Called with the outcome of the write. Absent if the outcome does not matter. */
	readonly outcome?: Outcome;
}

export interface ReceiveOptions<Account extends AccountRules> {
	readonly store: DeliveryStore;
	readonly availability: Availability;
	readonly waitingRoom: WaitingRoom;
	readonly confirmations: Confirmations;
	readonly log: RunHost['log'];
	elapsed(): number;
	isClosed(): boolean;
	/** A new claim of this process. */
	requestFor(arrival: Arrival<Account>): ClaimRequest;
	start(arrival: Arrival<Account>, ref: DeliveryRef, claim: RunStart): Run;
	/** The run of a delivery in this process. */
	running(ref: DeliveryRef): Run | undefined;
	/** Whether a holder's process is known to be dead. */
	isDead(holder: string): boolean;
	/** Runs the delivery of a dead holder again, in another process. */
	recover?(ref: DeliveryRef, deadHolder: string): Promise<void>;
}

/** A claim that this process got. */
export interface RunStart {
	readonly claimed: Claim & {readonly kind: 'run'};
	readonly holder: string;
	readonly isAwaitedElsewhere?: boolean;
}

/** An arrival and its claim. All its claims use one nonce, so a claim that Redis ran late is still its own. */
interface Asking<Account extends AccountRules> {
	readonly arrival: Arrival<Account>;
	readonly ref: DeliveryRef;
	readonly request: ClaimRequest;
}

/** How often a connection polls a delivery that another process holds. */
const ASK_AGAIN_MS = 250;

/** Resolves with the answer, at the latest soon after the deadline. */
export function createReceive<Account extends AccountRules>(
	options: ReceiveOptions<Account>,
): (arrival: Arrival<Account>) => Promise<Answer> {
	const {store, availability, waitingRoom, confirmations, log, elapsed, isClosed, start} = options;

	/** Another connection may have followed a closed one. The closed one must not lose the other's answer. */
	const claim = ({arrival, ref, request}: Asking<Account>, isLate = false, isArrival = isOpen(arrival)) =>
		store.claim(ref, {isLate, isArrival, ...request});

	/** Claims until Redis accepts the claim. If that takes until `at`, the sender gets a text and the bot answers late. */
	async function waitForRedis(
		asking: Asking<Account>,
		{at, isLate = false}: {at: number; isLate?: boolean},
	): Promise<Answer> {
		const {arrival, ref, request} = asking;
		const bytes = request.work.length;
		if (!waitingRoom.enter(bytes)) {
			log.warn({delivery: ref.id, waiting: waitingRoom.size}, 'too many deliveries wait for Redis; refused this one');
			return {body: FULL_ANSWER};
		}

		let how: readonly [isLate: boolean, isArrival?: boolean] = [isLate];
		const persist = () => availability.retry(() => claim(asking, ...how), isClosed);
		const claiming = persist();
		const tooLate = sleep(Math.max(0, at - elapsed()), undefined, {ref: false});
		const claimed = await Promise.race([claiming.catch(() => undefined), tooLate]);
		if (claimed) {
			waitingRoom.leave(bytes);
			return settle(asking, claimed);
		}

		how = [true, isOpen(arrival)];
		claiming
			// The claim may have been under way when its time ran out.
			.then(early => (['late', 'answer', 'last'].includes(early.kind) ? early : persist()))
			.then(late => late.kind === 'run' && start(arrival, ref, {claimed: late, holder: request.nonce}))
			.catch((error: Error) => {
				log.error({delivery: ref.id, reason: error.message}, 'could not store a delivery in Redis; it is lost');
			})
			.finally(() => waitingRoom.leave(bytes));
		return {body: AWAY_ANSWER};
	}

	/** Waits for a run, in this process or another, until the deadline. */
	async function join(asking: Asking<Account>, firstHolder: string): Promise<Answer> {
		const {arrival, ref} = asking;
		const deadline = deadlineOf(arrival);
		let recovered = '';
		for (let holder = firstHolder; ; ) {
			// The message may crash this process too, so another process runs it.
			if (holder !== recovered && options.isDead(holder)) {
				recovered = (await availability.attempt(() => recover(ref, holder))) ?? recovered;
			}

			const run = options.running(ref);
			const answer = (await run?.answerBefore(deadline, arrival.isOpen)) ?? 'taken over';
			if (run && answer !== 'taken over') {
				return answerOf(answer, asking, String(run.number));
			}

			await sleep(Math.max(0, Math.min(ASK_AGAIN_MS, deadline - elapsed())));
			if (elapsed() >= deadline) {
				return waitForRedis(asking, {at: elapsed() + DECISION_MS, isLate: true});
			}

			const claimed = await availability.attempt(() => claim(asking));
			if (claimed && claimed.kind !== 'busy') {
				return settle(asking, claimed);
			}

			holder = claimed?.holder ?? holder;
		}
	}

	async function recover(ref: DeliveryRef, deadHolder: string): Promise<string> {
		await options.recover?.(ref, deadHolder);
		return deadHolder;
	}

	async function settle(asking: Asking<Account>, claimed: Claim): Promise<Answer> {
		const {arrival, ref, request} = asking;
		const holder = request.nonce;
		switch (claimed.kind) {
			case 'run': {
				const answer = await start(arrival, ref, {claimed, holder}).answerBefore(deadlineOf(arrival), arrival.isOpen);
				return answer === 'taken over' ? join(asking, '') : answerOf(answer, asking, String(claimed.run));
			}
			case 'answer':
				return answerAgain({body: claimed.answer, isCarried: !claimed.isFlood}, asking);
			case 'late':
				return {body: SILENCE};
			case 'last':
				return answerLast(asking);
			default:
				return join(asking, claimed.holder);
		}
	}

	/**
	 * Makes a worker post the answer. Does nothing if the connection closed while its claim was under way: then it was not
	 * the last connection, whatever the order of claims in Redis, and a later one may have carried the answer.
	 */
	async function answerLast({arrival, ref, request}: Asking<Account>): Promise<Answer> {
		await noticeCloses();
		if (isOpen(arrival)) {
			const posting = availability.retry(() => store.claim(ref, {...request, isArrival: true, posts: true}), isClosed);
			const posted = posting.catch(error =>
				log.warn({delivery: ref.id, reason: String(error)}, 'an answer is posted later'),
			);
			await Promise.race([posted, sleep(DECISION_MS, undefined, {ref: false})]);
		}

		return {body: SILENCE};
	}

	/** The answer of a run that has ended. Unless a later connection followed this one, Redis has noted this one as its carrier. */
	async function answerAgain(answer: RunAnswer, asking: Asking<Account>): Promise<Answer> {
		const {arrival, ref, request} = asking;
		await noticeCloses();
		if (answer.isCarried && answer.body !== SILENCE && !isOpen(arrival)) {
			void confirmations.lose({ref, carrier: request.nonce});
		}

		return answerOf(answer, asking, request.nonce);
	}

	/** A closed connection carries nothing. If another connection followed it, that one carries the answer. */
	function answerOf({body, isCarried}: RunAnswer, {arrival, ref}: Asking<Account>, carrier: string): Answer {
		return isCarried && isOpen(arrival) && body !== SILENCE
			? {body, outcome: confirmations.carry({ref, carrier})}
			: {body};
	}

	return async function receive(arrival) {
		const {ref = workRef(arrival.account, arrival.work)} = arrival;
		const asking = {arrival, ref, request: options.requestFor(arrival)};
		const claimed = await availability.attempt(() => claim(asking));
		return claimed ? settle(asking, claimed) : waitForRedis(asking, {at: deadlineOf(arrival)});
	};
}

function deadlineOf<Account extends AccountRules>({arrivedAt, account}: Arrival<Account>): number {
	return arrivedAt + account.deadlineMs;
}

function isOpen({isOpen: asked = () => true}: Pick<Arrival<AccountRules>, 'isOpen'>): boolean {
	return asked();
}
