// Finds texts that a person typed between our last read of a draft and our write, from the events of that time.

import {Draft, type Event, type NewDraft} from '../api/index.js';
import {z} from '../api/zod.js';
import {isSameDraft} from './reconcile.js';

/** One draft that we wrote, or deleted. */
export interface Write {
	readonly id: number;
	/** Null: deleted. */
	readonly draft: NewDraft | null;
	/** The text that was there, as far as we knew. */
	readonly before: readonly NewDraft[];
}

const DraftEvent = z.discriminatedUnion('op', [
	z.looseObject({id: z.int(), op: z.literal('update'), draft: Draft}),
	z.looseObject({id: z.int(), op: z.literal('remove'), draft_id: z.int()}),
]);
type DraftEvent = z.infer<typeof DraftEvent>;

/** A text that a person typed, and its event. */
export interface Typed {
	readonly eventId: number;
	readonly draft: Draft;
}

/** The texts that a person typed around one of our writes, in the order of the events. */
export interface Touched {
	readonly write: Write;
	readonly isTold: boolean;
	/** The person's texts: two events before our write, one event before it, and one event after it. */
	readonly earlier: Typed | undefined;
	readonly before: Typed | undefined;
	readonly behind: Typed | undefined;
}

export function findTouched(events: readonly Event[], writes: readonly Write[]): Touched[] {
	const told = draftEvents(events);
	return writes.flatMap(write => {
		// Only a draft that exists can be edited. So if our edit arrived, a deletion came after it, in whatever order we read them.
		const own = told.filter(event => idOf(event) === write.id && !(write.draft && event.op === 'remove'));
		const place = own.findIndex(event => isWrite(event, write));
		const isTold = place !== -1;
		const typedAt = (offset: number) => typedBy(own[(isTold ? place : own.length) + offset], write);
		const touched = {write, isTold, earlier: typedAt(-2), before: typedAt(-1), behind: typedAt(1)};
		return touched.before || touched.behind ? [touched] : [];
	});
}

/**
 * The text that we overwrote. The events of our write and a person's may come in a different order than they were stored
 * (service-facts.md 4.9). So the draft's current text decides which text came right before ours.
 */
export function findLost(touched: readonly Touched[], theirs: readonly Draft[]): Typed[] {
	return touched.flatMap(({write, isTold, earlier, before, behind}) => {
		const stands = (draft: NewDraft | Draft) => theirs.some(one => one.id === write.id && isSameDraft(draft, one));
		if (isLast(write, theirs)) {
			// No write followed ours, so an event after ours belongs to a text before it.
			return behind ?? before ?? [];
		}

		if (!isTold) {
			return [];
		}

		// The current text was written after ours, whatever the order of its event. If no event shows it yet, each text around our
		// write may be the one that we overwrote: one draft too many is better than a lost text.
		const candidates = before && stands(before.draft) ? [earlier] : [earlier, before, behind];
		return candidates.flatMap(typed => (typed && !stands(typed.draft) ? typed : []));
	});
}

/** The same for events after the first read. A text written after ours would be the current one. */
export function findLate(events: readonly Event[], writes: readonly Write[], theirs: readonly Draft[]): Typed[] {
	const told = draftEvents(events);
	return writes
		.filter(write => isLast(write, theirs))
		.flatMap(write => {
			const others = told.filter(event => idOf(event) === write.id && !isWrite(event, write));
			return others.flatMap(event => typedBy(event, write) ?? []).slice(-1);
		});
}

/** Whether ours is the last write. */
function isLast({id, draft}: Write, theirs: readonly Draft[]): boolean {
	const standing = theirs.find(one => one.id === id);
	return draft ? standing !== undefined && isSameDraft(draft, standing) : !standing;
}

/** Whether the events include each of these writes. */
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
