// A service in memory. Its owner types between any two calls, and its answers are lost as instructed. It does at every
// step what happens now and then in real time. Events of the person's edits and of ours may be swapped.

import type {Draft, Event, NewDraft} from '../../src/api/index.js';
import type {Outcome, Service} from '../../src/drafts/service.js';

/** An action of a person: types into the n-th draft, deletes it, or starts a new one. */
export type Deed = {readonly kind: 'type' | 'delete'; readonly nth: number} | {readonly kind: 'begin'};

/** The outcome of a call: carried out and answered or not, lost or refused; or the worker dies before or after it. */
export type Fate = 'answered' | 'unanswered' | 'lost' | 'refused' | 'dies before' | 'dies behind';

export class WorkerDied extends Error {}

type Side = 'person' | 'us';

interface Queue {
	readonly events: Event[];
	held: {readonly event: object; readonly side: Side} | undefined;
	/** Reported after the next events that are read. */
	readonly late: object[];
}

export class ModelService implements Service {
	readonly drafts = new Map<number, Draft>();
	/** Texts that the person typed and has neither replaced nor deleted. */
	readonly typed = new Set<string>();
	/** How often we wrote drafts. */
	writes = 0;
	deeds: (Deed | undefined)[] = [];
	fates: Fate[] = [];
	/** Whether the next events are delayed until after the following one, if that is the other side's. */
	swaps: boolean[] = [];
	/** Whether the person's next edits are reported only after one more read of the events. */
	isTellingLate = false;
	#nextId = 1;
	#texts = 0;
	readonly #queues = new Map<string, Queue>();

	act(deed: Deed | undefined): void {
		if (deed?.kind === 'begin') {
			this.#put(this.#nextId++, note(this.#newText()), 'person');
			return;
		}

		const draft = deed && [...this.drafts.values()][deed.nth % Math.max(1, this.drafts.size)];
		if (!draft) {
			return;
		}

		this.typed.delete(draft.content);
		if (deed.kind === 'delete') {
			this.#delete(draft.id, 'person');
		} else {
			this.#put(draft.id, note(this.#newText()), 'person');
		}
	}

	resolve = async (_target: string, text: string) => note(text);

	read: Service['read'] = () => this.#ask(() => [...this.drafts.values()]);

	create = (drafts: readonly NewDraft[]) =>
		this.#write(() =>
			drafts.map(draft => {
				const id = this.#nextId++;
				this.#put(id, draft, 'us');
				return id;
			}),
		);

	edit = (id: number, draft: NewDraft) => this.#write(() => this.drafts.has(id) && this.#put(id, draft, 'us'));

	remove = (id: number) => this.#write(() => this.drafts.has(id) && this.#delete(id, 'us'));

	watch = () =>
		this.#ask(() => {
			const queueId = `queue ${this.#queues.size}`;
			this.#queues.set(queueId, {events: [], held: undefined, late: []});
			return {queueId, lastEventId: -1};
		});

	events = ({queueId, lastEventId}: {queueId: string; lastEventId: number}) =>
		this.#ask(() => {
			const queue = this.#queues.get(queueId);
			bringHeld(queue);
			const told = (queue?.events ?? []).filter(({id}) => id > lastEventId);
			for (const event of queue?.late.splice(0) ?? []) {
				push(queue as Queue, event);
			}

			return told;
		});

	unwatch = (_queueId: string) => this.#ask(() => undefined);

	async #ask<Value>(answer: () => Value): Promise<Value> {
		this.act(this.deeds.shift());
		const fate = this.fates.shift() ?? 'answered';
		if (fate.startsWith('dies')) {
			throw new WorkerDied();
		}

		return answer();
	}

	async #write<Value>(carryOut: () => Value | false): Promise<Outcome<Value>> {
		this.act(this.deeds.shift());
		const fate = this.fates.shift() ?? 'answered';
		this.writes++;
		if (fate === 'dies before') {
			throw new WorkerDied();
		}

		if (fate === 'lost') {
			return {kind: 'unknown'};
		}

		if (fate === 'refused') {
			return {kind: 'refused', reason: 'no', isMissing: false};
		}

		const value = carryOut();
		if (fate === 'dies behind') {
			throw new WorkerDied();
		}

		if (fate === 'unanswered') {
			return {kind: 'unknown'};
		}

		return value === false ? {kind: 'refused', reason: 'Draft does not exist', isMissing: true} : {kind: 'done', value};
	}

	#put(id: number, {type, to, topic, content}: NewDraft, side: Side): true {
		const isNew = !this.drafts.has(id);
		const draft: Draft = {id, type, to: [...to], topic, content};
		this.drafts.set(id, draft);
		this.#tell(isNew ? {op: 'add', drafts: [draft]} : {op: 'update', draft}, side);
		return true;
	}

	#delete(id: number, side: Side): true {
		this.drafts.delete(id);
		this.#tell({op: 'remove', draft_id: id}, side);
		return true;
	}

	#tell(event: object, side: Side): void {
		const isHeld = this.swaps.shift() ?? false;
		for (const queue of this.#queues.values()) {
			if (this.isTellingLate && side === 'person') {
				queue.late.push(event);
				continue;
			}

			if (queue.held?.side === side) {
				bringHeld(queue);
			}

			if (isHeld && !queue.held) {
				queue.held = {event, side};
			} else {
				push(queue, event);
				bringHeld(queue);
			}
		}
	}

	#newText(): string {
		const text = `typed ${this.#texts++}`;
		this.typed.add(text);
		return text;
	}
}

function push({events}: Queue, event: object): void {
	events.push({type: 'drafts', id: events.length, ...event});
}

function bringHeld(queue: Queue | undefined): void {
	if (queue?.held) {
		push(queue, queue.held.event);
		queue.held = undefined;
	}
}

function note(content: string): NewDraft {
	return {type: '', to: [], topic: '', content};
}
