// Texts that an account stores on the server, by key. Zulip's Python bots keep their state there.

import {badRequest} from '../../errors.js';
import type {Store} from '../../store/store.js';
import type {Account} from '../accounts.js';

/** Limit for all keys and texts of an account together, in characters. */
const MAX_LENGTH = 10_000_000;

interface Row {
	readonly key: string;
	readonly value: string;
}

export function readStorage(store: Store, {id}: Account, keys: readonly string[] | undefined): Record<string, string> {
	const rows = store.all<Row>('SELECT key, value FROM bot_storage WHERE account_id = ? ORDER BY rowid', id);
	const values = new Map(rows.map(({key, value}) => [key, value]));
	const wanted = keys ?? [...values.keys()];
	checkKeys(values, wanted);

	return Object.fromEntries(wanted.map(key => [key, values.get(key) ?? '']));
}

export function writeStorage(store: Store, {id}: Account, storage: Readonly<Record<string, string>>): void {
	store.transaction(() => {
		for (const [key, value] of Object.entries(storage)) {
			const sql = `INSERT INTO bot_storage (account_id, key, value) VALUES (?, ?, ?)
				ON CONFLICT (account_id, key) DO UPDATE SET value = excluded.value`;
			store.run(sql, id, key, value);
		}

		const sql = 'SELECT coalesce(sum(length(key) + length(value)), 0) AS length FROM bot_storage WHERE account_id = ?';
		const {length} = store.get<{length: number}>(sql, id) ?? {length: 0};
		if (length > MAX_LENGTH) {
			const excess = `${length - MAX_LENGTH} characters. The limit is ${MAX_LENGTH} characters.`;
			throw badRequest(`Request exceeds storage limit by ${excess}`);
		}
	});
}

export function removeStorage(store: Store, account: Account, keys: readonly string[] | undefined): void {
	store.transaction(() => {
		for (const key of Object.keys(readStorage(store, account, keys))) {
			store.run('DELETE FROM bot_storage WHERE account_id = ? AND key = ?', account.id, key);
		}
	});
}

function checkKeys(values: ReadonlyMap<string, string>, keys: readonly string[]): void {
	if (!keys.every(key => values.has(key))) {
		throw badRequest('Key does not exist.');
	}
}
