// One sync of an account's drafts: look, decide, write, and look whether a person's text was written over.

import {randomUUID} from 'node:crypto';
import type {NewDraft} from '../api/index.js';
import {areTold, findLost} from './lost.js';
import {type Action, type OurDraft, reconcile} from './reconcile.js';
import {type Events, Later, type Outcome, type Refused, type Service} from './service.js';
import {type Copy, type DraftStore, type Journal, type Known, LockLost} from './store.js';

export interface SyncOptions {
	/** Tag of the account. */
	readonly account: string;
	readonly store: DraftStore;
	readonly service: Service;
	readonly log: {warn(fields: object, message: string): void};
	/** Milliseconds since 1970. */
	now(): number;
}

/** What is over is shown for so long. */
const SHOWN_MS = 7 * 24 * 3600 * 1000;

/**
 * - `synced`: all that could be done was done.
 * - `unknown`: nobody knows whether a write arrived; the next sync looks.
 * - `busy`: somebody else does it now.
 */
export type SyncResult = 'synced' | 'unknown' | 'busy';

export async function syncDrafts(options: SyncOptions): Promise<SyncResult> {
	const {account, store} = options;
	const nonce = randomUUID();
	if (!(await store.lock(account, nonce))) {
		return 'busy';
	}

	try {
		return await new Sync(options, nonce).run();
	} catch (error) {
		if (error instanceof LockLost) {
			return 'busy';
		}

		throw error;
	} finally {
		await store.unlock(account, nonce);
	}
}

/** Whether there is anything to bring to the service or to watch there. */
export function needsSync({wanted, known, journal}: Copy): boolean {
	return (
		journal !== undefined ||
		[...wanted].some(([field, {rev}]) => known.get(field)?.rev !== rev) ||
		[...known.values()].some(record => !isOver(record))
	);
}

/** Nothing of it stands at the service, and nothing will unless the bot wants it anew. A person's text is never given up. */
function isOver({status, id, isRestored}: Known): boolean {
	return !isRestored && (status.kind === 'gone' || (status.kind === 'refused' && id === undefined));
}

class Sync {
	readonly #options: SyncOptions;
	readonly #nonce: string;
	#records = new Map<string, Known>();

	constructor(options: SyncOptions, nonce: string) {
		this.#options = options;
		this.#nonce = nonce;
	}

	async run(): Promise<SyncResult> {
		const {store, service, account} = this.#options;
		const copy = await store.load(account);
		if (copy.journal) {
			await this.#settle(copy.journal);
			return this.run();
		}

		if (!needsSync(copy)) {
			return 'synced';
		}

		this.#records = await this.#takeWanted(copy);
		await this.#forgetOld();
		const theirs = await service.read();
		if ('reason' in theirs) {
			await this.#refuseAll(theirs);
			return 'synced';
		}

		const actions = reconcile([...this.#records].flatMap(toOurs), theirs).filter(action => !this.#isRefused(action));
		await this.#note(actions);
		const creates = actions.filter(action => action.kind === 'create');
		const writes = actions.filter(action => action.kind === 'edit' || action.kind === 'delete');
		const created = await this.#create(creates, Math.max(0, ...theirs.map(({id}) => id)));
		const written = await this.#overwrite(writes);
		if (created === 'unknown' || written === 'unknown') {
			return 'unknown';
		}

		return written === 'restore' ? this.run() : written;
	}

	/** What bots have changed since the last sync becomes what we know. */
	async #takeWanted({wanted, known}: Copy): Promise<Map<string, Known>> {
		const records = new Map(known);
		for (const [field, {rev, target, text}] of wanted) {
			const last = known.get(field);
			if (last?.rev === rev) {
				continue;
			}

			// What is gone is begun anew.
			const {id, written = [], after = 0} = last?.status.kind === 'gone' ? {} : (last ?? {});
			const resolved = text === null ? null : await this.#options.service.resolve(target, text);
			const refused = resolved !== null && 'reason' in resolved ? resolved : undefined;
			records.set(field, {
				v: 1,
				rev,
				draft: refused ? null : (resolved as NewDraft | null as Known['draft']),
				...(id !== undefined && {id}),
				written,
				after,
				isRestored: false,
				at: this.#options.now(),
				status: refused ? {kind: 'refused', reason: refused.reason} : {kind: 'waiting'},
			});
		}

		await this.#write({known: new Map([...records].filter(([field, record]) => known.get(field) !== record))});
		return records;
	}

	/** Bots that never take anything away leave no heap behind. */
	async #forgetOld(): Promise<void> {
		const before = this.#options.now() - SHOWN_MS;
		const old = [...this.#records].filter(([, record]) => isOver(record) && record.at < before);
		await this.#change(new Map(), new Map(old.map(([field, {rev}]) => [field, rev])));
	}

	/** The service says no to every call on drafts. */
	async #refuseAll({reason}: Refused): Promise<void> {
		const open = [...this.#records].filter(
			([, {status, draft}]) => draft !== null && (status.kind === 'waiting' || status.kind === 'synced'),
		);
		await this.#change(new Map(open.map(([field]) => [field, {status: {kind: 'refused', reason}}])));
	}

