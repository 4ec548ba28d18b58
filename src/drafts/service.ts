// What a sync asks of the service. Where it must wait (429, nobody there) calls throw `Later`.

import type {Draft, Event, NewDraft} from '../api/index.js';

/** The service certainly did nothing, and may be asked again after a while. */
export class Later extends Error {
	override name = 'Later' as const;

	constructor(readonly delayMs: number) {
		super(`The service asks to wait ${delayMs} ms`);
	}
}

/** The service said no. */
export interface Refused {
	readonly kind: 'refused';
	readonly reason: string;
	/** The draft does not exist. */
	readonly isMissing: boolean;
}

export type Outcome<Value = unknown> =
	| {readonly kind: 'done'; readonly value: Value}
	| Refused
	/** Nobody knows whether it was carried out. */
	| {readonly kind: 'unknown'};

/** Undefined when the queue is gone. */
export type Events = readonly Event[] | undefined;

export interface Watch {
	readonly queueId: string;
	readonly lastEventId: number;
}

export interface Service {
	/** The draft that a target (JSON text) and a text make. */
	resolve(target: string, text: string): Promise<NewDraft | Refused>;
	read(): Promise<readonly Draft[] | Refused>;
	/** All or none; answers their IDs in the same order. */
	create(drafts: readonly NewDraft[]): Promise<Outcome<readonly number[]>>;
	edit(id: number, draft: NewDraft): Promise<Outcome>;
	remove(id: number): Promise<Outcome>;
	/** Opens a queue for events of drafts. */
	watch(): Promise<Watch>;
	/** Everything since that event: what is there now, or a little after it is all there, or when that took too long. */
	events(watch: Watch, isAll?: (events: readonly Event[]) => boolean): Promise<Events>;
	unwatch(queueId: string): Promise<void>;
}
