// A service in memory whose owner types between any two calls, and whose answers are lost as told: what real time does
// now and then, done at every place.

import type {Draft, Event, NewDraft} from '../../src/api/index.js';
import type {Outcome, Service} from '../../src/drafts/service.js';

/** What a person does: types into the n-th draft, deletes it, or begins a new one. */
export type Deed = {readonly kind: 'type' | 'delete'; readonly nth: number} | {readonly kind: 'begin'};

/** What becomes of a call: carried out and answered or not, lost or refused; or the worker dies before or behind it. */
export type Fate = 'answered' | 'unanswered' | 'lost' | 'refused' | 'dies before' | 'dies behind';

export class WorkerDied extends Error {}

export class ModelService implements Service {
	readonly drafts = new Map<number, Draft>();
	/** What the person typed and has neither replaced nor deleted. */
	readonly typed = new Set<string>();
	/** How often drafts were written by us. */
	writes = 0;
	deeds: (Deed | undefined)[] = [];
	fates: Fate[] = [];
	#nextId = 1;
	#texts = 0;
	readonly #queues = new Map<string, Event[]>();

	act(deed: Deed | undefined): void {
		if (deed?.kind === 'begin') {
			this.#put(this.#nextId++, note(this.#newText()));
			return;
		}

		const draft = deed && [...this.drafts.values()][deed.nth % Math.max(1, this.drafts.size)];
		if (!draft) {
			return;
		}

		this.typed.delete(draft.content);
		if (deed.kind === 'delete') {
			this.#delete(draft.id);
		} else {
			this.#put(draft.id, note(this.#newText()));
		}
	}

	resolve = async (_target: string, text: string) => note(text);

	read = () => this.#ask(() => [...this.drafts.values()]);

	create = (drafts: readonly NewDraft[]) =>
		this.#write(() =>
			drafts.map(draft => {
				const id = this.#nextId++;
				this.#put(id, draft);
				return id;
			}),
		);

	edit = (id: number, draft: NewDraft) => this.#write(() => this.drafts.has(id) && this.#put(id, draft));

	remove = (id: number) => this.#write(() => this.drafts.has(id) && this.#delete(id));

	watch = () =>
		this.#ask(() => {
			const queueId = `queue ${this.#queues.size}`;
			this.#queues.set(queueId, []);
			return {queueId, lastEventId: -1};
		});

	events = ({queueId}: {queueId: string}) => this.#ask(() => [...(this.#queues.get(queueId) ?? [])]);

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

	#put(id: number, {type, to, topic, content}: NewDraft): true {
		const isNew = !this.drafts.has(id);
		const draft: Draft = {id, type, to: [...to], topic, content};
		this.drafts.set(id, draft);
		this.#tell(isNew ? {op: 'add', drafts: [draft]} : {op: 'update', draft});
		return true;
	}

	#delete(id: number): true {
		this.drafts.delete(id);
		this.#tell({op: 'remove', draft_id: id});
		return true;
	}

	#tell(event: object): void {
		for (const queue of this.#queues.values()) {
			queue.push({type: 'drafts', id: queue.length, ...event});
		}
	}

	#newText(): string {
		const text = `typed ${this.#texts++}`;
		this.typed.add(text);
		return text;
	}
}

function note(content: string): NewDraft {
	return {type: '', to: [], topic: '', content};
}
