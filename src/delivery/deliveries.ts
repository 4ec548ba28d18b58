// A delivery's life in the receiver: claim it, run the bot, answer in time, and leave late answers to the workers.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Payload} from '../api/index.js';
import {ALWAYS_AVAILABLE, type Retry} from '../redis/availability.js';
import {createSessionLine, type Session, type SessionRules, sessionKey} from '../storage/session.js';
import type {Writer} from '../storage/values.js';
import {createAccountSlots} from './account-slots.js';
import {AWAY_ANSWER, FULL_ANSWER, SILENCE, timeoutText} from './answers.js';
import {createConfirmations, type Outcome} from './confirmations.js';
import {type DeliveryRef, deliveryRef} from './ref.js';
import {DECISION_MS, type Outbound, Run, type RunAnswer, type RunHost} from './run.js';
import type {Claim, ClaimRequest, DeliveryStore} from './store.js';
import {createWaitingRoom, type WaitingRoom} from './waiting-room.js';
import {isUnasked} from './work.js';

/** What the host of a bot account decides. */
export interface AccountRules extends SessionRules {
	readonly site: string;
	readonly email: string;
	/** Time from the first byte until an answer counts as late, in milliseconds. */
	readonly deadlineMs: number;
	/** After this a handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
	/** How many handlers of this bot run concurrently in one process. The others wait, and their answers are late. */
	readonly concurrency: number;
	/** How many messages one sender may write in a minute. 0 for no limit. */
	readonly perMinute: number;
}

export interface Arrival<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	/** The payload as JSON text, without its token. This text is stored. */
	readonly text: string;
	/** When the first byte arrived, by `elapsed`. */
	readonly arrivedAt: number;
	/** Whether the connection can still carry an answer. Default: always. */
	readonly isOpen?: () => boolean;
}

/** A delivery without a connection. */
type Unawaited<Account extends AccountRules> = Omit<Arrival<Account>, 'arrivedAt' | 'isOpen'>;

/** What a bot gets for one run. */
export interface Task<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	readonly say: Outbound;
	readonly signal: AbortSignal;
	/** Only for bots that keep a session. */
	readonly session: Session | undefined;
	/** The run that these writes belong to. */
	readonly writer: Writer;
	/** Waits for Redis. For everything that the bot does besides posting. */
	readonly retry: Retry;
}

/** What to write to the connection. */
export interface Answer {
	/** JSON text. */
	readonly body: string;
	/** Called with the outcome of the write. Absent if the outcome does not matter. */
	readonly outcome?: Outcome;
}

export interface DeliveriesOptions<Account extends AccountRules> extends Omit<RunHost, 'answerLost'> {
	readonly store: DeliveryStore;
	/** Where deliveries wait while Redis is away. Default: a waiting room of the usual size. */
	readonly waitingRoom?: WaitingRoom;
	/** Runs the bot to its end; what it says goes through `say`. Its errors are its host's to apologise for. */
	handle(task: Task<Account>): Promise<unknown>;
	/** Shows the bot as typing where it was asked, while its run is late. */
	showTyping?(asked: {readonly account: Account; readonly payload: Payload}): void;
	/** Whether a holder's process is known to be dead. Its lease then ends at once. */
	isDead(holder: string): boolean;
	/** Runs the delivery of a dead holder again, in another process. */
	recover?(ref: DeliveryRef, deadHolder: string): Promise<void>;
}

export interface Deliveries<Account extends AccountRules> {
	/** Resolves with the answer, at the latest soon after the deadline. */
	receive(arrival: Arrival<Account>): Promise<Answer>;
	/**
	 * Runs a delivery for which no connection of this process waits. A worker posts the output, unless it has a `deadHolder`.
	 * Resolves with its run once that has started here.
	 */
	rerun(unawaited: Unawaited<Account> & {readonly deadHolder?: string | undefined}): Promise<Run | undefined>;
	/** Deliveries that are running in this process: account and id. */
	running(): readonly string[];
	/** Resolves when no delivery is running. */
	idle(): Promise<void>;
	/** Checks deadlines and leases. For a host that passes `elapsed`. */
	tick(): void;
	/** Waits for handlers to end and for Redis to take what waits, for at most `graceMs`. */
	close(graceMs: number): Promise<void>;
}

