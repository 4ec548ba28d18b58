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

/** A text that a person typed, and the event that told of it. */
export interface Typed {
	readonly eventId: number;
	readonly draft: Draft;
}

/** What a person typed beside one of our writes, by the order of the events. */
export interface Touched {
	readonly write: Write;
	readonly isTold: boolean;
	/** Two events before that of our write, one before it and one behind it, where a person typed that. */
	readonly earlier: Typed | undefined;
	readonly before: Typed | undefined;
	readonly behind: Typed | undefined;
}

export function findTouched(events: readonly Event[], writes: readonly Write[]): Touched[] {
	const told = draftEvents(events);
	return writes.flatMap(write => {
		const own = told.filter(event => idOf(event) === write.id);
		const place = own.findIndex(event => isWrite(event, write));
		const isTold = place !== -1;
		const typedAt = (offset: number) => typedBy(own[(isTold ? place : own.length) + offset], write);
		const touched = {write, isTold, earlier: typedAt(-2), before: typedAt(-1), behind: typedAt(1)};
		return touched.before || touched.behind ? [touched] : [];
	});
}

/**
 * What we wrote over. The service may tell of our write and a person's in the other order than it stored them
 * (service-facts.md 4.9), so what stands there now decides which came right before ours.
 */
export function findLost(touched: readonly Touched[], theirs: readonly Draft[]): Typed[] {
	return touched.flatMap(({write, isTold, earlier, before, behind}) => {
		const stands = (draft: NewDraft | Draft) => theirs.some(one => one.id === write.id && isSameDraft(draft, one));
		if (isLast(write, theirs)) {
			// Nothing came after ours, so what is told behind it came before.
			return behind ?? before ?? [];
		}

		if (!isTold) {
			return [];
		}

		// What stands there came after ours, whatever its event says.
		const candidates = before && stands(before.draft) ? [earlier] : [before, behind];
		return candidates.flatMap(typed => (typed && !stands(typed.draft) ? typed : []));
	});
}

/** The same from what was told after the first look: what came after ours would stand there now. */
export function findLate(events: readonly Event[], writes: readonly Write[], theirs: readonly Draft[]): Typed[] {
	const told = draftEvents(events);
	return writes
		.filter(write => isLast(write, theirs))
		.flatMap(write => {
			const others = told.filter(event => idOf(event) === write.id && !isWrite(event, write));
			return others.flatMap(event => typedBy(event, write) ?? []).slice(-1);
		});
}

/** Whether nobody wrote there after us. */
function isLast({id, draft}: Write, theirs: readonly Draft[]): boolean {
	const standing = theirs.find(one => one.id === id);
	return draft ? standing !== undefined && isSameDraft(draft, standing) : !standing;
}

/** Whether the events tell of each of these writes. */
export function areTold(events: readonly Event[], writes: readonly Write[]): boolean {
	const told = draftEvents(events);
	return writes.every(write => told.some(event => isWrite(event, write)));
}

function draftEvents(events: readonly Event[]): DraftEvent[] {
	return events.flatMap(event => (event.type === 'drafts' ? (DraftEvent.safeParse(event).data ?? []) : []));
}

function typedBy(event: DraftEvent | undefined, {before}: Write): Typed | undefined {
	return event?.op === 'update' && !before.some(draft => isSameDraft(draft, event.draft))
		? {eventId: event.id, draft: event.draft}
		: undefined;
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
