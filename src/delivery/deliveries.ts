// The deliveries of this process: their runs, and the answers to the connections that wait for them.

import {setTimeout as sleep} from 'node:timers/promises';
import {ALWAYS_AVAILABLE} from '../redis/availability.js';
import {Semaphore} from '../semaphore.js';
import {createSessionLine, sessionKey} from '../storage/session.js';
import {timeoutText} from './answers.js';
import {createConfirmations} from './confirmations.js';
import {type Answer, type Arrival, createReceive, type RunStart} from './receive.js';
import type {DeliveryRef} from './ref.js';
import {Run} from './run.js';
import type {RunHost} from './run-scope.js';
import type {ClaimRequest, DeliveryStore} from './store.js';
import type {AccountRules, Incoming, Task} from './task.js';
import {createWaitingRoom, type WaitingRoom} from './waiting-room.js';
import {answeredBy, isUnasked, personOf, type Work, workRef, workText} from './work.js';

export interface DeliveriesOptions<Account extends AccountRules> extends Omit<RunHost, 'answerLost'> {
	readonly store: DeliveryStore;
	/** Where deliveries wait while Redis is away. Default: a waiting room of the usual size. */
	readonly waitingRoom?: WaitingRoom;
	/** Runs the bot to its end. The bot posts through `run.say`. The host apologizes for the bot's errors. */
	handle(task: Task<Account>): Promise<unknown>;
	/** Whether the delivery waits until its bot is resumed. Default: none does. */
	isHeld?(asked: {readonly account: Account; readonly work: Work}): Promise<boolean>;
	/** Shows the bot as typing in the conversation while its run is late. */
	showTyping?(asked: {readonly account: Account; readonly work: Work}): void;
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
	rerun(unawaited: Incoming<Account> & {readonly deadHolder?: string | undefined}): Promise<Run | undefined>;
	/** Deliveries that are running in this process: account and id. */
	running(): readonly string[];
	/** Resolves when no delivery is running. */
	idle(): Promise<void>;
	/** Checks deadlines and leases. For a host that passes `elapsed`. */
	tick(): void;
	/** Waits for handlers to end and for Redis to take what waits, for at most `graceMs`. */
	close(graceMs: number): Promise<void>;
}

/** One timer checks all runs. This is the precision of deadlines. */
const TICK_MS = 50;

export function createDeliveries<Account extends AccountRules>(
	options: DeliveriesOptions<Account>,
): Deliveries<Account> {
	const {store, availability = ALWAYS_AVAILABLE, log, waitingRoom = createWaitingRoom()} = options;
	let claims = 0;
	let isClosed = false;
	const running = new Map<string, Run>();
	const slots = new Map<Account, Semaphore>();
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
	const receive = createReceive<Account>({
		...options,
		...{availability, waitingRoom, confirmations, elapsed, start},
		isClosed: () => isClosed,
		requestFor: arrival => requestFor(arrival, {leavesLapsed: true}),
		running: ref => running.get(keyOf(ref)),
	});

	function requestFor(
		{account, work, text = workText(work)}: Incoming<Account>,
		how: Partial<ClaimRequest>,
	): ClaimRequest {
		const nonce = holderOf(options.process, ++claims);
		// The flood limit is for people, not for other systems or Bothy itself.
		const sender = personOf(work);
		const limit = sender === undefined ? {sender: 0, perMinute: 0} : {sender, perMinute: account.perMinute};
		return {nonce, work: text, isUnasked: isUnasked(work), ...limit, ...how};
	}

	/** Limits the handlers of an account. */
	function slotOf(account: Account): Semaphore {
		const slot = slots.get(account) ?? new Semaphore(account.concurrency);
		slots.set(account, slot);
		return slot;
	}

	function start({account, work}: Incoming<Account>, ref: DeliveryRef, claim: RunStart): Run {
		const {timeoutMs} = account;
		const timed = {timeoutMs, timeoutText: timeoutText(work, timeoutMs)};
		const showTyping = () => options.showTyping?.({account, work});
		const run = new Run({ref, store, host: runHost, showTyping, ...timed, ...claim});
		running.set(keyOf(ref), run);
		run.start(async () => {
			if (await options.isHeld?.({account, work})) {
				await run.hold();
				return;
			}

			// Wait for the conversation first, so that a slow conversation takes no slot of the others.
			const key = sessionKey(account, answeredBy(work));
			const session = key === undefined ? undefined : await sessions.enter(run, ref, key);
			const slot = slotOf(account);
			await slot.enter();
			// A handler that ignores its abort keeps its slot no longer than its run.
			void run.ended.then(() => slot.leave());
			await options.handle({account, work, session, run});
		});
		void run.ended.then(() => running.delete(keyOf(ref)));
		return run;
	}

	return {
		running: () => [...running.keys()],
		async idle() {
			while (running.size > 0) {
				await Promise.all([...running.values()].map(run => run.ended));
			}
		},
		tick,
		receive,
		async rerun({deadHolder, ...unawaited}) {
			const ref = workRef(unawaited.account, unawaited.work);
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
