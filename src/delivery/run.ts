// One run of a bot for one delivery: holds the lease, runs the handler, and ends inline or late.

import {ALWAYS_AVAILABLE, type Availability, type Retry} from '../redis/availability.js';
import type {Session} from '../storage/session.js';
import type {Writer} from '../storage/values.js';
import {SILENCE} from './answers.js';
import type {Outbound} from './outbound.js';
import type {DeliveryRef} from './ref.js';
import {HostStoppingError, TakenOverError} from './run-expired-error.js';
import {RunExpiry} from './run-expiry.js';
import {RunOutput} from './run-output.js';
import type {RunHost, RunScope} from './run-scope.js';
import type {Claim, DeliveryStore, HeldSession} from './store.js';
import {isTooLong, wellFormed} from './text.js';
import {noticeCloses, type RunAnswer, SILENT, WaitingConnections} from './waiting-connections.js';

export interface RunOptions {
	readonly ref: DeliveryRef;
	readonly store: DeliveryStore;
	readonly claimed: Claim & {readonly kind: 'run'};
	/** The nonce of the claim. */
	readonly holder: string;
	readonly host: RunHost;
	/** After this the handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
	/** The text that the sender gets at the timeout. Default: none. */
	readonly timeoutText?: string | undefined;
	/** Shows the bot as typing in the conversation of the request. */
	showTyping?(): void;
	/** Whether a connection of another process waits for the answer. */
	readonly isAwaitedElsewhere?: boolean;
}

/** How often the lease is renewed. Two renewals may fail before it lapses. */
const RENEW_MS = 3_000;

/** Maximum length of an error in the ledger, in characters. */
const LONGEST_ERROR = 10_000;

/** How often the typing status is renewed while a run is late. */
const TYPING_MS = 20_000;

export class Run implements RunScope {
	/** Resolves when the handler has ended and everything that it posted is stored. */
	ended: Promise<void> = Promise.resolve();
	readonly writer: Writer;
	readonly #options: RunOptions;
	readonly #availability: Availability;
	readonly #output: RunOutput;
	readonly #connections: WaitingConnections;
	readonly #expiry: RunExpiry;
	#renewedAt: number;
	#isRenewing = false;
	#typedAt = Number.NEGATIVE_INFINITY;
	#hasReturned = false;
	#isAbandoned = false;
	#isTakenOver = false;
	#error: string | undefined;
	#session: (HeldSession & {json: string | undefined}) | undefined;

