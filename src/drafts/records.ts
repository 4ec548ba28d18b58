// What a sync knows of an account's drafts: taken from what bots want, changed here and in the store together.

import type {NewDraft} from '../api/index.js';
import type {Action, OurDraft} from './reconcile.js';
import type {Refused, Service} from './service.js';
import type {Changes, Copy, DraftStore, Known} from './store.js';

/** What is over is shown for so long. */
const SHOWN_MS = 7 * 24 * 3600 * 1000;

/** Whether there is anything to bring to the service or to watch there. */
export function needsSync({wanted, known, journal}: Copy): boolean {
	return (
		journal !== undefined ||
		[...wanted].some(([field, {rev}]) => known.get(field)?.rev !== rev) ||
		[...known.values()].some(record => !isOver(record))
	);
}

/** Nothing more will come of it unless the bot wants it anew. A person's text is never given up. */
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

/** Every write throws `LockLost` once another has the account. */
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

	/** All, as they are compared with the service's. */
	ours(): OurDraft[] {
		return [...this.#records].flatMap(toOurs);
	}

	/** What bots have changed since the last sync becomes what we know. */
	async take({wanted, known}: Copy, service: Service): Promise<void> {
		const records = new Map(known);
		for (const [field, {rev, target, text}] of wanted) {
			const last = known.get(field);
			if (last?.rev === rev) {
				continue;
			}

			// What is gone is begun anew.
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

	/** Bots that never take anything away leave no heap behind. */
	async forgetOld(): Promise<void> {
		const before = this.#options.now() - SHOWN_MS;
		const old = [...this.#records].filter(([, record]) => isOver(record) && record.at < before);
		await this.change(new Map(), new Map(old.map(([field, {rev}]) => [field, rev])));
	}

	/** The service says no to every call on drafts. */
	async refuseAll({reason}: Refused): Promise<void> {
		const open = [...this.#records].filter(
			([, {status, draft}]) => draft !== null && (status.kind === 'waiting' || status.kind === 'synced'),
		);
		await this.change(new Map(open.map(([field]) => [field, {status: {kind: 'refused', reason}}])));
	}

	/** What the service refused is not tried again until the bot wants something else. */
	isRefused({kind, key}: Action): boolean {
		const record = this.#records.get(key);
		const isWrite = kind === 'create' || kind === 'edit';
		return isWrite && record?.status.kind === 'refused' && !record.isRestored;
	}

	/** Stores what needs no call. */
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

/** What could not be said to the service is not compared with what it has. */
export function toOurs([key, record]: [string, Known]): OurDraft[] {
	const {draft, id, written, after} = record;
	return isUnsaid(record) ? [] : [{key, draft: draft ?? undefined, id, written, after}];
}

function isUnsaid({status, draft}: Known): boolean {
	return status.kind === 'refused' && draft === null;
}
