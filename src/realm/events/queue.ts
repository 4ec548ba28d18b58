// One event queue: the events since the client's last acknowledgement, and the poll that waits for more.

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
	/** Whether the client supports events about several deleted messages. */
	readonly bulkDeletion: boolean;
	readonly emptyTopicName: boolean;
	/** Whether the queue gets events about typing in channels. */
	readonly streamTyping: boolean;
	/** Legacy presence events without the email. */
	readonly slimPresence: boolean;
	/** Presence events in the modern format. */
	readonly simplifiedPresence: boolean;
	/** Whether the client knows deactivated groups. For others, they are deleted. */
	readonly deactivatedGroups: boolean;
	/** Whether the client knows archived channels. For others, they are deleted. */
	readonly archivedChannels: boolean;
	/** The narrow for messages. */
	readonly narrow: ReadonlyArray<readonly [operator: string, operand: string]>;
	/** The narrow as a function. */
	readonly accepts: MessageFilter;
}

/** A queue as it is stored while the realm is down. */
export interface SavedQueue {
	readonly id: string;
	readonly options: Omit<QueueOptions, 'accepts'>;
	readonly events: readonly Event[];
	readonly nextEventId: number;
	readonly prunedId: number;
	readonly touchedMs: number;
}

/** An event before a queue gives it an ID. */
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
	/** Releases the event that is held back. */
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

	/** Nobody has polled it for its lifespan. */
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

	/** Holds the event back until after the next one, or for this time at most. */
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

	/** Acknowledges everything up to `lastEventId`. Resolves with the later events, once there are any. */
	async poll({lastEventId, dontBlock, gone}: PollRequest): Promise<Event[]> {
		this.#touchedMs = this.#clock.now();
		this.#prune(lastEventId);
		// One poll per queue: an older one ends with the current events.
		this.endPoll();
		if (this.#events.length > 0 || dontBlock) {
			return [...this.#events];
		}

		return this.#wait(gone);
	}

	/** Answers the waiting poll, if any, with the current events. */
	endPoll(): void {
		this.#poll?.answer([...this.#events]);
	}

	/** Ends the queue. The waiting poll gets an error, or is cut off. */
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
	/** Call it when the client has hung up. */
	readonly gone: AbortSignal;
}

export function badQueue(queueId: string): RealmError {
	return new RealmError(`Bad event queue ID: ${queueId}`, 'BAD_EVENT_QUEUE_ID', 400, {queue_id: queueId});
}
