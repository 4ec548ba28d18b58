// All event queues, and the functions that publish events to them (service-facts.md 3.2).

import type {Event} from '../../api/index.js';
import type {Clock} from '../clock.js';
import {ConnectionLost} from '../errors.js';
import {eventAt, knowsEventType} from '../levels.js';
import type {MessageFilter} from './message-filter.js';
import {badQueue, EventQueue, type NewEvent, type PollRequest, type QueueOptions, type SavedQueue} from './queue.js';

const SWEEP_MS = 60_000;

interface QueuesOptions {
	readonly clock: Clock;
	readonly featureLevel: number;
	/** How long to hold an event back behind the next one of its queue. Undefined: not at all. */
	readonly holdMs?: (type: string, userId: number) => number | undefined;
}

export class EventQueues {
	readonly #clock: Clock;
	readonly #featureLevel: number;
	readonly #holdMs: QueuesOptions['holdMs'];
	readonly #queues = new Map<string, EventQueue>();

	constructor({clock, featureLevel, holdMs}: QueuesOptions) {
		this.#clock = clock;
		this.#featureLevel = featureLevel;
		this.#holdMs = holdMs;
		this.#sweepLater();
	}

	get size(): number {
		return this.#queues.size;
	}

	/** Returns the new queue's ID. */
	open(options: QueueOptions): string {
		const queue = new EventQueue(options, this.#clock);
		this.#queues.set(queue.id, queue);
		return queue.id;
	}

	/** The queues, for storing while the realm is down. */
	saved(): SavedQueue[] {
		return [...this.#queues.values()].map(queue => queue.save());
	}

	restore(saved: SavedQueue, accepts: MessageFilter): void {
		this.#queues.set(saved.id, new EventQueue({...saved.options, accepts}, this.#clock, saved));
	}

	poll(request: PollRequest & {readonly queueId: string; readonly userId: number}): Promise<Event[]> {
		return this.#find(request.queueId, request.userId).poll(request);
	}

	remove(queueId: string, userId: number): void {
		this.#drop(this.#find(queueId, userId));
	}

	/** Expires these queues, as if nobody had polled them. Returns how many there are. */
	expire(fits: (queue: EventQueue) => boolean): number {
		const queues = [...this.#queues.values()].filter(fits);
		for (const queue of queues) {
			this.#drop(queue);
		}

		return queues.length;
	}

	/** Loses all queues, as after a crash of the server: polls are cut off. Returns how many there were. */
	loseAll(): number {
		const queues = [...this.#queues.values()];
		this.#queues.clear();
		for (const queue of queues) {
			queue.drop(new ConnectionLost());
		}

		return queues.length;
	}

	/** Publishes to all queues that want the type. */
	publish(event: NewEvent): void {
		for (const queue of this.#queues.values()) {
			this.#tell(queue, event);
		}
	}

	/** Publishes to the queues of one account that want the type. */
	publishTo(userId: number, event: NewEvent): void {
		for (const queue of this.#queues.values()) {
			if (queue.options.userId === userId) {
				this.#tell(queue, event);
			}
		}
	}

	/** Publishes to each queue that wants the type, in its own form. `undefined` skips a queue. */
	publishEach(type: string, eventFor: (queue: EventQueue) => Readonly<Record<string, unknown>> | undefined): void {
		for (const queue of this.#queues.values()) {
			const event = queue.wants(type) ? eventFor(queue) : undefined;
			if (event) {
				this.#tell(queue, {...event, type});
			}
		}
	}

	/** Ends all waiting polls. */
	close(): void {
		for (const queue of this.#queues.values()) {
			queue.endPoll();
		}
	}

	#tell(queue: EventQueue, event: NewEvent): void {
		if (!queue.wants(event.type) || !knowsEventType(event.type, this.#featureLevel)) {
			return;
		}

		const known = eventAt(event, this.#featureLevel);
		const holdMs = queue.isHolding ? undefined : this.#holdMs?.(event.type, queue.options.userId);
		if (holdMs === undefined) {
			queue.add(known);
		} else {
			queue.addLater(known, holdMs);
		}
	}

	#find(queueId: string, userId: number): EventQueue {
		const queue = this.#queues.get(queueId);
		if (queue?.isExpired) {
			this.#drop(queue);
		}

		if (queue?.options.userId !== userId || !this.#queues.has(queueId)) {
			throw badQueue(queueId);
		}

		return queue;
	}

	#drop(queue: EventQueue): void {
		this.#queues.delete(queue.id);
		queue.drop();
	}

	#sweepLater(): void {
		this.#clock.after(SWEEP_MS, () => {
			for (const queue of this.#queues.values()) {
				if (queue.isExpired) {
					this.#drop(queue);
				}
			}

			this.#sweepLater();
		});
	}
}
