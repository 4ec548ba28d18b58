// What a sync knows of an account's drafts. It starts from the bots' wishes, and changes here and in the store together.

import type {NewDraft} from '../api/index.js';
import type {Action, OurDraft} from './reconcile.js';
import type {Refused, Service} from './service.js';
import type {Changes, Copy, DraftStore, Known} from './store.js';

/** How long a finished draft is still shown. */
const SHOWN_MS = 7 * 24 * 3600 * 1000;

/** Whether there is anything to write to the service or to watch there. */
export function needsSync({wanted, known, journal}: Copy): boolean {
	return (
		journal !== undefined ||
		[...wanted].some(([field, {rev}]) => known.get(field)?.rev !== rev) ||
		[...known.values()].some(record => !isOver(record))
	);
}

/** Finished unless the bot wants it again. A person's text is never given up. */
function isOver(record: Known): boolean {
	const {status, id, isRestored} = record;
	const isRefused = status.kind === 'refused' && id === undefined;
	return !isRestored && (status.kind === 'gone' || isRefused || isUnsaid(record));
}

export interface RecordsOptions {
	/** Tag of the account. */
	readonly account: string;
	readonly store: DraftStore;
	/** Milliseconds since 1970. */
	now(): number;
}

/** Every write throws `LockLost` once another worker has the account. */
export class Records {
	readonly #options: RecordsOptions;
	readonly #nonce: string;
	#records = new Map<string, Known>();

	constructor(options: RecordsOptions, nonce: string) {
		this.#options = options;
		this.#nonce = nonce;
	}

	get(key: string): Known | undefined {
		return this.#records.get(key);
	}

	/** All drafts, in the form in which they are compared with the service's. */
	ours(): OurDraft[] {
		return [...this.#records].flatMap(toOurs);
	}

	/** Takes over what bots have changed since the last sync. */
	async take({wanted, known}: Copy, service: Service): Promise<void> {
		const records = new Map(known);
		for (const [field, {rev, target, text}] of wanted) {
			const last = known.get(field);
			if (last?.rev === rev) {
				continue;
			}

			// A draft that is gone is created again.
			const {id, written = [], after = 0} = last?.status.kind === 'gone' ? {} : (last ?? {});
			const resolved = text === null ? null : await service.resolve(target, text);
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

		await this.write({known: new Map([...records].filter(([field, record]) => known.get(field) !== record))});
		this.#records = records;
	}

	/** Keeps the list short for bots that never remove a draft. */
	async forgetOld(): Promise<void> {
		const before = this.#options.now() - SHOWN_MS;
		const old = [...this.#records].filter(([, record]) => isOver(record) && record.at < before);
		await this.change(new Map(), new Map(old.map(([field, {rev}]) => [field, rev])));
	}

	/** The service refuses every call on drafts. */
	async refuseAll({reason}: Refused): Promise<void> {
		const open = [...this.#records].filter(
			([, {status, draft}]) => draft !== null && (status.kind === 'waiting' || status.kind === 'synced'),
		);
		await this.change(new Map(open.map(([field]) => [field, {status: {kind: 'refused', reason}}])));
	}

	/** A refused draft is not tried again until the bot changes it. */
	isRefused({kind, key}: Action): boolean {
		const record = this.#records.get(key);
		const isWrite = kind === 'create' || kind === 'edit';
		return isWrite && record?.status.kind === 'refused' && !record.isRestored;
	}

	/** Stores changes that need no call. */
	async note(actions: readonly Action[]): Promise<void> {
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

		await this.change(changes, forget);
	}

	/** Changes records, here and in the store. */
	async change(changes: ReadonlyMap<string, Partial<Known>>, forget?: ReadonlyMap<string, string>): Promise<void> {
		const known = new Map<string, Known>();
		for (const [field, change] of changes) {
			const record = this.#records.get(field);
			const isNews = record && change.status !== undefined && change.status.kind !== record.status.kind;
			const changed = record && {...record, ...change, ...(isNews && {at: this.#options.now()})};
			if (changed && JSON.stringify(changed) !== JSON.stringify(record)) {
				known.set(field, changed);
			}
		}

		await this.write({known, ...(forget && {forget})});
		this.#records = new Map([...this.#records, ...known]);
		for (const field of forget?.keys() ?? []) {
			this.#records.delete(field);
		}
	}

	async write(changes: Changes): Promise<void> {
		await this.#options.store.write(this.#options.account, this.#nonce, changes);
	}
}

/** A draft that cannot be expressed to the service is not compared with the service's copy. */
export function toOurs([key, record]: [string, Known]): OurDraft[] {
	const {draft, id, written, after} = record;
	return isUnsaid(record) ? [] : [{key, draft: draft ?? undefined, id, written, after}];
}

function isUnsaid({status, draft}: Known): boolean {
	return status.kind === 'refused' && draft === null;
}
