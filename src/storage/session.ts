// One run at a time in each conversation, for bots that keep a session. A process runs them in order of arrival; a lock in
// Redis coordinates processes.

import type {Payload} from '../api/index.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {TakenOverError} from '../delivery/run-expired-error.js';
import type {DeliveryStore} from '../delivery/store.js';
import type {Retry} from '../redis/availability.js';

/** The session as a run finds it and leaves it for the next run in its conversation. */
export interface Session {
	/** JSON text that the previous run left. */
	readonly json: string | undefined;
	/** Stores this text when the run ends, if it is still the current run. */
	save(json: string): void;
}

/** The run that requests a session. */
export interface SessionHolder {
	readonly number: number;
	readonly holder: string;
	readonly signal: AbortSignal;
	readonly ended: Promise<void>;
	readonly retry: Retry;
	holdSession(conversation: string, json: string | undefined): Session;
}

export interface SessionLine {
	/** Resolves when this run has the conversation to itself. The next run may enter when this one has ended. */
	enter(run: SessionHolder, ref: DeliveryRef, conversation: string): Promise<Session>;
}

/** How often to retry while another process holds the conversation. */
const ASK_AGAIN_MS = 100;

export function createSessionLine(store: DeliveryStore, isDead: (holder: string) => boolean): SessionLine {
	const last = new Map<string, Promise<void>>();

	/** Waits for the earlier runs of this process. The next one waits for this run. */
	async function takeTurn(run: SessionHolder, key: string): Promise<void> {
		const before = last.get(key);
		const turn = (before ?? Promise.resolve()).then(() => run.ended);
		last.set(key, turn);
		void turn.then(() => {
			if (last.get(key) === turn) {
				last.delete(key);
			}
		});
		await before;
	}

	return {
		async enter(run, ref, conversation) {
			await takeTurn(run, `${ref.account} ${conversation}`);
			let deadHolder: string | undefined;
			for (;;) {
				run.signal.throwIfAborted();
				const request = {conversation, holder: run.holder, ...(deadHolder ? {deadHolder} : {})};
				const entry = await run.retry(() => store.enterSession(ref, run.number, request));
				if (entry.kind === 'entered') {
					return run.holdSession(conversation, entry.json);
				}

				if (entry.kind === 'stale') {
					throw new TakenOverError();
				}

				deadHolder = isDead(entry.holder) ? entry.holder : undefined;
				await new Promise(resolve => setTimeout(resolve, deadHolder ? 0 : ASK_AGAIN_MS));
			}
		},
	};
}

/** What determines the session of a message. */
export interface SessionRules {
	readonly hasSession: boolean;
	/** Default `conversation`. */
	readonly sessionPer?: 'conversation' | 'person' | 'bot';
}

/** Names the session of a message. Undefined if there is none, because nobody wrote it. */
export function sessionKey({hasSession, sessionPer}: SessionRules, payload: Payload | undefined): string | undefined {
	if (!hasSession || !payload) {
		return undefined;
	}

	// No conversation is called like these.
	return {person: `person ${payload.message.sender_id}`, bot: 'bot', conversation: conversationKey(payload)}[
		sessionPer ?? 'conversation'
	];
}

/** Names the conversation of a message: channel and topic, or everybody in a direct conversation. */
export function conversationKey({message}: Payload): string {
	return Array.isArray(message.display_recipient)
		? message.display_recipient
				.map(({id}) => id)
				.toSorted((a, b) => a - b)
				.join(',')
		: `${message.stream_id ?? message.display_recipient}>${message.subject.toLowerCase()}`;
}
