// Edits and deletes drafts at the service. Restores what a person typed in the moment between our read and our write.

import type {NewDraft} from '../api/index.js';
import {areTold, findLate, findLost, findTouched} from './lost.js';
import {type Action, reconcile} from './reconcile.js';
import {type Records, toOurs} from './records.js';
import {type Events, Later, type Outcome, type Service} from './service.js';
import type {Journal, Known, StoredDraft} from './store.js';

interface Dependencies {
	readonly records: Records;
	readonly service: Service;
	readonly log: {warn(fields: object, message: string): void};
	now(): number;
}

/** Edits and deletes while an event queue records what a person types in the meantime. */
export async function overwriteDrafts(
	dependencies: Dependencies,
	actions: ReadonlyArray<Action & {kind: 'edit' | 'delete'}>,
): Promise<'synced' | 'unknown' | 'restore'> {
	if (actions.length === 0) {
		return 'synced';
	}

	const {records, service} = dependencies;
	let journal: Journal = {v: 1, ...(await service.watch()), writes: []};
	await records.write({journal});
	let isUnknown = false;
	for (const {key} of actions) {
		const step = await overwriteOne(dependencies, {key, journal});
		journal = step.journal;
		isUnknown ||= step.outcome === 'unknown';
		if (step.outcome === 'refused') {
			break;
		}
	}

	if (isUnknown) {
		// It may still arrive, and then the events show what it overwrote.
		return 'unknown';
	}

	return (await settle(dependencies, journal)) > 0 ? 'restore' : 'synced';
}

async function overwriteOne(
	{records, service}: Dependencies,
	{key, journal}: {key: string; journal: Journal},
): Promise<{journal: Journal; outcome: Outcome['kind']}> {
	const record = records.get(key);
	const theirs = await service.read();
	if ('reason' in theirs) {
		await records.refuseAll(theirs);
		return {journal, outcome: 'refused'};
	}

	if (!record) {
		return {journal, outcome: 'done'};
	}

	// A person may have changed it since the first read.
	const [action] = reconcile(toOurs([key, record]), theirs);
	if (action?.kind !== 'edit' && action?.kind !== 'delete') {
		await records.note(action ? [action] : []);
		return {journal, outcome: 'done'};
	}

	const {written} = record;
	const draft = action.kind === 'edit' ? (action.draft as StoredDraft) : null;
	const noted = {...journal, writes: [...journal.writes, {id: action.id, draft, before: written}]};
	await records.write({journal: noted});
	await records.change(new Map([[key, {written: draft ? [...written, draft] : written}]]));
	const writing = draft ? service.edit(action.id, draft) : service.remove(action.id);
	const outcome = await writing.catch(async (error: unknown) => {
		if (error instanceof Later) {
			await records.write({journal});
			await records.change(new Map([[key, {written}]]));
		}

		throw error;
	});
	if (outcome.kind === 'done') {
		await records.note([draft ? {kind: 'synced', key, id: action.id} : {kind: 'forget', key}]);
	} else if (outcome.kind === 'refused' && outcome.isMissing) {
		await records.note([draft ? {kind: 'gone', key} : {kind: 'forget', key}]);
	} else if (outcome.kind === 'refused' && draft) {
		await records.change(new Map([[key, {written, status: {kind: 'refused', reason: outcome.reason}}]]));
	}

	return outcome.kind === 'refused' ? {journal, outcome: 'done'} : {journal: noted, outcome: outcome.kind};
}

/**
 * Restores texts that a person typed and we overwrote, as new drafts. Returns how many there were. The queue stays for one
 * more read: a service may report an edit late.
 */
export async function settle({records, service, log, now}: Dependencies, journal: Journal): Promise<number> {
	const {queueId, writes, isRead, ...rest} = journal;
	const events: Events = await service.events(journal, isRead ? undefined : told => areTold(told, writes));
	if (events === undefined && !isRead) {
		log.warn({writes: writes.length}, "lost events of drafts; a person's last edit may be lost too");
	}

	const told = events ?? [];
	const touched = findTouched(told, writes);
	// Events may come in a different order than the edits were stored, so the current text decides.
	const found = touched.length > 0 ? await service.read() : [];
	const theirs = 'reason' in found ? [] : found;
	const lost = isRead ? findLate(told, writes, theirs) : findLost(touched, theirs);
	const restored = lost.map(({eventId, draft: {type, to, topic, content}}): [string, Known] => [
		`restored ${queueId} ${eventId}`,
		{
			v: 1,
			rev: '',
			draft: {type: type as NewDraft['type'], to, topic, content},
			written: [],
			after: 0,
			isRestored: true,
			at: now(),
			status: {kind: 'waiting'},
		},
	]);
	const isOver = isRead || events === undefined;
	const lastEventId = Math.max(rest.lastEventId, ...told.map(({id}) => id));
	await records.write({
		known: new Map(restored),
		journal: isOver ? null : {...rest, queueId, writes, lastEventId, isRead: true},
	});
	if (isOver) {
		await service.unwatch(queueId);
	}

	return lost.length;
}
