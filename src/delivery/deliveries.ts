// A delivery's life in the receiver: claim it, run the bot, answer in time, and leave what is late to the workers.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Payload} from '../api/index.js';
import {SILENCE} from './answers.js';
import {type DeliveryRef, deliveryRef} from './ref.js';
import {Run, type RunHost, type Say} from './run.js';
import {conversationKey, createSessionLine, type Session} from './session.js';
import type {Claim, ClaimRequest, DeliveryStore} from './store.js';
import type {Writer} from './values.js';

/** What the host of a bot account decides. */
export interface AccountRules {
	readonly site: string;
	readonly email: string;
	/** From the first byte to the decision that an answer is late, in milliseconds. */
	readonly deadlineMs: number;
	/** After this a handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
	/** Handlers of this bot that run side by side in one process; the others wait, and are answered late. */
	readonly concurrency: number;
	/** Messages that one sender may write in a minute; 0 for no limit. */
	readonly perMinute: number;
	/** Whether the bot keeps a session, so that a conversation has one run at a time. */
	readonly hasSession: boolean;
}

/** A claim, and the nonce that names its holder. */
interface Claimed<Kind extends Claim = Claim> {
	readonly claimed: Kind;
	readonly holder: string;
}

export interface Arrival<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	/** The payload as JSON text, without its token: this is what is kept. */
	readonly text: string;
	/** When the first byte came, by `elapsed`. */
	readonly arrivedAt: number;
}

/** What a bot is given to do. */
export interface Task<Account extends AccountRules> {
	readonly account: Account;
	readonly payload: Payload;
	readonly say: Say;
	readonly signal: AbortSignal;
	/** For bots that keep one. */
	readonly session: Session | undefined;
	/** The run in whose name it writes. */
	readonly writer: Writer;
}

/** What to write to the connection. */
export interface Answer {
	/** JSON text. */
	readonly body: string;
	/** To be called once the answer was handed to the network. */
	readonly onSpoken?: () => void;
}

export interface DeliveriesOptions<Account extends AccountRules> extends RunHost {
	readonly store: DeliveryStore;
	/** Runs the bot to its end; what it says goes through `say`. Its errors are its host's to apologise for. */
	handle(task: Task<Account>): Promise<void>;
	/** Whether a holder's process is known to have died, so that its lease need not be waited for. */
	isDead(holder: string): boolean;
	/** Has the delivery of a dead holder run again, elsewhere, for a connection that waits. */
	recover?(ref: DeliveryRef, deadHolder: string): Promise<void>;
}

export interface Deliveries<Account extends AccountRules> {
	/** Resolves with the answer, at the deadline at the latest. */
	receive(arrival: Arrival<Account>): Promise<Answer>;
	/**
	 * Runs what nobody holds any more, or what nobody waits for. What it says is posted by a worker, unless `deadHolder` is named by a connection
	 * that waits for the answer.
	 */
	rerun(arrival: Omit<Arrival<Account>, 'arrivedAt'> & {readonly deadHolder?: string | undefined}): Promise<void>;
	/** Deliveries under way in this process: account and id. */
	running(): readonly string[];
	/** Resolves when none is under way. */
	idle(): Promise<void>;
	/** Looks after deadlines and leases, for a host that gives `elapsed`. */
	tick(): void;
	/** Waits for handlers to end, at most `graceMs`; what still runs then is run again by whoever finds it. */
	close(graceMs: number): Promise<void>;
}

/** How often a connection asks what became of a delivery that another process holds. */
const ASK_AGAIN_MS = 250;

/** One timer looks after all runs; deadlines are as exact as this. */
const TICK_MS = 50;

/** Lets answers be marked as spoken together. */
const SPOKEN_EVERY_MS = 50;

