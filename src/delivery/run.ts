// One run of a bot for one delivery: holds the lease, keeps what the bot says, and ends inline or late.

import type {CheckedCron} from '../queue/cron.js';
import {SILENCE} from './answers.js';
import type {DeliveryRef} from './ref.js';
import {sendId} from './ref.js';
import {RunOver} from './run-over.js';
import type {Session} from './session.js';
import {
	type AppendResult,
	type Claim,
	type DeliveryStore,
	type HeldSession,
	LEASE_MS,
	type OutboxEntry,
} from './store.js';

/** What a bot says. */
export interface Say {
	/** Answers in the conversation; `widget` is JSON text of what the service shows under it. */
	reply(text: string, widget?: string): Promise<void>;
	/** Posts anywhere; resolves with the id of the send. */
	send(message: {target: string; text: string}): Promise<string>;
	/** Posts at a set time; resolves with its name, the id of the send when none is given. */
	schedule(message: Scheduled): Promise<string>;
	/** Posts again and again; resolves with its name. */
	repeat(message: {target: string; text: string; cron: CheckedCron; name?: string | undefined}): Promise<string>;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

export interface Scheduled {
	readonly target: string;
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly dueAt: number;
	/** What had it before is cancelled. */
	readonly name?: string | undefined;
	/** Lets the service keep it until then. */
	readonly via?: 'service' | undefined;
}

export interface RunHost {
	/** Names this process in leases. */
	readonly process: string;
	/** Tells the workers that an outbox has something to post. */
	wake(ref: DeliveryRef): Promise<void>;
	/** Milliseconds since any beginning. Default: `performance.now`, and all deadlines are looked after by a timer. */
	readonly elapsed?: () => number;
	readonly log: {
		info(fields: object, message: string): void;
		warn(fields: object, message: string): void;
		error(fields: object, message: string): void;
	};
}

export interface RunOptions {
	readonly ref: DeliveryRef;
	readonly store: DeliveryStore;
	readonly claimed: Claim & {readonly kind: 'run'};
	/** The nonce of the claim. */
	readonly holder: string;
	readonly host: RunHost;
	/** After this the handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
}

/** Renewed this often, so that two may be missed. */
const RENEW_MS = 3_000;

export class Run {
	/** Resolves when the handler has ended and what it said is stored. */
	ended: Promise<void> = Promise.resolve();
	readonly say: Say;
	readonly #options: RunOptions;
	#stop: AbortController | undefined;
	#overSince: Error | undefined;
	#onAbort: (reason: Error) => void = () => {};
	#deadlines: {readonly at: number; pass(): void}[] = [];
	#renewedAt: number;
	/** Replies that wait for the decision. */
	#replies: Reply[] = [];
	#said = 0;
	#isAbandoned = false;
	readonly #startedAt: number;
	#isLate: boolean;
	#error: string | undefined;
	#session: (HeldSession & {json: string | undefined}) | undefined;
	#answered: (answer: string | 'taken over') => void = () => {};
	readonly #answerPromise: Promise<string | 'taken over'>;
	#isTakenOver = false;

	constructor(options: RunOptions) {
		this.#options = options;
		this.#isLate = options.claimed.isLate;
		this.#startedAt = this.#elapsed();
		this.#renewedAt = this.#startedAt;
		this.#answerPromise = new Promise(resolve => {
			this.#answered = resolve;
		});
		this.say = {
			reply: (text, widget) => this.#reply(text, widget),
			send: message => this.#send(message),
			schedule: message => this.#schedule(message),
			repeat: message => this.#repeat(message),
			failed: error => {
				this.#error = error;
			},
		};
	}

	/** Counts the runs of the delivery; fences everything that this one writes. */
	get number(): number {
		return this.#options.claimed.run;
	}

	get holder(): string {
		return this.#options.holder;
	}

	/** From here on the run holds the session of its conversation, and frees it when it ends. */
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

	/** Made when somebody first looks: few handlers do, and it is dear. */
	get signal(): AbortSignal {
		this.#stop ??= new AbortController();
		if (this.#overSince) {
			this.#stop.abort(this.#overSince);
		}

		return this.#stop.signal;
	}

	/** Runs `handler` under the lease. */
	start(handler: () => Promise<void>): void {
		this.ended = this.#live(handler);
	}

	async #live(handler: () => Promise<void>): Promise<void> {
		const aborted = new Promise<never>((_, reject) => {
			this.#onAbort = reject;
		});
		try {
			await Promise.race([handler(), aborted]);
		} catch (error) {
			this.#error ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
		}

		try {
			if (!this.#isAbandoned) {
				await this.#finish();
			}
		} catch (error) {
			const {ref, host} = this.#options;
			host.log.error({delivery: ref.id, reason: String(error)}, 'a run could not be finished');
		}

