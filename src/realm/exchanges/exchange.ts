// What is recorded of one webhook or one REST call of a bot, as `/dev/exchanges` shows it.

/** A text that may have been cut. `length` is that of the whole text, in characters. */
export interface Recorded {
	readonly text: string;
	readonly length: number;
}

/** Why a call belongs to a message. `time` is a guess: the message was the last one that called the bot. */
export type Link = 'webhook' | 'delivery' | 'message' | 'conversation' | 'time';

/** A message that the realm posted because of the exchange. */
export interface PostedMessage {
	readonly message_id: number;
	/** `owner`: a notice to the bot's owner. */
	readonly to: 'conversation' | 'owner';
	readonly text: string;
}

export interface Exchange {
	/** Counts from 1 since the start of the realm. */
	readonly id: number;
	/** Grows with each change of any exchange. */
	readonly revision: number;
	/** `webhook`: one attempt of the realm to post a message to a bot. `call`: a REST call of a bot. */
	readonly kind: 'webhook' | 'call';
	readonly bot: {readonly user_id: number; readonly email: string; readonly full_name: string};
	/** The message that caused it, where that can be known. */
	readonly message_id: number | null;
	readonly linked_by: Link | null;
	/** When it began, milliseconds since 1970. */
	readonly at_ms: number;
	/** Null while it runs. */
	readonly ms: number | null;
	/** Which attempt of the webhook, from 1. Null for calls. */
	readonly attempt: number | null;
	/** Name of the operation. Null for webhooks, and for paths that the API does not have. */
	readonly operation: string | null;
	readonly method: string;
	readonly url: string;
	/** A webhook's payload, or the parameters of a call as a JSON object. */
	readonly request: Recorded;
	/** The fault that was injected. */
	readonly fault: string | null;
	readonly outcome: 'running' | 'answered' | 'timeout' | 'broken' | 'failed';
	/** Why it failed, if there is no answer. */
	readonly reason: string | null;
	readonly status: number | null;
	readonly answer: Recorded | null;
	readonly posted: readonly PostedMessage[];
}

/** An exchange without its bodies. */
export type Brief = Omit<Exchange, 'request' | 'answer'>;

export function briefOf({request: _, answer: __, ...brief}: Exchange): Brief {
	return brief;
}
