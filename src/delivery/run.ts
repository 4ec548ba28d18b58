// One run of a bot for one delivery: holds the lease, stores what the bot posts, and ends inline or late.

import type {CheckedCron} from '../queue/cron.js';
import {ALWAYS_AVAILABLE, type Availability} from '../redis/availability.js';
import type {Session} from '../storage/session.js';
import {AWAY_ANSWER, SILENCE} from './answers.js';
import type {DeliveryRef} from './ref.js';
import {numberOf, sendId} from './ref.js';
import {HostStoppingError, RunExpiredError} from './run-expired-error.js';
import type {AppendResult, Carried, Claim, DeliveryStore, HeldSession, OutboxEntry} from './store.js';
import {isTooLong, wellFormed} from './text.js';

/** The ways in which a bot posts. */
export interface Outbound {
	/** Answers in the conversation; `widget` is JSON text of what the service shows under it. Resolves with the id of the send. */
	reply(text: string, widget?: string): Promise<string>;
	/** Has the replies posted from here on, rather than answered with: only what is posted has a message's ID. */
	post(): Promise<void>;
	/** Posts anywhere; resolves with the id of the send. */
	send(message: {target: string; text: string; widget?: string | undefined}): Promise<string>;
	/** Has a worker change what an earlier send of this delivery became. */
	edit(change: {send: string; text: string}): Promise<void>;
	/** Posts at a set time; resolves with its name, the id of the send when none is given. */
	schedule(message: Scheduled): Promise<string>;
	/** Posts again and again; resolves with its name. */
	repeat(message: Omit<Scheduled, 'dueAt' | 'via' | 'kind'> & {cron: CheckedCron}): Promise<string>;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

export interface Scheduled {
	/** `later`: a handler of the bot, that `text` names. Default `send`. */
	readonly kind?: 'send' | 'later';
	readonly target: string;
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly dueAt: number;
	/** JSON text of what the service shows under it. */
	readonly widget?: string | undefined;
	/** What had it before is cancelled. */
	readonly name?: string | undefined;
	/** The service stores the message until it is due. */
	readonly via?: 'service' | undefined;
}

export interface RunHost {
	/** Identifies this process in leases. */
	readonly process: string;
	/** Tells the workers that an outbox has something to post. */
	enqueue(ref: DeliveryRef): Promise<void>;
	/** Steps that wait while Redis is away. Default: no step waits, and each runs once. */
	readonly availability?: Availability;
	/** No connection carries the answer of a run that was recorded as inline. */
	answerLost?(carried: Carried): void;
	/** A monotonic clock in milliseconds. Default: `performance.now`, and a timer checks all deadlines. */
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
	/** The text that the sender gets at the timeout. Default: none. */
	readonly timeoutText?: string | undefined;
	/** Shows the bot as typing in the conversation of the request. */
	showTyping?(): void;
	/** Whether a connection of another process waits for the answer. */
	readonly isAwaitedElsewhere?: boolean;
}

/** How often the lease is renewed. Two renewals may fail before it lapses. */
const RENEW_MS = 3_000;

/** How long a connection may wait for Redis beyond its deadline. The service waits two seconds longer. */
export const DECISION_MS = 1_000;

/** How many things one run may post. */
const MOST_SAID = 1_000;

/** Maximum length of an error in the ledger, in characters. */
const LONGEST_ERROR = 10_000;

/** How often the typing status is renewed while a run is late. */
const TYPING_MS = 20_000;

/** The answer of a run, and whether this run carries it. The answer may be a replacement text. */
export interface RunAnswer {
	/** JSON text. */
	readonly body: string;
	readonly isCarried: boolean;
}

export class Run {
	/** Resolves when the handler has ended and everything that it posted is stored. */
	ended: Promise<void> = Promise.resolve();
	readonly say: Outbound;
	readonly #options: RunOptions;
	#stop: AbortController | undefined;
	#overSince: Error | undefined;
	#onAbort: (reason: Error) => void = () => {};
	#deadlines: {readonly at: number; pass(): void}[] = [];
	#renewedAt: number;
	#isRenewing = false;
	#typedAt = Number.NEGATIVE_INFINITY;
	#hasReturned = false;
	readonly #availability: Availability;
	/** Replies that wait for the decision. */
	#replies: Reply[] = [];
	/** A text that the host adds when the run ends, after the bot's own texts. */
	readonly #apologies: Reply[] = [];
	#said = 0;
	#isAbandoned = false;
	readonly #startedAt: number;
	#isLate: boolean;
	#error: string | undefined;
	#session: (HeldSession & {json: string | undefined}) | undefined;
	#answered: (answer: RunAnswer | 'taken over') => void = () => {};
	readonly #answerPromise: Promise<RunAnswer | 'taken over'>;
	/** Whether each connection that waits for the answer is still open. */
	readonly #connections = new Set<() => boolean>();
	#isTakenOver = false;
	/** A connection has the answer, but Redis has not yet confirmed that it may be sent inline. */
	#isCarried = false;

