// What a test sees of the kit.

import type {OperationName} from '../api/index.js';
import type {CallTrouble} from '../realm/trouble/trouble.js';
import type {FailedSend, Scheduled} from './findings.js';
import type {Person, PersonName} from './person.js';
import type {PersonsDraft, Reaction, SentMessage} from './realm-queries.js';

export interface TestBotOptions<Config = unknown> {
	/** What an account sets for the bot, as text or as what the text would say. */
	readonly config?: {readonly [Key in keyof Config]?: Config[Key] | string};
	/** What time it is; from there on only `wait` moves the clock. Default: now. */
	readonly now?: Date | string | number;
	/** The bot's full name, by which it is mentioned. Default: `Bot`. */
	readonly name?: string;
	/** Answers what the bot asks of other HTTP APIs with `ctx.fetch()`. Default: the network does. */
	readonly fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
	/** Whose accounts the bot may keep drafts in. Default: everybody's. */
	readonly drafts?: readonly PersonName[];
}

/**
 * What goes wrong: a call of the bot is refused (`429`, `500`, `502-html`), cut before anything is done (`break-before`), or
 * done without a readable answer (`accept-and-break`, `unreadable`); or what the bot answers is lost on its way
 * (`answer-lost`), so that the service posts the message to it again.
 */
export type Fault = Exclude<CallTrouble['kind'], 'silence'> | 'answer-lost';

export interface HttpCallOptions {
	/** Besides the proof, such as a delivery ID. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Signs with another secret than the bot's. */
	readonly secret?: string;
}

export interface FaultOptions {
	/** Only calls of this operation. Default: whatever is called next. */
	readonly operation?: OperationName;
	/** Default 1. */
	readonly times?: number;
	/** How long a 429 asks to wait. Default 1. */
	readonly retryAfterSeconds?: number;
}

/** Its lists are always as things stand; they may be taken apart: `const {alice, sent} = await testBot(echo)`. */
export type TestBot = Readonly<Record<PersonName, Person>> & {
	/** The bot's account. */
	readonly bot: {readonly id: number; readonly email: string; readonly name: string; readonly mention: string};
	/** What time it is. */
	readonly now: Date;
	/** All that the bot has said, as it reads now. */
	readonly sent: readonly SentMessage[];
	/** What the bot will say, soonest first. */
	readonly scheduled: readonly Scheduled[];
	/** What stands among people's drafts. */
	readonly drafts: readonly PersonsDraft[];
	/** The emoji that the bot gave. */
	readonly reactions: readonly Reaction[];
	/** What the service refused to post, or of which nobody knows. */
	readonly failed: readonly FailedSend[];
	/**
	 * Lets time pass: what becomes due is done at its time, one after the other. Gives what the bot said meanwhile.
	 *
	 * @example
	 * await t.alice.dm('me in 10 minutes tea');
	 * const [reminder] = await t.wait('10 minutes');
	 * assert.match(reminder.text, /tea/);
	 */
	wait(duration: string | number): Promise<SentMessage[]>;
	/** Lets time pass until then. */
	waitUntil(time: Date | string): Promise<SentMessage[]>;
	/** Throws with what the bot has said since somebody spoke last, or since the last `wait` began. */
	expectSilence(): void;
	/**
	 * Posts the last message to the bot again, as a service does that got no answer; gives what is answered. The bot's host
	 * knows it again: the same answer, and nothing done twice.
	 *
	 * @example
	 * const answer = await t.alice.dm('vote pizza');
	 * assert.deepEqual(await t.redeliver(), answer);
	 */
	redeliver(): Promise<string[]>;
	/**
	 * Has the next calls of the bot go wrong. A 429 is told to the bot at once; a host would have waited for a while.
	 *
	 * @example
	 * t.fault('accept-and-break', {operation: 'sendMessage'});
	 * await t.alice.dm('announce tea');
	 * await t.wait('2 minutes');
	 * assert.equal(t.sent.filter(({text}) => text === 'tea').length, 1);
	 */
	fault(kind: Fault, options?: FaultOptions): void;
	/**
	 * Calls the bot as another system does, at a path of its `.http()`, with the proof that it asks for. An object goes as
	 * JSON. Gives the HTTP status of the answer: 200, or 401 where the proof does not fit.
	 *
	 * @example
	 * const t = await testBot(deploys, {config: {hookSecret: 'sixteen characters'}});
	 * assert.equal(await t.http('/deploy', {ref: 'main'}), 200);
	 */
	http(path: string, body: unknown, options?: HttpCallOptions): Promise<number>;
	/** Breaks off what still runs. Whatever is not closed is forgotten with the test. */
	close(): Promise<void>;
};
