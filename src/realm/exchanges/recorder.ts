// Keeps the latest exchanges between the realm and bots, in memory.

import type {Clock} from '../clock.js';
import type {Account} from '../people/accounts.js';
import type {Exchange, PostedMessage, Recorded} from './exchange.js';
import {type Calls, type Links, linkCall} from './link.js';
import {maskSecrets} from './mask.js';

const KEPT = 500;

/** All bodies together, in characters. Older exchanges make room. */
const KEPT_CHARACTERS = 16_000_000;

/** A payload contains its message three times, so it may be longer than other bodies. */
const MAX_PAYLOAD = 65_536;
const MAX_BODY = 16_384;

type Beginning = Pick<Exchange, 'kind' | 'message_id' | 'linked_by' | 'attempt' | 'operation' | 'method' | 'fault'> & {
	readonly bot: Account;
	readonly url: string;
	readonly request: string;
	/** How long ago it began. Default: now. */
	readonly agoMs?: number;
};

interface Ending extends Pick<Exchange, 'ms' | 'outcome'> {
	readonly reason?: string | null;
	readonly status?: number;
	readonly answer?: string;
	/** What the message was that the call posted, and which message it names. */
	readonly links?: Links;
	readonly posted?: readonly PostedMessage[];
}

export class Recorder {
	readonly #clock: Clock;
	readonly #exchanges = new Map<number, Exchange>();
	readonly #calls: Calls = [];
	#revision = 0;
	#begun = 0;
	#characters = 0;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	get revision(): number {
		return this.#revision;
	}

	/** Notes that a message calls a bot, so that calls of the bot can be linked to it. */
	noteCalled(called: Omit<Calls[number], 'atMs'>): void {
		this.#calls.push({...called, atMs: this.#clock.now()});
		this.#calls.splice(0, this.#calls.length - KEPT);
	}

	/** Records that an exchange begins. Returns a function that records its end. */
	begin({bot, url, request, agoMs = 0, ...beginning}: Beginning): (ending: Ending) => void {
		const limit = beginning.kind === 'webhook' ? MAX_PAYLOAD : MAX_BODY;
		const {id: user_id, email, full_name} = bot;
		const begun: Exchange = {
			id: ++this.#begun,
			revision: ++this.#revision,
			...beginning,
			bot: {user_id, email, full_name},
			at_ms: this.#clock.now() - agoMs,
			ms: null,
			url: maskSecrets(url, bot).slice(0, MAX_BODY),
			request: record(maskSecrets(request, bot), limit),
			outcome: 'running',
			reason: null,
			status: null,
			answer: null,
			posted: [],
		};
		this.#keep(begun);
		return ending => this.#end(begun, bot, ending);
	}

	/** The kept exchanges that began or changed after this revision, oldest first. */
	list({after = 0, messageId}: {after?: number | undefined; messageId?: number | undefined} = {}): Exchange[] {
		return [...this.#exchanges.values()].filter(
			exchange => exchange.revision > after && (messageId === undefined || exchange.message_id === messageId),
		);
	}

	find(id: number): Exchange | undefined {
		return this.#exchanges.get(id);
	}

	#end(begun: Exchange, bot: Account, {answer, reason, status, posted = [], links, ms, outcome}: Ending): void {
		if (!this.#exchanges.has(begun.id)) {
			return;
		}

		this.#keep({
			...begun,
			revision: ++this.#revision,
			ms,
			outcome,
			reason: reason ? maskSecrets(reason, bot).slice(0, MAX_BODY) : null,
			status: status ?? null,
			answer: answer === undefined ? null : record(maskSecrets(answer, bot), MAX_BODY),
			posted: posted.map(({text, ...post}) => ({...post, text: maskSecrets(text, bot).slice(0, MAX_BODY)})),
			...(links && linkCall(links, {bot, calls: this.#calls, exchanges: this.list(), nowMs: this.#clock.now()})),
		});
	}

	#keep(exchange: Exchange): void {
		const before = this.#exchanges.get(exchange.id);
		this.#characters += sizeOf(exchange) - (before ? sizeOf(before) : 0);
		this.#exchanges.set(exchange.id, exchange);
		for (const [id, oldest] of this.#exchanges) {
			if (this.#exchanges.size <= KEPT && this.#characters <= KEPT_CHARACTERS) {
				return;
			}

			this.#exchanges.delete(id);
			this.#characters -= sizeOf(oldest);
		}
	}
}

function record(text: string, limit: number): Recorded {
	return {text: text.slice(0, limit), length: text.length};
}

function sizeOf({request, answer, posted}: Exchange): number {
	return posted.reduce((sum, {text}) => sum + text.length, request.text.length + (answer?.text.length ?? 0));
}
