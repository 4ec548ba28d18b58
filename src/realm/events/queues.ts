// Event queues: what happened, kept per client until it is acknowledged (service-facts.md 3.2).

import {randomUUID} from 'node:crypto';
import type {Event} from '../../api/index.js';
import type {Clock} from '../clock.js';
import {badRequest, RealmError} from '../errors.js';
import type {MessageFilter} from './message-filter.js';

const SWEEP_MS = 60_000;
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
	readonly emptyTopicName: boolean;
	readonly accepts: MessageFilter;
}

interface Queue extends QueueOptions {
	readonly id: string;
	events: Event[];
	nextEventId: number;
	prunedId: number;
	touchedMs: number;
	poll: Poll | undefined;
}

interface Poll {
	answer(events: Event[]): void;
	refuse(error: RealmError): void;
}

export class EventQueues {
	readonly #clock: Clock;
	readonly #queues = new Map<string, Queue>();

	constructor(clock: Clock) {
		this.#clock = clock;
		this.#sweepLater();
	}

	get size(): number {
		return this.#queues.size;
	}

	open(options: QueueOptions): string {
		const id = randomUUID();
		this.#queues.set(id, {
			...options,
			id,
			events: [],
			nextEventId: 0,
			prunedId: -1,
			touchedMs: this.#clock.now(),
			poll: undefined,
		});

		return id;
	}

	/** Removes a queue of `userId`; a poll that waits in it is refused. */
	remove(queueId: string, userId: number): void {
		this.#drop(this.#find(queueId, userId));
	}

	/** As if nobody had polled the queue for too long. */
	expire(queueId: string): boolean {
		const queue = this.#queues.get(queueId);
		if (queue) {
			this.#drop(queue);
		}

		return queue !== undefined;
	}

	/** Tells every queue that wants the type; `userIds` limits whose. */
	publish(event: {type: string; [field: string]: unknown}, userIds?: ReadonlySet<number>): void {
		for (const queue of this.#queues.values()) {
			if (wants(queue, event.type) && (userIds?.has(queue.userId) ?? true)) {
				this.#add(queue, event);
			}
		}
	}

	/** Tells each queue that wants messages its own form of one; `undefined` passes it over. */
	publishMessage(eventFor: (queue: QueueOptions & {readonly id: string}) => Record<string, unknown> | undefined): void {
		for (const queue of this.#queues.values()) {
			const event = wants(queue, 'message') ? eventFor(queue) : undefined;
			if (event) {
				this.#add(queue, {...event, type: 'message'});
			}
		}
	}

	/** Acknowledges everything up to `lastEventId` and answers what came after, once there is something. */
	async poll(request: {
		queueId: string;
		userId: number;
		lastEventId: number;
		dontBlock: boolean;
		gone: AbortSignal;
	}): Promise<Event[]> {
		const queue = this.#find(request.queueId, request.userId);
		queue.touchedMs = this.#clock.now();
		prune(queue, request.lastEventId);
		// One poll per queue: an older one ends with what there is.
		queue.poll?.answer([...queue.events]);
		if (queue.events.length > 0 || request.dontBlock) {
			return [...queue.events];
		}

		return this.#wait(queue, request.gone);
	}

	/** Ends every poll that is held. */
	close(): void {
		for (const queue of this.#queues.values()) {
			queue.poll?.answer([]);
		}
	}

	#wait(queue: Queue, gone: AbortSignal): Promise<Event[]> {
		return new Promise((resolve, reject) => {
			const heartbeatMs = HEARTBEAT_MS + Math.random() * HEARTBEAT_SPREAD_MS;
			const cancel = this.#clock.after(heartbeatMs, () => this.#add(queue, {type: 'heartbeat'}));
			const end = () => {
				cancel();
				gone.removeEventListener('abort', leave);
				queue.touchedMs = this.#clock.now();
				if (queue.poll === poll) {
					queue.poll = undefined;
				}
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
			const leave = () => poll.answer([]);
			queue.poll = poll;
			gone.addEventListener('abort', leave);
		});
	}

	#add(queue: Queue, event: {type: string; [field: string]: unknown}): void {
		queue.events.push({...event, id: queue.nextEventId});
		queue.nextEventId += 1;
		queue.poll?.answer([...queue.events]);
	}

	#find(queueId: string, userId: number): Queue {
		const queue = this.#queues.get(queueId);
		if (queue && this.#isExpired(queue)) {
			this.#drop(queue);
		}

		if (!queue || queue.userId !== userId || !this.#queues.has(queueId)) {
			throw badQueue(queueId);
		}

		return queue;
	}

	#isExpired(queue: Queue): boolean {
		const seconds = Math.min(queue.lifespanSeconds || DEFAULT_LIFESPAN_SECONDS, MAX_LIFESPAN_SECONDS);
		return !queue.poll && this.#clock.now() - queue.touchedMs > seconds * 1000;
	}

	#drop(queue: Queue): void {
		this.#queues.delete(queue.id);
		queue.poll?.refuse(badQueue(queue.id));
	}

	#sweepLater(): void {
		this.#clock.after(SWEEP_MS, () => {
			for (const queue of this.#queues.values()) {
				if (this.#isExpired(queue)) {
					this.#drop(queue);
				}
			}

			this.#sweepLater();
		});
	}
}

function wants(queue: Queue, type: string): boolean {
	return queue.eventTypes === undefined || queue.eventTypes.includes(type);
}

function prune(queue: Queue, lastEventId: number): void {
	if (lastEventId < queue.prunedId) {
		throw badRequest(`An event newer than ${lastEventId} has already been pruned!`);
	}

	queue.prunedId = queue.events.findLast(event => event.id <= lastEventId)?.id ?? queue.prunedId;
	queue.events = queue.events.filter(event => event.id > lastEventId);
	if (lastEventId !== queue.prunedId) {
		throw badRequest(`Event ${lastEventId} was not in this queue`);
	}
}

function badQueue(queueId: string): RealmError {
	return new RealmError(`Bad event queue ID: ${queueId}`, 'BAD_EVENT_QUEUE_ID', 400, {queue_id: queueId});
}