/** An arrival and its claim. All its claims use one nonce, so a claim that Redis ran late is still its own. */
interface Asking<Account extends AccountRules> {
	readonly arrival: Arrival<Account>;
	readonly ref: DeliveryRef;
	readonly request: ClaimRequest;
}

/** How often a connection polls a delivery that another process holds. */
const ASK_AGAIN_MS = 250;

/** One timer checks all runs. This is the precision of deadlines. */
const TICK_MS = 50;

export function createDeliveries<Account extends AccountRules>(
	options: DeliveriesOptions<Account>,
): Deliveries<Account> {
	const {store, availability = ALWAYS_AVAILABLE, log, waitingRoom = createWaitingRoom()} = options;
	let claims = 0;
	let isClosed = false;
	const running = new Map<string, Run>();
	const places = createAccountSlots<Account>();
	const confirmations = createConfirmations({...options, availability});
	const runHost: RunHost = {...options, availability, answerLost: carried => void confirmations.lose(carried)};
	const {elapsed = () => performance.now()} = options;
	const tick = () => {
		const now = elapsed();
		for (const run of running.values()) {
			run.tick(now);
		}
	};
	// After a stall, this process first reads the answers that Redis sent in the meantime.
	const ticking = options.elapsed ? undefined : setInterval(() => setImmediate(tick), TICK_MS);
	ticking?.unref();
	const sessions = createSessionLine(store, options.isDead);

	function requestFor({account, payload, text}: Unawaited<Account>, how: Partial<ClaimRequest>): ClaimRequest {
		return {
			nonce: holderOf(options.process, ++claims),
			payload: text,
			sender: payload.message.sender_id,
			perMinute: account.perMinute,
			isUnasked: isUnasked(payload),
			...how,
		};
	}

	function start({account, payload}: Unawaited<Account>, ref: DeliveryRef, claim: RunStart): Run {
		const {timeoutMs} = account;
		const timed = {timeoutMs, timeoutText: timeoutText(payload, timeoutMs)};
		const showTyping = () => options.showTyping?.({account, payload});
		const run = new Run({ref, store, host: runHost, showTyping, ...timed, ...claim});
		running.set(keyOf(ref), run);
		run.start(async () => {
			// A place in a slow conversation takes nobody else's place.
			const key = sessionKey(account, payload);
			const session = key === undefined ? undefined : await sessions.enter(run, ref, key);
			await places.enter(account, account.concurrency);
			// A handler that ignores its abort keeps its slot no longer than its run.
			void run.ended.then(() => places.leave(account));
			await options.handle({
				account,
				payload,
				say: run.say,
				session,
				writer: {ref, run: run.number},
				retry: step => run.retry(step),
				get signal() {
					return run.signal;
				},
			});
		});
		void run.ended.then(() => running.delete(keyOf(ref)));
		return run;
	}

	/** Another connection may have followed a closed one. The closed one must not lose that one's answer. */
	const claim = ({arrival, ref, request}: Asking<Account>, isLate = false, isArrival = isOpen(arrival)) =>
		store.claim(ref, {...request, isLate, isArrival});

	/** Claims until Redis accepts the claim. If that takes until `at`, the sender gets a text and the bot answers late. */
	async function waitForRedis(
		asking: Asking<Account>,
		{at, isLate = false}: {at: number; isLate?: boolean},
	): Promise<Answer> {
		const {arrival, ref, request} = asking;
		const bytes = arrival.text.length;
		if (!waitingRoom.enter(bytes)) {
			log.warn({delivery: ref.id, waiting: waitingRoom.size}, 'too many deliveries wait for Redis; refused this one');
			return {body: FULL_ANSWER};
		}

		let how: readonly [isLate: boolean, isArrival?: boolean] = [isLate];
		const persist = () =>
			availability.retry(
				() => claim(asking, ...how),
				() => isClosed,
			);
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

			const run = running.get(keyOf(ref));
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
				return answerOf({body: claimed.answer, isCarried: !claimed.isFlood}, asking, holder);
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
		await new Promise(setImmediate);
		if (isOpen(arrival)) {
			const posting = availability.retry(
				() => store.claim(ref, {...request, isArrival: true, posts: true}),
				() => isClosed,
			);
			const posted = posting.catch(error =>
				log.warn({delivery: ref.id, reason: String(error)}, 'an answer is posted later'),
			);
			await Promise.race([posted, sleep(DECISION_MS, undefined, {ref: false})]);
		}

		return {body: SILENCE};
	}

	/** A closed connection carries nothing. If another connection followed it, that one carries the answer. */
	function answerOf({body, isCarried}: RunAnswer, {arrival, ref}: Asking<Account>, carrier: string): Answer {
		return isCarried && isOpen(arrival) && body !== SILENCE
			? {body, outcome: confirmations.carry({ref, carrier})}
			: {body};
	}

	return {
		running: () => [...running.keys()],
		async idle() {
			while (running.size > 0) {
				await Promise.all([...running.values()].map(run => run.ended));
			}
		},
		tick,
		async receive(arrival) {
			const ref = deliveryRef(arrival.account, arrival.payload);
			const asking = {arrival, ref, request: requestFor(arrival, {leavesLapsed: true})};
			const claimed = await availability.attempt(() => claim(asking));
			return claimed ? settle(asking, claimed) : waitForRedis(asking, {at: deadlineOf(arrival)});
		},
		async rerun({deadHolder, ...unawaited}) {
			const ref = deliveryRef(unawaited.account, unawaited.payload);
			if (running.has(keyOf(ref))) {
				return undefined;
			}

			// A connection that waits in another process polls for the answer and carries it.
			const isLate = deadHolder === undefined;
			const request = requestFor(unawaited, {deadHolder, isLate});
			const claimed = await availability.retry(
				() => store.claim(ref, request),
				() => isClosed,
			);
			if (claimed.kind === 'run') {
				return start(unawaited, ref, {claimed, holder: request.nonce, isAwaitedElsewhere: !isLate});
			}

			if (claimed.kind === 'late') {
				// It may have been parked just now, so its apology waits to be posted.
				await options.enqueue(ref);
			}

			return undefined;
		},
		async close(graceMs) {
			const until = performance.now() + graceMs;
			while (running.size + waitingRoom.size > 0 && performance.now() < until) {
				await Promise.race([...[...running.values()].map(run => run.ended), sleep(TICK_MS)]);
			}

			isClosed = true;
			clearInterval(ticking);
			if (waitingRoom.size > 0) {
				log.error({deliveries: waitingRoom.size}, 'Redis is away; these deliveries are lost with this process');
			}

			if (running.size > 0) {
				log.info({handlers: running.size}, 'this stop interrupted handlers; another process runs them again');
			}

			await Promise.all([...running.values()].map(run => run.abandon()));
			await confirmations.close();
		},
	};
}

interface RunStart {
	readonly claimed: Claim & {readonly kind: 'run'};
	readonly holder: string;
	readonly isAwaitedElsewhere?: boolean;
}

function deadlineOf<Account extends AccountRules>({arrivedAt, account}: Arrival<Account>): number {
	return arrivedAt + account.deadlineMs;
}

function isOpen({isOpen: asked = () => true}: Pick<Arrival<AccountRules>, 'isOpen'>): boolean {
	return asked();
}

function holderOf(process: string, claim: number): string {
	return `${process} ${claim}`;
}

/** The holder of the first delivery that a process claims. */
export function firstHolder(process: string): string {
	return holderOf(process, 1);
}

function keyOf({account, id}: DeliveryRef): string {
	return `${account} ${id}`;
}
