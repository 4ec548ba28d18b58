// Creates new drafts at the service, each once.

import type {Action} from './reconcile.js';
import type {Records} from './records.js';
import type {Service} from './service.js';
import type {StoredDraft} from './store.js';

interface Dependencies {
	readonly records: Records;
	readonly service: Service;
}

interface Creation {
	readonly actions: ReadonlyArray<Action & {kind: 'create'}>;
	/** Highest ID at the service. */
	readonly after: number;
}

/** Creates all in one call. If the service refuses that, creates them one by one, so that the valid ones succeed. */
export async function createDrafts(
	{records, service}: Dependencies,
	{actions, after}: Creation,
): Promise<'synced' | 'unknown'> {
	if (actions.length === 0) {
		return 'synced';
	}

	// Recorded first: a sync that finds this without an ID searches for the draft before it creates it again.
	await records.change(new Map(actions.map(({key, draft}) => [key, {written: [draft as StoredDraft], after}])));
	const outcome = await service.create(actions.map(({draft}) => draft));
	if (outcome.kind === 'done' && outcome.value.length === actions.length) {
		await records.note(actions.map(({key}, index) => ({kind: 'synced', key, id: outcome.value[index] as number})));
		return 'synced';
	}

	if (outcome.kind !== 'refused') {
		return 'unknown';
	}

	const {reason} = outcome;
	await records.change(
		new Map(
			actions.map(({key}) => [key, {written: [], ...(actions.length === 1 && {status: {kind: 'refused', reason}})}]),
		),
	);
	if (actions.length === 1) {
		return 'synced';
	}

	let result: 'synced' | 'unknown' = 'synced';
	for (const action of actions) {
		result = (await createDrafts({records, service}, {actions: [action], after})) === 'unknown' ? 'unknown' : result;
	}

	return result;
}