export function createDeliveries<Account extends AccountRules>(
	options: DeliveriesOptions<Account>,
): Deliveries<Account> {
	let claims = 0;
	const running = new Map<string, Run>();
	const waiting = new Map<Account, (() => void)[]>();
	const busy = new Map<Account, number>();
	const spoken = createSpokenLine(options);
	const {elapsed = () => performance.now()} = options;
	const tick = () => {
		const now = elapsed();
		for (const run of running.values()) {
			run.tick(now);
		}
	};
	const ticking = options.elapsed ? undefined : setInterval(tick, TICK_MS);
	ticking?.unref();
	const sessions = createSessionLine(options.store, options.isDead);

	async function claim(
		{account, payload, text}: Omit<Arrival<Account>, 'arrivedAt'>,
		ref: DeliveryRef,
		how: Pick<ClaimRequest, 'leavesLapsed' | 'deadHolder' | 'isLate'>,
	): Promise<Claimed> {
		const nonce = `${options.process} ${++claims}`;
		const request = {
			nonce,
			payload: text,
			sender: payload.message.sender_id,
			perMinute: account.perMinute,
			...how,
		};
		const claimed = await options.store.claim(ref, request);
		return {holder: nonce, claimed};
	}

	function start(
		{account, payload}: Pick<Arrival<Account>, 'account' | 'payload'>,
		ref: DeliveryRef,
		{claimed, holder}: Claimed<Claim & {kind: 'run'}>,
	) {
		const run = new Run({ref, store: options.store, claimed, holder, host: options, timeoutMs: account.timeoutMs});
		running.set(keyOf(ref), run);
		run.start(async () => {
			// A place in a slow conversation takes nobody else's place.
			const session = account.hasSession ? await sessions.enter(run, ref, conversationKey(payload)) : undefined;
			await enter(account);
			// A handler that does not stop when told to keeps its place no longer than its run.
			void run.ended.then(() => leave(account));
			await options.handle({
				account,
				payload,
				say: run.say,
				session,
				writer: {ref, run: run.number},
				get signal() {
					return run.signal;
				},
			});
		});
		void run.ended.then(() => running.delete(keyOf(ref)));
		return run;
	}

	async function enter(account: Account): Promise<void> {
		const count = busy.get(account) ?? 0;
		if (count < account.concurrency) {
			busy.set(account, count + 1);
			return;
		}

		await new Promise<void>(resolve => {
			const line = waiting.get(account) ?? [];
			line.push(resolve);
			waiting.set(account, line);
		});
	}

	function leave(account: Account): void {
		const next = waiting.get(account)?.shift();
		if (next) {
			next();
			return;
		}

		busy.set(account, (busy.get(account) ?? 1) - 1);
	}

	/** Waits for a run of this process or of another, until the deadline. */
	async function join(
		arrival: Arrival<Account>,
		ref: DeliveryRef,
		{holder, deadline}: {holder: string; deadline: number},
	): Promise<Answer> {
		let recovered = '';
		for (let busy = holder; ; ) {
			// Whatever ended that process may end this one as well, so it is run again elsewhere.
			if (busy !== recovered && options.isDead(busy)) {
				recovered = busy;
				await options.recover?.(ref, busy);
			}

			const answer = (await running.get(keyOf(ref))?.answerBefore(deadline)) ?? 'taken over';
			if (answer !== 'taken over') {
				return answerOf(answer, ref);
			}

			await sleep(Math.max(0, Math.min(ASK_AGAIN_MS, deadline - elapsed())));
			if (elapsed() >= deadline) {
				return late(ref);
			}

			const claimed = await claim(arrival, ref, {leavesLapsed: true});
			if (claimed.claimed.kind !== 'busy') {
				return settle(arrival, ref, {claimed, deadline});
			}

			busy = claimed.claimed.holder;
		}
	}

	async function settle(
		arrival: Arrival<Account>,
		ref: DeliveryRef,
		{claimed: {claimed, holder}, deadline}: {claimed: Claimed; deadline: number},
	): Promise<Answer> {
		switch (claimed.kind) {
			case 'run': {
				const answer = await start(arrival, ref, {claimed, holder}).answerBefore(deadline);
				return answer === 'taken over' ? join(arrival, ref, {holder: '', deadline}) : answerOf(answer, ref);
			}
			case 'answer':
				return answerOf(claimed.answer, ref);
			case 'late':
				return {body: SILENCE};
			default:
				return join(arrival, ref, {holder: claimed.holder, deadline});
		}
	}

	async function late(ref: DeliveryRef): Promise<Answer> {
		const decided = await options.store.decideLate(ref);
		return decided === 'late' ? {body: SILENCE} : answerOf(decided.answer, ref);
	}

	function answerOf(body: string, ref: DeliveryRef): Answer {
		return body === SILENCE ? {body} : {body, onSpoken: () => spoken.add(ref)};
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
			const deadline = arrival.arrivedAt + arrival.account.deadlineMs;
			return settle(arrival, ref, {claimed: await claim(arrival, ref, {leavesLapsed: true}), deadline});
		},
		async rerun({deadHolder, ...arrival}) {
			const ref = deliveryRef(arrival.account, arrival.payload);
			if (running.has(keyOf(ref))) {
				return;
			}

			// Where somebody waits for the answer it may still be inline.
			const isLate = deadHolder === undefined;
			const {claimed, holder} = await claim(arrival, ref, {leavesLapsed: false, deadHolder, isLate});
			if (claimed.kind === 'run') {
				start(arrival, ref, {claimed, holder});
			}
		},
		async close(graceMs) {
			const until = performance.now() + graceMs;
			while (running.size > 0 && performance.now() < until) {
				await Promise.race([...[...running.values()].map(run => run.ended), sleep(TICK_MS)]);
			}

			clearInterval(ticking);
			await Promise.all([...running.values()].map(run => run.abandon()));
			await spoken.flush();
		},
	};
}

function keyOf({account, id}: DeliveryRef): string {
	return `${account} ${id}`;
}

/** Marks answers as spoken, many with one call. An answer that is marked too late is only looked up once more. */
function createSpokenLine<Account extends AccountRules>({store, log}: DeliveriesOptions<Account>) {
	let refs: DeliveryRef[] = [];
	let timer: NodeJS.Timeout | undefined;

	async function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const flushed = refs;
		refs = [];
		if (flushed.length > 0) {
			await store
				.markSpoken(flushed)
				.catch((error: Error) => log.warn({reason: error.message}, 'answers could not be marked as spoken'));
		}
	}

	return {
		add(ref: DeliveryRef) {
			refs.push(ref);
			timer ??= setTimeout(flush, SPOKEN_EVERY_MS);
		},
		flush,
	};
}
