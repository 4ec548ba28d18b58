// One event queue: what happened since the client's last acknowledgement, and the poll that waits for more.

import {randomUUID} from 'node:crypto';
import type {Event} from '../../api/index.js';
import type {Clock} from '../clock.js';
import {badRequest, type ConnectionLost, RealmError} from '../errors.js';
import type {MessageFilter} from './message-filter.js';

const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
const DEFAULT_LIFESPAN_SECONDS = 600;
const MAX_LIFESPAN_SECONDS = 604_800;

export interface QueueOptions {
	readonly userId: number;
	/** Absent: all types. */
	readonly eventTypes: readonly string[] | undefined;
	/** 0 means the default. */
	readonly lifespanSeconds: number;
	readonly applyMarkdown: boolean;
	readonly clientGravatar: boolean;
	readonly allPublicStreams: boolean;
	/** Whether it hears of several deleted messages at once. */
	readonly bulkDeletion: boolean;
	readonly emptyTopicName: boolean;
	/** Whether it hears of typing in channels. */
	readonly streamTyping: boolean;
	/** Legacy presence events without the email. */
	readonly slimPresence: boolean;
	/** Presence events in the modern format. */
	readonly simplifiedPresence: boolean;
	/** Whether it knows deactivated groups; to others they are gone. */
	readonly deactivatedGroups: boolean;
	/** Whether it knows archived channels; to others they are gone. */
	readonly archivedChannels: boolean;
	/** Which messages it hears of. */
	readonly narrow: ReadonlyArray<readonly [operator: string, operand: string]>;
	/** The same, ready for use. */
	readonly accepts: MessageFilter;
}

/** A queue as it is kept while the realm is down. */
export interface SavedQueue {
	readonly id: string;
	readonly options: Omit<QueueOptions, 'accepts'>;
	readonly events: readonly Event[];
	readonly nextEventId: number;
	readonly prunedId: number;
	readonly touchedMs: number;
}

/** Something that happened, before a queue numbers it. */
export interface NewEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

interface Poll {
	answer(events: Event[]): void;
	refuse(error: Error): void;
}

export class EventQueue {
	readonly id: string;
	readonly #clock: Clock;
	#events: Event[];
	#nextEventId: number;
	#prunedId: number;
	#touchedMs: number;
	#poll: Poll | undefined;
	/** Brings the event that waits for the next one. */
	#bringHeld: (() => void) | undefined;

	constructor(
		readonly options: QueueOptions,
		clock: Clock,
		saved?: SavedQueue,
	) {
		this.#clock = clock;
		this.id = saved?.id ?? randomUUID();
		this.#events = [...(saved?.events ?? [])];
		this.#nextEventId = saved?.nextEventId ?? 0;
		this.#prunedId = saved?.prunedId ?? -1;
		// The clock of the last realm may have been ahead.
		this.#touchedMs = Math.min(saved?.touchedMs ?? Number.POSITIVE_INFINITY, clock.now());
	}

	save(): SavedQueue {
		this.#bringHeld?.();
		const {accepts: _, ...options} = this.options;
		return {
			id: this.id,
			options,
			events: this.#events,
			nextEventId: this.#nextEventId,
			prunedId: this.#prunedId,
			touchedMs: this.#touchedMs,
		};
	}

	/** Nobody polled it for its lifespan. */
	get isExpired(): boolean {
		const seconds = Math.min(this.options.lifespanSeconds || DEFAULT_LIFESPAN_SECONDS, MAX_LIFESPAN_SECONDS);
		return !this.#poll && this.#clock.now() - this.#touchedMs > seconds * 1000;
	}

	wants(type: string): boolean {
		return this.options.eventTypes?.includes(type) ?? true;
	}

	get isHolding(): boolean {
		return this.#bringHeld !== undefined;
	}

	add(event: NewEvent): void {
		this.#append(event);
		this.#bringHeld?.();
		this.endPoll();
	}

	/** Adds the event behind the one that comes next, or after that time if none does. */
	addLater(event: NewEvent, holdMs: number): void {
		const cancel = this.#clock.after(holdMs, () => {
			this.#bringHeld?.();
			this.endPoll();
		});
		this.#bringHeld = () => {
			cancel();
			this.#bringHeld = undefined;
			this.#append(event);
		};
	}

	/** Acknowledges everything up to `lastEventId` and answers what came after, once there is something. */
	async poll({lastEventId, dontBlock, gone}: PollRequest): Promise<Event[]> {
		this.#touchedMs = this.#clock.now();
		this.#prune(lastEventId);
		// One poll per queue: an older one ends with what there is.
		this.endPoll();
		if (this.#events.length > 0 || dontBlock) {
			return [...this.#events];
		}

		return this.#wait(gone);
	}

	/** The poll that waits, if any, is answered with what there is. */
	endPoll(): void {
		this.#poll?.answer([...this.#events]);
	}

	/** The queue is gone, and the poll that waits is told, or cut off. */
	drop(error: RealmError | ConnectionLost = badQueue(this.id)): void {
		this.#poll?.refuse(error);
	}

	#append(event: NewEvent): void {
		this.#events.push({...event, id: this.#nextEventId});
		this.#nextEventId += 1;
	}

	#prune(lastEventId: number): void {
		if (lastEventId < this.#prunedId) {
			throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
		}

		this.#prunedId = this.#events.findLast(event => event.id <= lastEventId)?.id ?? this.#prunedId;
		this.#events = this.#events.filter(event => event.id > lastEventId);
		if (lastEventId !== this.#prunedId) {
			throw badRequest(`Event ${lastEventId} was not in this queue`);
		}
	}

	#wait(gone: AbortSignal): Promise<Event[]> {
		return new Promise((resolve, reject) => {
			const heartbeatMs = HEARTBEAT_MS + Math.random() * HEARTBEAT_SPREAD_MS;
			const cancelHeartbeat = this.#clock.after(heartbeatMs, () => this.add({type: 'heartbeat'}));
			const hangUp = () => poll.answer([]);
			const end = () => {
				cancelHeartbeat();
				gone.removeEventListener('abort', hangUp);
				this.#touchedMs = this.#clock.now();
				this.#poll = undefined;
			};
			const poll: Poll = {
				answer(events) {
					end();
					resolve(events);
				},
				refuse(error) {
					end();
					reject(error);
				},
			};
			this.#poll = poll;
			gone.addEventListener('abort', hangUp);
		});
	}
}

export interface PollRequest {
	readonly lastEventId: number;
	readonly dontBlock: boolean;
	/** The client hung up. */
	readonly gone: AbortSignal;
}

export function badQueue(queueId: string): RealmError {
	return new RealmError(`Bad event queue ID: ${queueId}`, 'BAD_EVENT_QUEUE_ID', 400, {queue_id: queueId});
}
