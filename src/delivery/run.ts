// One run of a bot for one delivery: holds the lease, keeps what the bot says, and ends inline or late.

import {SILENCE} from './answers.js';
import type {Deadline} from './deadline.js';
import type {DeliveryRef} from './ref.js';
import {sendId} from './ref.js';
import {type Claim, type DeliveryStore, LEASE_MS, type OutboxEntry} from './store.js';

/** What a bot says. */
export interface Say {
	/** Answers in the conversation. */
	reply(text: string): Promise<void>;
	/** Posts anywhere, at once or later; resolves with the id of the send. */
	send(message: {target: string; text: string; dueAt: number}): Promise<string>;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

export interface RunHost {
	/** Names this process in leases. */
	readonly process: string;
	/** Tells the workers that an outbox has something to post. */
	wake(ref: DeliveryRef): Promise<void>;
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
	readonly host: RunHost;
	/** After this the handler is aborted, in milliseconds. */
	readonly timeoutMs: number;
}

/** Renewed this often, so that two may be missed. */
const RENEW_MS = 3_000;

/** The handler's time is over, or another run has taken its place. */
export class RunOver extends Error {
	override name = 'RunOver' as const;
}

export class Run {
	/** Resolves when the handler has ended and what it said is stored. */
	ended: Promise<void> = Promise.resolve();
	readonly say: Say;
	readonly #options: RunOptions;
	readonly #stop = new AbortController();
	/** Replies that wait for the decision. */
	#replies: {n: number; text: string}[] = [];
	#said = 0;
	#isLate: boolean;
	#error: string | undefined;
	#answered: (answer: string) => void = () => {};
	readonly #answerPromise: Promise<string>;

	constructor(options: RunOptions) {
		this.#options = options;
		this.#isLate = options.claimed.isLate;
		this.#answerPromise = new Promise(resolve => {
			this.#answered = resolve;
		});
		this.say = {
			reply: text => this.#reply(text),
			send: message => this.#send(message),
			failed: error => {
				this.#error = error;
			},
		};
	}

	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	/** Runs `handler` under the lease. */
	start(handler: () => Promise<void>): Promise<void> {
		const renewing = setInterval(() => void this.#renew(), RENEW_MS);
		const timeout = setTimeout(() => {
			const seconds = Math.round(this.#options.timeoutMs / 1000);
			this.abort(new RunOver(`The handler took longer than ${seconds} s`));
		}, this.#options.timeoutMs);
		const aborted = new Promise<never>((_, reject) => {
			this.signal.addEventListener('abort', () => reject(this.signal.reason), {once: true});
		});
		this.ended = Promise.race([handler(), aborted])
			.catch((error: unknown) => {
				this.#error ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
			})
			.then(() => this.#finish())
			.catch((error: Error) => {
				this.#options.host.log.warn(
					{delivery: this.#options.ref.id, reason: error.message},
					'a run could not be finished',
				);
				this.#answered(SILENCE);
			})
			.finally(() => {
				clearInterval(renewing);
				clearTimeout(timeout);
				// What the handler still does speaks for nobody.
				this.abort(new RunOver('The delivery is finished'));
			});
		return this.ended;
	}

	abort(reason: Error): void {
		this.#stop.abort(reason);
	}

	/** The webhook's answer, JSON text; decides that it is late when the deadline comes first. */
	async answerBefore(deadline: Deadline): Promise<string> {
		const first = await Promise.race([this.#answerPromise, deadline.passed]);
		if (first !== 'passed') {
			return first;
		}

		const decided = await this.#options.store.decideLate(this.#options.ref);
		if (decided !== 'late') {
			return decided.answer;
		}

		await this.#turnLate();
		return SILENCE;
	}

	async #reply(text: string): Promise<void> {
		this.signal.throwIfAborted();
		const reply = {n: ++this.#said, text};
		if (this.#isLate) {
			await this.#append([entryOf(reply)]);
			return;
		}

		this.#replies.push(reply);
	}

	async #send({target, text, dueAt}: {target: string; text: string; dueAt: number}): Promise<string> {
		this.signal.throwIfAborted();
		const n = ++this.#said;
		await this.#append([{n, kind: 'send', target, text, dueAt, mayBePosted: false}]);
		return sendId(this.#options.ref, n);
	}

	async #append(entries: readonly OutboxEntry[]): Promise<void> {
		const {ref, store, claimed, host} = this.#options;
		const appended = await store.append(ref, claimed.run, entries);
		if (appended === 'stale') {
			this.abort(new RunOver('Another run has taken over this delivery'));
			this.signal.throwIfAborted();
			return;
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
			const standing = await store.renew(ref, claimed.run);
			if (standing === 'stale') {
				this.abort(new RunOver('Another run has taken over this delivery'));
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
		const {ref, store, claimed, host} = this.#options;
		const text = this.#replies.map(reply => reply.text).join('\n\n');
		const answer = text === '' ? SILENCE : JSON.stringify({content: text});
		const replies = this.#replies.map(entryOf);
		const standing = await store.finish(ref, {run: claimed.run, answer, replies, error: this.#error});
		this.#answered(standing === 'inline' ? answer : SILENCE);
		if (standing === 'late') {
			await host.wake(ref);
		}
	}
}

function entryOf({n, text}: {n: number; text: string}): OutboxEntry {
	return {n, kind: 'reply', target: '', text, dueAt: 0, mayBePosted: false};
}