	constructor(options: RunOptions) {
		this.#options = options;
		this.#isLate = options.claimed.isLate;
		this.#availability = options.host.availability ?? ALWAYS_AVAILABLE;
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
			edit: change => this.#edit(change),
			post: () => this.#post(),
			failed: error => {
				this.#error = error;
			},
		};
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

	/** Created on first use: few handlers read it, and it is expensive. */
	get signal(): AbortSignal {
		this.#stop ??= new AbortController();
		if (this.#overSince) {
			this.#stop.abort(this.#overSince);
		}

		return this.#stop.signal;
	}

	/** Runs `handler` under the lease. */
	start(handler: () => Promise<unknown>): void {
		this.ended = this.#live(handler);
	}

	async #live(handler: () => Promise<unknown>): Promise<void> {
		const aborted = new Promise<never>((_, reject) => {
			this.#onAbort = reject;
		});
		try {
			await Promise.race([handler(), aborted]);
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

		this.#answered(SILENT);
	}

	/** Called regularly. Renews the lease and checks deadlines. */
	tick(now: number): void {
		if (now - this.#renewedAt >= RENEW_MS && !this.#isRenewing) {
			this.#renewedAt = now;
			void this.#renew();
		}

		if (now - this.#startedAt > this.#options.timeoutMs && !this.#overSince) {
			const {timeoutText} = this.#options;
			if (timeoutText !== undefined) {
				this.#apologies.push({n: ++this.#said, text: timeoutText, widget: undefined});
			}

			this.abort(this.#tooLong());
		}

		if (this.#isLate && now - this.#typedAt >= TYPING_MS && !this.#overSince && !this.#hasReturned) {
			this.#typedAt = now;
			this.#options.showTyping?.();
		}

		const due = this.#deadlines.filter(({at}) => at <= now);
		if (due.length > 0) {
			this.#deadlines = this.#deadlines.filter(({at}) => at > now);
			for (const {pass} of due) {
				pass();
			}
		}
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
		this.#overSince ??= reason;
		this.#stop?.abort(reason);
		this.#onAbort(reason);
	}

	/**
	 * The webhook's answer. If `at` (by the host's `elapsed`) comes first, the answer is late. `isOpen` tells whether the
	 * connection can still carry an answer. If another run has taken over, that run has the answer.
	 */
	async answerBefore(at: number, isOpen: () => boolean = () => true): Promise<RunAnswer | 'taken over'> {
		this.#connections.add(isOpen);
		try {
			const first = await Promise.race([this.#answerPromise, this.#passed(at)]);
			return first ?? (await this.#answerLate(at + DECISION_MS, isOpen));
		} finally {
			this.#connections.delete(isOpen);
		}
	}

	/** Resolves at that time, by the host's `elapsed`. */
	#passed(at: number): Promise<undefined> {
		return new Promise(resolve => {
			this.#deadlines.push({at, pass: () => resolve(undefined)});
		});
	}

	/** At its deadline a connection gets silence. If Redis is not back in time to decide that, it gets a text. */
	async #answerLate(at: number, isOpen: () => boolean): Promise<RunAnswer | 'taken over'> {
		const {store, ref} = this.#options;
		const deciding = this.#availability.retry(
			() => store.decideLate(ref),
			() => this.#isAbandoned,
		);
		// In both cases a worker posts what the bot sends from now on.
		const turned = deciding
			.then(decided => (decided === 'late' ? this.#turnLate() : undefined))
			.catch(error => this.#warn(error, 'could not store the messages of a run'));
		const decided = await Promise.race([deciding.catch(() => undefined), this.#answerPromise, this.#passed(at)]);
		if (decided === undefined) {
			return {body: AWAY_ANSWER, isCarried: false};
		}

		if (decided === 'late') {
			await Promise.race([turned, this.#passed(at)]);
			return SILENT;
		}

		if (decided === 'taken over' || !('answer' in decided)) {
			return decided;
		}

		// Redis has recorded the end of this run, but its result has not arrived yet.
		this.#isCarried ||= isOpen();
		return {body: decided.answer, isCarried: true};
	}

	/** Runs a step that is safe to repeat. While Redis is away the step waits, at most until the run is over. */
	retry<Result>(step: () => Promise<Result>): Promise<Result> {
		return this.#availability.retry(step, () => this.#overSince !== undefined);
	}

	#warn(error: unknown, message: string): void {
		const {ref, host} = this.#options;
		host.log.warn({delivery: ref.id, reason: String(error)}, message);
	}

	/** Another run has taken over: this one must not post any more. */
	#yield(): RunExpiredError {
		const over = new RunExpiredError('Another run has taken over this delivery');
		this.#isTakenOver = true;
		this.abort(over);
		return over;
	}

	#elapsed(): number {
		return this.#options.host.elapsed?.() ?? performance.now();
	}

	#tooLong(): RunExpiredError {
		return new RunExpiredError(`The handler took longer than ${this.#options.timeoutMs} ms`);
	}

	/** A bot may post while its handler runs, and afterwards until the handler's timeout would have passed. */
	#expectTime(): void {
		if (this.#elapsed() - this.#startedAt > this.#options.timeoutMs) {
			this.#overSince ??= this.#tooLong();
		}

		if (this.#overSince) {
			throw this.#overSince;
		}

		if (this.#said >= MOST_SAID) {
			throw new RangeError(`Expected at most ${MOST_SAID} replies and sends for one message`);
		}
	}

	async #reply(text: string, widget: string | undefined): Promise<string> {
		this.#expectTime();
		const reply = {n: ++this.#said, text, widget};
		if (this.#isLate) {
			await this.#append([entryOf(reply)]);
		} else {
			this.#replies.push(reply);
		}

		return sendId(this.#options.ref, reply.n);
	}

	async #post(): Promise<void> {
		const {store, ref} = this.#options;
		if (!this.#isLate && (await this.retry(() => store.decideLate(ref))) === 'late') {
			await this.#turnLate();
		}
	}

	async #send({target, text, widget}: Parameters<Outbound['send']>[0]): Promise<string> {
		this.#expectTime();
		const n = ++this.#said;
		await this.#append([
			{n, kind: 'send', target, text, dueAt: 0, mayBePosted: false, ...(widget !== undefined && {widget})},
		]);
		return sendId(this.#options.ref, n);
	}

	async #edit({send, text}: Parameters<Outbound['edit']>[0]): Promise<void> {
		this.#expectTime();
		const n = ++this.#said;
		const edits = numberOf(send);
		await this.#append([{n, kind: 'edit', edits, target: '', text, dueAt: 0, mayBePosted: false}]);
	}

