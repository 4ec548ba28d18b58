// Decides what happens to our drafts and the service's: a three-way merge whose base is our last write. We replace or
// delete only text that is exactly ours, so no text that a person typed is lost.

import type {Draft, NewDraft} from '../api/index.js';

/** One of our drafts. */
export interface OurDraft {
	readonly key: string;
	/** The wanted draft. Undefined to delete it. */
	readonly draft: NewDraft | undefined;
	/** The service's ID, once known. */
	readonly id: number | undefined;
	/** Our writes: the last known text, and later ones that may or may not have arrived. */
	readonly written: readonly NewDraft[];
	/** Highest ID at the service before we wrote one without getting its ID. */
	readonly after: number;
}

export type Action =
	| {readonly kind: 'create'; readonly key: string; readonly draft: NewDraft}
	| {readonly kind: 'edit'; readonly key: string; readonly id: number; readonly draft: NewDraft}
	| {readonly kind: 'delete'; readonly key: string; readonly id: number}
	/** Nothing of ours is left. A draft that a person changed belongs to them from now on. */
	| {readonly kind: 'forget'; readonly key: string}
	| {readonly kind: 'synced'; readonly key: string; readonly id: number}
	/** A person changed it, and their text stays. `conflict`: we wanted another text by then. */
	| {readonly kind: 'edited' | 'conflict'; readonly key: string; readonly id: number; readonly theirs: Draft}
	/** A person sent or deleted it. */
	| {readonly kind: 'gone'; readonly key: string};

/** One action for each of our drafts, in the same order. */
export function reconcile(ours: readonly OurDraft[], theirs: readonly Draft[]): Action[] {
	const byId = new Map(theirs.map(draft => [draft.id, draft]));
	const taken = new Set(ours.flatMap(({id}) => id ?? []));

	return ours.map(our => {
		if (our.id !== undefined) {
			return decide(our, byId.get(our.id));
		}

		const found = theirs.find(({id}) => id > our.after && !taken.has(id) && isOurs(our, byId.get(id)));
		if (found) {
			taken.add(found.id);
		}

		return decide(our, found);
	});
}

function decide(our: OurDraft, found: Draft | undefined): Action {
	const {key, draft, written} = our;
	if (!found) {
		return draft ? (our.id === undefined ? {kind: 'create', key, draft} : {kind: 'gone', key}) : {kind: 'forget', key};
	}

	const {id} = found;
	if (isOurs(our, found)) {
		return draft
			? isSameDraft(draft, found)
				? {kind: 'synced', key, id}
				: {kind: 'edit', key, id, draft}
			: {kind: 'delete', key, id};
	}

	if (!draft) {
		return {kind: 'forget', key};
	}

	const [base, ...uncertain] = written;
	const isUnchanged = base !== undefined && uncertain.length === 0 && isSameDraft(draft, base);
	return {kind: isUnchanged || isSameDraft(draft, found) ? 'edited' : 'conflict', key, id, theirs: found};
}

function isOurs({written}: OurDraft, found: Draft | undefined): boolean {
	return found !== undefined && written.some(draft => isSameDraft(draft, found));
}

/** Whether two drafts have the same text and recipients. The service trims texts, and may list people in another order. */
export function isSameDraft(one: NewDraft | Draft, other: NewDraft | Draft): boolean {
	return (
		one.type === other.type &&
		one.content.trim() === other.content.trim() &&
		one.topic.trim() === other.topic.trim() &&
		[...new Set(one.to)].toSorted().join() === [...new Set(other.to)].toSorted().join()
	);
}
