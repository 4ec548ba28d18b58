// Finds what a person typed between our last look at a draft and our write, from the events of that time.

import {z} from 'zod';
import {Draft, type Event, type NewDraft} from '../api/index.js';
import {isSameDraft} from './reconcile.js';

/** One draft that we wrote, or deleted. */
export interface Write {
	readonly id: number;
	/** Null: deleted. */
	readonly draft: NewDraft | null;
	/** What stood there, for all that we knew. */
	readonly before: readonly NewDraft[];
}

const DraftEvent = z.discriminatedUnion('op', [
	z.looseObject({id: z.int(), op: z.literal('update'), draft: Draft}),
	z.looseObject({id: z.int(), op: z.literal('remove'), draft_id: z.int()}),
]);
type DraftEvent = z.infer<typeof DraftEvent>;

/** A text that stood there until we wrote over it, and the event that told of it. */
export interface Lost {
	readonly eventId: number;
	readonly draft: Draft;
}

export function findLost(events: readonly Event[], writes: readonly Write[]): Lost[] {
	const told = draftEvents(events);
	return writes.flatMap(write => lostBy(write, told) ?? []);
}

/** Whether the events tell of each of these writes. */
export function areTold(events: readonly Event[], writes: readonly Write[]): boolean {
	const told = draftEvents(events);
	return writes.every(write => told.some(event => isWrite(event, write)));
}

function draftEvents(events: readonly Event[]): DraftEvent[] {
	return events.flatMap(event => (event.type === 'drafts' ? (DraftEvent.safeParse(event).data ?? []) : []));
}

function lostBy(write: Write, events: readonly DraftEvent[]): Lost | undefined {
	let typed: Lost | undefined;
	for (const event of events.filter(event => idOf(event) === write.id)) {
		if (isWrite(event, write)) {
			return typed;
		}

		const isTyped = event.op === 'update' && !write.before.some(draft => isSameDraft(draft, event.draft));
		typed = isTyped ? {eventId: event.id, draft: event.draft} : undefined;
	}

	// Ours did not come through, or came before.
	return undefined;
}

function isWrite(event: DraftEvent, {id, draft}: Write): boolean {
	if (idOf(event) !== id) {
		return false;
	}

	return event.op === 'update' ? draft !== null && isSameDraft(draft, event.draft) : draft === null;
}

function idOf(event: DraftEvent): number {
	return event.op === 'update' ? event.draft.id : event.draft_id;
}
