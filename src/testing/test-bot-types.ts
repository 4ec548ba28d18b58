// The types of `testBot()`.

import type {OperationName} from '../api/index.js';
import type {CallTrouble} from '../realm/trouble/trouble.js';
import type {FailedSend, Scheduled} from './findings.js';
import type {Person, PersonName} from './person.js';
import type {PersonsDraft, Reaction, SentMessage} from './realm-queries.js';

export interface TestBotOptions<Config = unknown> {
	/** Settings of the bot, as text or as values. */
	readonly config?: {readonly [Key in keyof Config]?: Config[Key] | string};
	/** The time when the test starts. After that, only `wait` and `waitUntil` move the clock. Default: now. */
	readonly now?: Date | string | number;
	/** The bot's full name, for mentions. Default: `Bot`. */
	readonly name?: string;
	/** Replaces the network for `ctx.fetch()`. Default: real calls. */
	readonly fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
	/** People in whose accounts the bot may put drafts. Default: everybody. */
	readonly drafts?: readonly PersonName[];
}

/**
 * A fault of a call of the bot. The service refuses it (`429`, `500`, `502-html`), the connection breaks before the service acts
 * (`break-before`), or the service acts but the answer is lost or unreadable (`accept-and-break`, `unreadable`). With
 * `answer-lost`, the bot's answer to the webhook is lost, so the service delivers the message again.
 */
export type Fault = Exclude<CallTrouble['kind'], 'silence'> | 'answer-lost';

export interface HttpCallOptions {
	/** More headers, such as a delivery ID. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Signs with this secret instead of the bot's. */
	readonly secret?: string;
}

export interface FaultOptions {
	/** Only calls of this operation. Default: any call. */
	readonly operation?: OperationName;
	/** How many calls fail. Default 1. */
	readonly times?: number;
	/** How many seconds a 429 says to wait. Default 1. */
	readonly retryAfterSeconds?: number;
}

/** Its arrays always show the current state, so you may destructure: `const {alice, sent} = await testBot(echo)`. */
export type TestBot = Readonly<Record<PersonName, Person>> & {
	/** The bot's account. */
	readonly bot: {readonly id: number; readonly email: string; readonly name: string; readonly mention: string};
	/** The time on the test's clock. */
	readonly now: Date;
	/** Messages of the bot, with their current text. */
	readonly sent: readonly SentMessage[];
	/** Messages that the bot has scheduled, soonest first. */
	readonly scheduled: readonly Scheduled[];
	/** Drafts in people's accounts. */
	readonly drafts: readonly PersonsDraft[];
	/** Emoji that the bot added. */
	readonly reactions: readonly Reaction[];
	/** Messages that the service refused, or whose outcome is unknown. */
	readonly failed: readonly FailedSend[];
	/**
	 * Moves the clock. Everything that becomes due runs at its time, in order. Resolves with the messages that the bot posted.
	 *
	 * @example
	 * await t.alice.dm('me in 10 minutes tea');
	 * const [reminder] = await t.wait('10 minutes');
	 * assert.match(reminder.text, /tea/);
	 */
	wait(duration: string | number): Promise<SentMessage[]>;
	/** The same, up to a time. */
	waitUntil(time: Date | string): Promise<SentMessage[]>;
	/** Throws if the bot has posted anything since a person last wrote, or since the last `wait` began. */
	expectSilence(): void;
	/**
	 * Delivers the last message to the bot again, as a service does if it got no answer. Resolves with the answer. Bothy
	 * recognizes the repeat: it gives the same answer and runs nothing twice.
	 *
	 * @example
	 * const answer = await t.alice.dm('vote pizza');
	 * assert.deepEqual(await t.redeliver(), answer);
	 */
	redeliver(): Promise<string[]>;
	/**
	 * Makes the next calls of the bot fail. The bot sees a 429 at once; a real host would first wait for a while.
	 *
	 * @example
	 * t.fault('accept-and-break', {operation: 'sendMessage'});
	 * await t.alice.dm('announce tea');
	 * await t.wait('2 minutes');
	 * assert.equal(t.sent.filter(({text}) => text === 'tea').length, 1);
	 */
	fault(kind: Fault, options?: FaultOptions): void;
	/**
	 * Sends a request to an `.http()` path, with a valid signature. An object is sent as JSON. Resolves with the HTTP status of
	 * the answer: 200, or 401 if the signature is wrong.
	 *
	 * @example
	 * const t = await testBot(deploys, {config: {hookSecret: 'sixteen characters'}});
	 * assert.equal(await t.http('/deploy', {ref: 'main'}), 200);
	 */
	http(path: string, body: unknown, options?: HttpCallOptions): Promise<number>;
	/** Stops everything that is still running. You need not call it: an unclosed kit ends with its test. */
	close(): Promise<void>;
};
