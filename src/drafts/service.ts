// The calls of a sync. If the service asks to wait (429) or does not answer, they throw `Later`.

import type {Draft, Event, NewDraft} from '../api/index.js';

/** The service certainly did nothing. Retry after a delay. */
export class Later extends Error {
	override name = 'Later' as const;

	constructor(readonly delayMs: number) {
		super(`The service asks to wait ${delayMs} ms`);
	}
}

/** The service refused the call. */
export interface Refused {
	readonly kind: 'refused';
	readonly reason: string;
	/** The draft does not exist. */
	readonly isMissing: boolean;
}

export type Outcome<Value = unknown> =
	| {readonly kind: 'done'; readonly value: Value}
	| Refused
	/** The outcome of the call is unknown. */
	| {readonly kind: 'unknown'};

/** Undefined when the queue is gone. */
export type Events = readonly Event[] | undefined;

export interface Watch {
	readonly queueId: string;
	readonly lastEventId: number;
}

export interface Service {
	/** Builds the draft from a target (JSON text) and a text. */
	resolve(target: string, text: string): Promise<NewDraft | Refused>;
	read(): Promise<readonly Draft[] | Refused>;
	/** Creates all or none. Returns their IDs in the same order. */
	create(drafts: readonly NewDraft[]): Promise<Outcome<readonly number[]>>;
	edit(id: number, draft: NewDraft): Promise<Outcome>;
	remove(id: number): Promise<Outcome>;
	/** Opens a queue for events of drafts. */
	watch(): Promise<Watch>;
	/** All events since that one. Returns when all have arrived, or after a time limit. */
	events(watch: Watch, isAll?: (events: readonly Event[]) => boolean): Promise<Events>;
	unwatch(queueId: string): Promise<void>;
}
