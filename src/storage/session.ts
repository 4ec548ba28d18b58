// One conversation, one run at a time, for bots that keep a session: in order of arrival within a process, by a lock in
// Redis across processes.

import type {Payload} from '../api/index.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {RunExpiredError} from '../delivery/run-expired-error.js';
import type {DeliveryStore} from '../delivery/store.js';
import type {Retry} from '../redis/availability.js';

/** What a run finds, and leaves for the next one in its conversation. */
export interface Session {
	/** JSON text that the run before left. */
	readonly json: string | undefined;
	/** Has this text stored when the run ends as the current one. */
	save(json: string): void;
}

/** The run that asks for a session. */
export interface SessionHolder {
	readonly number: number;
	readonly holder: string;
	readonly signal: AbortSignal;
	readonly ended: Promise<void>;
	readonly retry: Retry;
	holdSession(conversation: string, json: string | undefined): Session;
}

export interface SessionLine {
	/** Resolves when the conversation is this run's alone; its place is free again when the run has ended. */
	enter(run: SessionHolder, ref: DeliveryRef, conversation: string): Promise<Session>;
}

/** How often the holder of a conversation in another process is asked for. */
const ASK_AGAIN_MS = 100;

export function createSessionLine(store: DeliveryStore, isDead: (holder: string) => boolean): SessionLine {
	const last = new Map<string, Promise<void>>();

	/** Waits for those of this process that came before; the next one waits for this run. */
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
					throw new RunExpiredError('Another run has taken over this delivery');
				}

				deadHolder = isDead(entry.holder) ? entry.holder : undefined;
				await new Promise(resolve => setTimeout(resolve, deadHolder ? 0 : ASK_AGAIN_MS));
			}
		},
	};
}

/** What tells whose session a message belongs to. */
export interface SessionRules {
	readonly hasSession: boolean;
	/** Default `conversation`. */
	readonly sessionPer?: 'conversation' | 'person' | 'bot';
}

/** Names the session of a message; undefined where there is none: nobody wrote what we make ourselves. */
export function sessionKey({hasSession, sessionPer}: SessionRules, payload: Payload): string | undefined {
	const {display_recipient: people, sender_id: sender} = payload.message;
	if (!hasSession || (Array.isArray(people) && people.length === 0)) {
		return undefined;
	}

	// No conversation is called like these.
	return {person: `person ${sender}`, bot: 'bot', conversation: conversationKey(payload)}[sessionPer ?? 'conversation'];
}

/** Names the conversation that a message stands in: channel and topic, or everybody in a direct one. */
export function conversationKey({message}: Payload): string {
	return Array.isArray(message.display_recipient)
		? message.display_recipient
				.map(({id}) => id)
				.toSorted((a, b) => a - b)
				.join(',')
		: `${message.stream_id ?? message.display_recipient}>${message.subject.toLowerCase()}`;
}
