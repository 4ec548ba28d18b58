// All event queues, and the way to tell them what happened (service-facts.md 3.2).

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
	/** How long an event is held back behind the next one of its queue; undefined: not at all. */
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

	/** Answers the new queue's ID. */
	open(options: QueueOptions): string {
		const queue = new EventQueue(options, this.#clock);
		this.#queues.set(queue.id, queue);
		return queue.id;
	}

	/** What to keep while the realm is down. */
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

	/** As if nobody had polled those queues for too long; answers how many they are. */
	expire(fits: (queue: EventQueue) => boolean): number {
		const queues = [...this.#queues.values()].filter(fits);
		for (const queue of queues) {
			this.#drop(queue);
		}

		return queues.length;
	}

	/** As if the server had gone down and kept none: polls are cut off. Answers how many there were. */
	loseAll(): number {
		const queues = [...this.#queues.values()];
		this.#queues.clear();
		for (const queue of queues) {
			queue.drop(new ConnectionLost());
		}

		return queues.length;
	}

	/** Tells every queue that wants the type. */
	publish(event: NewEvent): void {
		for (const queue of this.#queues.values()) {
			this.#tell(queue, event);
		}
	}

	/** Tells the queues of one account that want the type. */
	publishTo(userId: number, event: NewEvent): void {
		for (const queue of this.#queues.values()) {
			if (queue.options.userId === userId) {
				this.#tell(queue, event);
			}
		}
	}

	/** Tells each queue that wants the type its own form of an event; `undefined` passes it over. */
	publishEach(type: string, eventFor: (queue: EventQueue) => Readonly<Record<string, unknown>> | undefined): void {
		for (const queue of this.#queues.values()) {
			const event = queue.wants(type) ? eventFor(queue) : undefined;
			if (event) {
				this.#tell(queue, {...event, type});
			}
		}
	}

	/** Ends every poll that is held. */
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