	async #schedule({kind = 'send', target, text, widget, dueAt, name, via}: Scheduled): Promise<string> {
		this.#expectTime();
		const {ref, store, claimed} = this.#options;
		const n = ++this.#said;
		const entry = {n, kind, target, text, dueAt, mayBePosted: false, name: name ?? sendId(ref, n)};
		await this.#keep(
			await this.retry(() =>
				store.schedule(ref, claimed.run, {...entry, ...(via && {via}), ...(widget !== undefined && {widget})}),
			),
		);
		return entry.name;
	}

	async #repeat({target, text, widget, cron, name}: Parameters<Outbound['repeat']>[0]): Promise<string> {
		this.#expectTime();
		const {ref, store, claimed} = this.#options;
		const id = name ?? sendId(ref, ++this.#said);
		const what = {kind: 'send', target, text, ...(widget !== undefined && {widget})} as const;
		if ((await this.retry(() => store.repeat(ref, claimed.run, {id, cron: {cron, what}}))) === 'stale') {
			throw this.#yield();
		}

		return id;
	}

	async #append(entries: readonly OutboxEntry[]): Promise<void> {
		const {ref, store, claimed} = this.#options;
		await this.#keep(await this.retry(() => store.append(ref, claimed.run, entries)));
	}

	async #keep(appended: AppendResult): Promise<void> {
		const {ref, host} = this.#options;
		if (appended === 'stale') {
			throw this.#yield();
		}

		if (appended.differing.length > 0) {
			host.log.warn(
				{delivery: ref.id, entries: appended.differing},
				'a rerun sent something else; keeping the first version',
			);
		}

		await host.enqueue(ref);
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
				await this.#turnLate();
			}
		} catch (error) {
			this.#warn(error, 'could not renew a lease');
		} finally {
			this.#isRenewing = false;
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
		this.#replies.push(...this.#apologies);
		const text = this.#replies.map(reply => reply.text).join('\n\n');
		const widget = this.#replies.findLast(reply => reply.widget !== undefined)?.widget;
		const answer = text === '' ? SILENCE : JSON.stringify({content: text, widget_content: widget});
		const replies = joinReplies(this.#replies).map(entryOf);
		// A worker posts what the bot sends from now on.
		this.#replies = [];
		this.#isLate = true;
		const standing = await this.#availability.retry(
			() =>
				store.finish(ref, {
					run: claimed.run,
					answer,
					// A text that is too long for one message is split into several.
					canAnswer: !isTooLong(text) && this.#isAwaited(),
					replies,
					error: this.#error && wellFormed(this.#error.slice(0, LONGEST_ERROR)),
					session: this.#session,
				}),
			() => this.#isAbandoned,
		);
		if (standing === 'inline' && this.#isAwaited()) {
			this.#answered({body: answer, isCarried: true});
			return;
		}

		this.#answered(standing === 'stale' ? 'taken over' : SILENT);
		if (standing === 'inline' && answer !== SILENCE && !this.#isCarried) {
			host.answerLost?.({ref, carrier: String(claimed.run)});
		} else if (standing === 'late') {
			await host.enqueue(ref);
		}
	}

	/** Whether a connection can carry the answer. */
	#isAwaited(): boolean {
		return this.#options.isAwaitedElsewhere === true || [...this.#connections].some(isOpen => isOpen());
	}
}

const SILENT: RunAnswer = {body: SILENCE, isCarried: false};

interface Reply {
	readonly n: number;
	readonly text: string;
	readonly widget: string | undefined;
}

/** Uses as few messages as the service allows, and splits the same way in each run. */
function joinReplies(replies: readonly Reply[]): Reply[] {
	const joined: Reply[] = [];
	for (const reply of replies) {
		const last = joined.at(-1);
		const text = last && `${last.text}\n\n${reply.text}`;
		if (last && text !== undefined && last.widget === undefined && !isTooLong(text)) {
			joined[joined.length - 1] = {...last, text, widget: reply.widget};
		} else {
			joined.push(reply);
		}
	}

	return joined;
}

function entryOf({n, text, widget}: Reply): OutboxEntry {
	return {n, kind: 'reply', target: '', text, dueAt: 0, mayBePosted: false, ...(widget !== undefined && {widget})};
}