	constructor(options: RunOptions) {
		const {ref, store, host, claimed} = options;
		this.#options = options;
		this.writer = {ref, run: claimed.run};
		this.#availability = host.availability ?? ALWAYS_AVAILABLE;
		const elapsed = () => host.elapsed?.() ?? performance.now();
		this.#renewedAt = elapsed();
		this.#expiry = new RunExpiry(options.timeoutMs, elapsed);
		this.#output = new RunOutput({
			ref,
			store,
			host,
			run: claimed.run,
			isLate: claimed.isLate,
			retry: this.retry,
			expectTime: () => this.#expiry.expectTime(),
			yieldRun: () => this.#yield(),
			failed: error => {
				this.#error = error;
			},
		});
		this.#connections = new WaitingConnections({
			decideLate: () =>
				this.#availability.retry(
					() => store.decideLate(ref),
					() => this.#isAbandoned,
				),
			turnLate: () => this.#output.turnLate(),
			warn: (error, message) => this.#warn(error, message),
		});
	}

	get say(): Outbound {
		return this.#output.say;
	}

	/** Number of this run of the delivery. It fences every write of this run. */
	get number(): number {
		return this.#options.claimed.run;
	}

	get holder(): string {
		return this.#options.holder;
	}

	/** Holds the session of the conversation from now on. The run releases it when it ends. */
	holdSession(conversation: string, json: string | undefined): Session {
		const held = {conversation, holder: this.holder, json: undefined as string | undefined};
		this.#session = held;
		return {
			json,
			save(changed) {
				held.json = changed;
			},
		};
	}

	get signal(): AbortSignal {
		return this.#expiry.signal;
	}

	/** Runs `handler` under the lease. */
	start(handler: () => Promise<unknown>): void {
		this.ended = this.#live(handler);
	}

	async #live(handler: () => Promise<unknown>): Promise<void> {
		try {
			await this.#expiry.race(handler);
			this.#hasReturned = true;
		} catch (error) {
			this.#error ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
		}

		try {
			if (!this.#isAbandoned) {
				await this.#finish();
			}
		} catch (error) {
			const {ref, host} = this.#options;
			host.log.error({delivery: ref.id, reason: String(error)}, 'could not finish a run');
		}

		this.#connections.answer(SILENT);
	}

	/** Called regularly. Renews the lease and checks deadlines. */
	tick(now: number): void {
		if (now - this.#renewedAt >= RENEW_MS && !this.#isRenewing) {
			this.#renewedAt = now;
			void this.#renew();
		}

		if (this.#expiry.hasTimedOut(now) && !this.#expiry.isOver) {
			const {timeoutText} = this.#options;
			if (timeoutText !== undefined) {
				this.#output.apologise(timeoutText);
			}

			this.#expiry.abortAtTimeout();
		}

		if (this.#output.isLate && now - this.#typedAt >= TYPING_MS && !this.#expiry.isOver && !this.#hasReturned) {
			this.#typedAt = now;
			this.#options.showTyping?.();
		}

		this.#connections.tick(now);
	}

	/** Hands the delivery to another process because the host stops. */
	async abandon(): Promise<void> {
		const {store, ref, claimed} = this.#options;
		this.#isAbandoned = true;
		this.abort(new HostStoppingError());
		await this.ended;
		if (!this.#availability.isAway) {
			// If this fails, another process runs it when the lease lapses.
			await store.release(ref, claimed.run).catch(() => {});
		}
	}

	/** Leaves the delivery in Redis until its bot is resumed. */
	async hold(): Promise<void> {
		const {store, ref, claimed} = this.#options;
		this.#isAbandoned = true;
		await this.retry(() => store.release(ref, claimed.run, {holds: true}));
	}

	abort(reason: Error): void {
		this.#expiry.abort(reason);
	}

	/** The webhook's answer to one connection. See `WaitingConnections`. */
	answerBefore(at: number, isOpen?: () => boolean): Promise<RunAnswer | 'taken over'> {
		return this.#connections.answerBefore(at, isOpen);
	}

	/** Runs a step that is safe to repeat. While Redis is away the step waits, at most until the run is over. */
	readonly retry: Retry = step => this.#availability.retry(step, () => this.#expiry.isOver);

	#warn(error: unknown, message: string): void {
		const {ref, host} = this.#options;
		host.log.warn({delivery: ref.id, reason: String(error)}, message);
	}

	/** Another run has taken over: this one must not post any more. */
	#yield(): TakenOverError {
		const over = new TakenOverError();
		this.#isTakenOver = true;
		this.abort(over);
		return over;
	}

	/** While Redis is away renewals wait. The lease is renewed as soon as Redis is back. */
	async #renew(): Promise<void> {
		const {ref, store, claimed} = this.#options;
		this.#isRenewing = true;
		try {
			const standing = await this.retry(() => store.renew(ref, claimed.run, this.#session));
			if (standing === 'stale') {
				this.#yield();
			} else if (standing === 'late') {
				await this.#output.turnLate();
			}
		} catch (error) {
			this.#warn(error, 'could not renew a lease');
		} finally {
			this.#isRenewing = false;
		}
	}

	async #finish(): Promise<void> {
		if (this.#isTakenOver) {
			await this.#outlive();
			return;
		}

		const {ref, store, claimed, host} = this.#options;
		const {text, widget, entries} = this.#output.end();
		const answer = text === '' ? SILENCE : JSON.stringify({content: text, widget_content: widget});
		const standing = await this.#availability.retry(
			() =>
				store.finish(ref, {
					run: claimed.run,
					answer,
					// A text that is too long for one message is split into several.
					canAnswer: !isTooLong(text) && this.#isAwaited(),
					replies: entries,
					error: this.#error && wellFormed(this.#error.slice(0, LONGEST_ERROR)),
					session: this.#session,
				}),
			() => this.#isAbandoned,
		);
		if (standing === 'inline') {
			await noticeCloses();
		}

		if (standing === 'inline' && this.#isAwaited()) {
			this.#connections.answer({body: answer, isCarried: true});
			return;
		}

		if (standing === 'stale') {
			await this.#outlive();
			return;
		}

		this.#connections.answer(SILENT);
		if (standing === 'inline' && answer !== SILENCE && !this.#connections.isCarried) {
			host.answerLost?.({ref, carrier: String(claimed.run)});
		} else if (standing === 'late') {
			await host.enqueue(ref);
		}
	}

	/** Another process took this run over. So that it does not count as a crash, this process tells that it lives. */
	async #outlive(): Promise<void> {
		const {ref, store, claimed, host} = this.#options;
		this.#connections.answer('taken over');
		host.log.warn(
			{account: ref.account, delivery: ref.id, run: claimed.run},
			'another process has taken over a slow run',
		);
		await this.#availability.retry(
			() => store.release(ref, claimed.run),
			() => this.#isAbandoned,
		);
	}

	/** Whether a connection can carry the answer. */
	#isAwaited(): boolean {
		return this.#options.isAwaitedElsewhere === true || this.#connections.isAnyOpen();
	}
}