		this.#answered(SILENCE);
	}

	/** Called every now and then: renews the lease, and sees to deadlines. */
	tick(now: number): void {
		if (now - this.#renewedAt >= RENEW_MS) {
			this.#renewedAt = now;
			void this.#renew();
		}

		if (now - this.#startedAt > this.#options.timeoutMs) {
			this.abort(this.#tooLong());
		}

		const due = this.#deadlines.filter(({at}) => at <= now);
		if (due.length > 0) {
			this.#deadlines = this.#deadlines.filter(({at}) => at > now);
			for (const {pass} of due) {
				pass();
			}
		}
	}

	/** Leaves the delivery to whoever finds it: the host stops. */
	async abandon(): Promise<void> {
		await this.#options.store.decideLate(this.#options.ref);
		this.#isAbandoned = true;
		this.abort(new RunOver('The host is stopping'));
		await this.ended;
	}

	abort(reason: Error): void {
		this.#overSince ??= reason;
		this.#stop?.abort(reason);
		this.#onAbort(reason);
	}

	/**
	 * The webhook's answer, JSON text; decides that it is late when `at`, by the host's `elapsed`, comes first. When another
	 * run has taken over, that one has the answer.
	 */
	async answerBefore(at: number): Promise<string | 'taken over'> {
		const passed = new Promise<undefined>(resolve => {
			this.#deadlines.push({at, pass: () => resolve(undefined)});
		});
		const first = await Promise.race([this.#answerPromise, passed]);
		if (first !== undefined) {
			return first;
		}

		const decided = await this.#options.store.decideLate(this.#options.ref);
		if (decided !== 'late') {
			return decided.answer;
		}

		await this.#turnLate();
		return SILENCE;
	}

	/** Another run has taken over: this one says nothing any more. */
	#yield(): RunOver {
		const over = new RunOver('Another run has taken over this delivery');
		this.#isTakenOver = true;
		this.abort(over);
		return over;
	}

	#elapsed(): number {
		return this.#options.host.elapsed?.() ?? performance.now();
	}

	#tooLong(): RunOver {
		return new RunOver(`The handler took longer than ${this.#options.timeoutMs} ms`);
	}

	/** A bot may speak while its handler runs, and after it for as long as the handler might have run. */
	#expectTime(): void {
		if (this.#elapsed() - this.#startedAt > this.#options.timeoutMs) {
			this.#overSince ??= this.#tooLong();
		}

		if (this.#overSince) {
			throw this.#overSince;
		}
	}

	async #reply(text: string, widget: string | undefined): Promise<void> {
		this.#expectTime();
		const reply = {n: ++this.#said, text, widget};
		if (this.#isLate) {
			await this.#append([entryOf(reply)]);
			return;
		}

		this.#replies.push(reply);
	}

	async #send({target, text}: {target: string; text: string}): Promise<string> {
		this.#expectTime();
		const n = ++this.#said;
		await this.#append([{n, kind: 'send', target, text, dueAt: 0, mayBePosted: false}]);
		return sendId(this.#options.ref, n);
	}

	async #schedule({target, text, dueAt, name, via}: Scheduled): Promise<string> {
		this.#expectTime();
		const {ref, store, claimed} = this.#options;
		const n = ++this.#said;
		const entry = {n, kind: 'send', target, text, dueAt, mayBePosted: false, name: name ?? sendId(ref, n)} as const;
		await this.#keep(await store.schedule(ref, claimed.run, {...entry, ...(via && {via})}));
		return entry.name;
	}

	async #repeat({target, text, cron, name}: Parameters<Say['repeat']>[0]): Promise<string> {
		this.#expectTime();
		const {ref, store, claimed} = this.#options;
		const id = name ?? sendId(ref, ++this.#said);
		const what = {kind: 'send', target, text} as const;
		if ((await store.repeat(ref, claimed.run, {id, cron: {cron, what}})) === 'stale') {
			throw this.#yield();
		}

		return id;
	}

	async #append(entries: readonly OutboxEntry[]): Promise<void> {
		const {ref, store, claimed} = this.#options;
		await this.#keep(await store.append(ref, claimed.run, entries));
	}

	async #keep(appended: AppendResult): Promise<void> {
		const {ref, host} = this.#options;
		if (appended === 'stale') {
			throw this.#yield();
		}

		if (appended.differing.length > 0) {
			host.log.warn(
				{delivery: ref.id, entries: appended.differing},
				'a rerun said something else; the first version stands',
			);
		}

		await host.wake(ref);
	}

	async #renew(): Promise<void> {
		const {ref, store, claimed, host} = this.#options;
		try {
			const standing = await store.renew(ref, claimed.run, this.#session);
			if (standing === 'stale') {
				this.#yield();
			} else if (standing === 'late') {
				await this.#turnLate();
			}
		} catch (error) {
			host.log.warn({delivery: ref.id, reason: String(error), leaseMs: LEASE_MS}, 'a lease could not be renewed');
		}
	}

	async #turnLate(): Promise<void> {
		this.#isLate = true;
		const replies = this.#replies;
		this.#replies = [];
		if (replies.length > 0) {
			await this.#append(replies.map(entryOf));
		}
	}

	async #finish(): Promise<void> {
		if (this.#isTakenOver) {
			this.#answered('taken over');
			return;
		}

		const {ref, store, claimed, host} = this.#options;
		const text = this.#replies.map(reply => reply.text).join('\n\n');
		const widget = this.#replies.findLast(reply => reply.widget !== undefined)?.widget;
		const answer = text === '' ? SILENCE : JSON.stringify({content: text, widget_content: widget});
		const replies = this.#replies.map(entryOf);
		// What the bot says from here on is posted.
		this.#replies = [];
		this.#isLate = true;
		const standing = await store.finish(ref, {
			run: claimed.run,
			answer,
			replies,
			error: this.#error,
			session: this.#session,
		});
		const settled = {inline: answer, late: SILENCE, stale: 'taken over'} as const;
		this.#answered(settled[standing]);
		if (standing === 'late') {
			await host.wake(ref);
		}
	}
}

interface Reply {
	readonly n: number;
	readonly text: string;
	readonly widget: string | undefined;
}

function entryOf({n, text, widget}: Reply): OutboxEntry {
	return {n, kind: 'reply', target: '', text, dueAt: 0, mayBePosted: false, ...(widget !== undefined && {widget})};
}