	/** What the service refused is not tried again until the bot wants something else. */
	#isRefused({kind, key}: Action): boolean {
		const record = this.#records.get(key);
		const isWrite = kind === 'create' || kind === 'edit';
		return (
			record?.status.kind === 'refused' &&
			!record.isRestored &&
			(isWrite || (kind === 'synced' && record.draft === null))
		);
	}

	/** Stores what needs no call. */
	async #note(actions: readonly Action[]): Promise<void> {
		const changes = new Map<string, Partial<Known>>();
		const forget = new Map<string, string>();
		for (const action of actions) {
			const record = this.#records.get(action.key);
			if (!record) {
				continue;
			}

			if (action.kind === 'forget' || (action.kind === 'synced' && record.isRestored)) {
				forget.set(action.key, record.rev);
			} else if (action.kind === 'synced') {
				changes.set(action.key, {id: action.id, written: record.draft ? [record.draft] : [], status: {kind: 'synced'}});
			} else if (action.kind === 'edited' || action.kind === 'conflict') {
				changes.set(action.key, {id: action.id, status: {kind: action.kind, theirs: action.theirs.content}});
			} else if (action.kind === 'gone') {
				changes.set(action.key, {status: {kind: 'gone'}});
			}
		}

		await this.#change(changes, forget);
	}

	/** All in one call; where the service refuses that, one by one, so that the good ones come through. */
	async #create(actions: ReadonlyArray<Action & {kind: 'create'}>, after: number): Promise<'synced' | 'unknown'> {
		if (actions.length === 0) {
			return 'synced';
		}

		// Noted first: whoever finds this without an ID looks for it before it is created again.
		await this.#change(new Map(actions.map(({key, draft}) => [key, {written: [draft as StoredDraft], after}])));
		const outcome = await this.#options.service.create(actions.map(({draft}) => draft));
		if (outcome.kind === 'done' && outcome.value.length === actions.length) {
			await this.#note(actions.map(({key}, index) => ({kind: 'synced', key, id: outcome.value[index] as number})));
			return 'synced';
		}

		if (outcome.kind !== 'refused') {
			return 'unknown';
		}

		const {reason} = outcome;
		await this.#change(
			new Map(
				actions.map(({key}) => [key, {written: [], ...(actions.length === 1 && {status: {kind: 'refused', reason}})}]),
			),
		);
		if (actions.length === 1) {
			return 'synced';
		}

		let result: 'synced' | 'unknown' = 'synced';
		for (const action of actions) {
			result = (await this.#create([action], after)) === 'unknown' ? 'unknown' : result;
		}

		return result;
	}

	/** Edits and deletes, under an event queue that tells what a person typed meanwhile. */
	async #overwrite(
		actions: ReadonlyArray<Action & {kind: 'edit' | 'delete'}>,
	): Promise<'synced' | 'unknown' | 'restore'> {
		if (actions.length === 0) {
			return 'synced';
		}

		let journal: Journal = {v: 1, ...(await this.#options.service.watch()), writes: []};
		await this.#write({journal});
		let isUnknown = false;
		for (const {key} of actions) {
			const step = await this.#overwriteOne(key, journal);
			journal = step.journal;
			isUnknown ||= step.outcome === 'unknown';
			if (step.outcome === 'refused') {
				break;
			}
		}

		if (isUnknown) {
			// It may still arrive, and then the events tell what it wrote over.
			return 'unknown';
		}

		return (await this.#settle(journal)) > 0 ? 'restore' : 'synced';
	}

	async #overwriteOne(key: string, journal: Journal): Promise<{journal: Journal; outcome: Outcome['kind']}> {
		const {service} = this.#options;
		const record = this.#records.get(key);
		const theirs = await service.read();
		if ('reason' in theirs) {
			await this.#refuseAll(theirs);
			return {journal, outcome: 'refused'};
		}

		if (!record) {
			return {journal, outcome: 'done'};
		}

		// A person may have been at it since the first look.
		const [action] = reconcile(toOurs([key, record]), theirs);
		if (action?.kind !== 'edit' && action?.kind !== 'delete') {
			await this.#note(action ? [action] : []);
			return {journal, outcome: 'done'};
		}

		const {written} = record;
		const draft = action.kind === 'edit' ? (action.draft as StoredDraft) : null;
		const noted = {...journal, writes: [...journal.writes, {id: action.id, draft, before: written}]};
		await this.#write({journal: noted});
		await this.#change(new Map([[key, {written: draft ? [...written, draft] : written}]]));
		const writing = draft ? service.edit(action.id, draft) : service.remove(action.id);
		const outcome = await writing.catch(async (error: unknown) => {
			if (error instanceof Later) {
				await this.#write({journal});
				await this.#change(new Map([[key, {written}]]));
			}

			throw error;
		});
		if (outcome.kind === 'done') {
			await this.#note([draft ? {kind: 'synced', key, id: action.id} : {kind: 'forget', key}]);
		} else if (outcome.kind === 'refused' && outcome.isMissing) {
			await this.#note([draft ? {kind: 'gone', key} : {kind: 'forget', key}]);
		} else if (outcome.kind === 'refused' && draft) {
			await this.#change(new Map([[key, {written, status: {kind: 'refused', reason: outcome.reason}}]]));
		}

		return outcome.kind === 'refused' ? {journal, outcome: 'done'} : {journal: noted, outcome: outcome.kind};
	}

	/** Has what a person typed and we wrote over put back as a new draft; answers how many there were. */
	async #settle(journal: Journal): Promise<number> {
		const {service, log} = this.#options;
		const {queueId, writes} = journal;
		const events: Events = await service.events(journal, told => areTold(told, writes));
		if (events === undefined) {
			log.warn({writes: writes.length}, 'events of drafts were lost; an edit of the last moment may be too');
		}

		const lost = findLost(events ?? [], writes);
		const restored = lost.map(({eventId, draft: {type, to, topic, content}}): [string, Known] => [
			`restored ${queueId} ${eventId}`,
			{
				v: 1,
				rev: '',
				draft: {type: type as NewDraft['type'], to, topic, content},
				written: [],
				after: 0,
				isRestored: true,
				at: this.#options.now(),
				status: {kind: 'waiting'},
			},
		]);
		await this.#write({known: new Map(restored), journal: null});
		await service.unwatch(queueId);
		return lost.length;
	}

	/** Changes records, here and in the store. */
	async #change(changes: ReadonlyMap<string, Partial<Known>>, forget?: ReadonlyMap<string, string>): Promise<void> {
		const known = new Map<string, Known>();
		for (const [field, change] of changes) {
			const record = this.#records.get(field);
			const isNews = record && change.status !== undefined && change.status.kind !== record.status.kind;
			const changed = record && {...record, ...change, ...(isNews && {at: this.#options.now()})};
			if (changed && JSON.stringify(changed) !== JSON.stringify(record)) {
				known.set(field, changed);
			}
		}

		await this.#write({known, ...(forget && {forget})});
		this.#records = new Map([...this.#records, ...known]);
		for (const field of forget?.keys() ?? []) {
			this.#records.delete(field);
		}
	}

	async #write(changes: Parameters<DraftStore['write']>[2]): Promise<void> {
		await this.#options.store.write(this.#options.account, this.#nonce, changes);
	}
}

type StoredDraft = NonNullable<Known['draft']>;

/** What could not be said, and what was refused before it was ever there, is no draft yet. */
function toOurs([key, {draft, id, written, after, status}]: [string, Known]): OurDraft[] {
	if (status.kind !== 'refused' || draft !== null) {
		return [{key, draft: draft ?? undefined, id, written, after}];
	}

	return id === undefined ? [] : [{key, draft: written.at(-1), id, written, after}];
}
