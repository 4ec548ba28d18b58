// What one run posts. Replies wait for the decision between inline and late; everything else goes into the outbox at once.

import type {Retry} from '../redis/availability.js';
import type {Outbound, Scheduled} from './outbound.js';
import {type DeliveryRef, numberOf, sendId} from './ref.js';
import type {RunHost} from './run-scope.js';
import type {AppendResult, DeliveryStore, OutboxEntry} from './store.js';
import {isTooLong} from './text.js';

export interface RunOutputOptions {
	readonly ref: DeliveryRef;
	readonly store: DeliveryStore;
	/** Number of the run. */
	readonly run: number;
	readonly host: RunHost;
	/** Whether replies go into the outbox from the start. */
	readonly isLate: boolean;
	readonly retry: Retry;
	/** Throws when the run is over. */
	expectTime(): void;
	/** Ends this run, because another one has taken over. Returns the error. */
	yieldRun(): Error;
	/** Notes an error for the ledger. */
	failed(error: string): void;
}

/** Limit for the replies and sends of one run. */
const MOST_SAID = 1_000;

interface Reply {
	readonly n: number;
	readonly text: string;
	readonly widget: string | undefined;
}

export class RunOutput {
	readonly say: Outbound;
	readonly #options: RunOutputOptions;
	/** Replies that wait for the decision. */
	#replies: Reply[] = [];
	/** Texts that the host adds when the run ends, after the bot's own texts. */
	readonly #apologies: Reply[] = [];
	#said = 0;
	#isLate: boolean;

	constructor(options: RunOutputOptions) {
		this.#options = options;
		this.#isLate = options.isLate;
		this.say = {
			reply: (text, widget) => this.#reply(text, widget),
			send: message => this.#send(message),
			schedule: message => this.#schedule(message),
			repeat: message => this.#repeat(message),
			edit: change => this.#edit(change),
			post: () => this.#post(),
			failed: error => options.failed(error),
		};
	}

	get isLate(): boolean {
		return this.#isLate;
	}

	/** Adds a text of the host. */
	apologise(text: string): void {
		this.#apologies.push({n: ++this.#said, text, widget: undefined});
	}

	/** From now on, a worker posts the replies, also the earlier ones. */
	async turnLate(): Promise<void> {
		this.#isLate = true;
		const replies = this.#replies;
		this.#replies = [];
		if (replies.length > 0) {
			await this.#append(replies.map(entryOf));
		}
	}

	/** The replies, as one text and as entries of the outbox. A worker posts what the bot sends from now on. */
	end(): {readonly text: string; readonly widget: string | undefined; readonly entries: readonly OutboxEntry[]} {
		const replies = [...this.#replies, ...this.#apologies];
		this.#replies = [];
		this.#isLate = true;
		return {
			text: replies.map(reply => reply.text).join('\n\n'),
			widget: replies.findLast(reply => reply.widget !== undefined)?.widget,
			entries: joinReplies(replies).map(entryOf),
		};
	}

	#expectRoom(): void {
		this.#options.expectTime();
		if (this.#said >= MOST_SAID) {
			throw new RangeError(`Expected at most ${MOST_SAID} replies and sends for one message`);
		}
	}

	#next(): number {
		this.#expectRoom();
		return ++this.#said;
	}

	async #reply(text: string, widget: string | undefined): Promise<string> {
		const reply = {n: this.#next(), text, widget};
		if (this.#isLate) {
			await this.#append([entryOf(reply)]);
		} else {
			this.#replies.push(reply);
		}

		return sendId(this.#options.ref, reply.n);
	}

	async #post(): Promise<void> {
		const {store, ref, retry} = this.#options;
		if (!this.#isLate && (await retry(() => store.decideLate(ref))) === 'late') {
			await this.turnLate();
		}
	}

	async #send({target, text, widget}: Parameters<Outbound['send']>[0]): Promise<string> {
		const n = this.#next();
		await this.#append([
			{n, kind: 'send', target, text, dueAt: 0, mayBePosted: false, ...(widget !== undefined && {widget})},
		]);
		return sendId(this.#options.ref, n);
	}

	async #edit({send, text}: Parameters<Outbound['edit']>[0]): Promise<void> {
		const n = this.#next();
		const edits = numberOf(send);
		await this.#append([{n, kind: 'edit', edits, target: '', text, dueAt: 0, mayBePosted: false}]);
	}

	async #schedule({kind = 'send', target, text, widget, dueAt, name, via}: Scheduled): Promise<string> {
		const {ref, store, run, retry} = this.#options;
		const n = this.#next();
		const entry = {n, kind, target, text, dueAt, mayBePosted: false, name: name ?? sendId(ref, n)};
		await this.#keep(
			await retry(() => store.schedule(ref, run, {...entry, ...(via && {via}), ...(widget !== undefined && {widget})})),
		);
		return entry.name;
	}

	async #repeat({target, text, widget, cron, name}: Parameters<Outbound['repeat']>[0]): Promise<string> {
		const {ref, store, run, retry} = this.#options;
		this.#expectRoom();
		const id = name ?? sendId(ref, ++this.#said);
		const what = {kind: 'send', target, text, ...(widget !== undefined && {widget})} as const;
		if ((await retry(() => store.repeat(ref, run, {id, cron: {cron, what}}))) === 'stale') {
			throw this.#options.yieldRun();
		}

		return id;
	}

	async #append(entries: readonly OutboxEntry[]): Promise<void> {
		const {ref, store, run, retry} = this.#options;
		await this.#keep(await retry(() => store.append(ref, run, entries)));
	}

	async #keep(appended: AppendResult): Promise<void> {
		const {ref, host, yieldRun} = this.#options;
		if (appended === 'stale') {
			throw yieldRun();
		}

		if (appended.differing.length > 0) {
			host.log.warn(
				{delivery: ref.id, entries: appended.differing},
				'a rerun sent something else; keeping the first version',
			);
		}

		await host.enqueue(ref);
	}
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
