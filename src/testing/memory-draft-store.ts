// An in-memory store of drafts.

import {randomUUID} from 'node:crypto';
import {
	type Copy,
	type DraftStore,
	fieldOf,
	type Known,
	LOCK_MS,
	LockLost,
	listCopy,
	type Wanted,
} from '../drafts/store.js';

export function createMemoryDraftStore(now: () => number): DraftStore {
	const accounts = new Map<
		string,
		{wanted: Map<string, Wanted>; known: Map<string, Known>; journal: Copy['journal']}
	>();
	const locks = new Map<string, {nonce: string; until: number}>();

	function copyOf(account: string) {
		const copy = accounts.get(account) ?? {wanted: new Map(), known: new Map(), journal: undefined};
		accounts.set(account, copy);
		return copy;
	}

	function want(account: string, bot: string, wanted: Pick<Wanted, 'key' | 'target' | 'text'>): void {
		copyOf(account).wanted.set(fieldOf(bot, wanted.key), {v: 1, rev: randomUUID(), ...wanted});
	}

	const holderOf = (account: string) => {
		const lock = locks.get(account);
		return lock && lock.until > now() ? lock.nonce : undefined;
	};

	return {
		put: async (account, bot, draft) => want(account, bot, draft),
		remove: async (account, bot, name) => want(account, bot, {key: name, target: '', text: null}),
		list: async account => listCopy(copyOf(account)),
		async load(account) {
			const {wanted, known, journal} = copyOf(account);
			return {wanted: new Map(wanted), known: new Map(known), journal};
		},
		async lock(account, nonce) {
			if (holderOf(account) !== undefined) {
				return false;
			}

			locks.set(account, {nonce, until: now() + LOCK_MS});
			return true;
		},
		async unlock(account, nonce) {
			if (holderOf(account) === nonce) {
				locks.delete(account);
			}
		},
		async write(account, nonce, {known, forget, journal}) {
			if (holderOf(account) !== nonce) {
				throw new LockLost(`The drafts of ${account} are being synced by another worker`);
			}

			locks.set(account, {nonce, until: now() + LOCK_MS});
			const copy = copyOf(account);
			for (const [field, value] of known ?? []) {
				copy.known.set(field, value);
			}

			for (const [field, rev] of forget ?? []) {
				copy.known.delete(field);
				if (copy.wanted.get(field)?.rev === rev) {
					copy.wanted.delete(field);
				}
			}

			copy.journal = journal === undefined ? copy.journal : (journal ?? undefined);
		},
	};
}
