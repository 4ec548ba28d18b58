// Words that people watch for. The realm marks messages with such a word for them.

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';

const LONGEST = 100;

export function listAlertWords(store: Store, {id}: Pick<Account, 'id'>): string[] {
	const sql = 'SELECT word FROM alert_words WHERE user_id = ? ORDER BY rowid';
	return store.all<{word: string}>(sql, id).map(row => row.word);
}

/** Case does not matter, and blank ones count for nothing; answers all words. */
export function addAlertWords(services: Services, account: Account, words: readonly string[]): string[] {
	const {store} = services;
	const cleaned = words.map(word => word.trim());
	const long = cleaned.findIndex(word => [...word].length > LONGEST);
	if (long >= 0) {
		throw badRequest(`alert_words[${long}] is too long (limit: ${LONGEST} characters)`);
	}

	return change(services, account, () => {
		// Of the same word in several cases the last one counts.
		for (const word of new Map(cleaned.filter(Boolean).map(each => [keyOf(each), each])).values()) {
			store.run(
				'INSERT OR IGNORE INTO alert_words (user_id, word, key) VALUES (?, ?, ?)',
				account.id,
				word,
				keyOf(word),
			);
		}
	});
}

/** Answers the words that are left. */
export function removeAlertWords(services: Services, account: Account, words: readonly string[]): string[] {
	return change(services, account, () => {
		for (const word of words) {
			services.store.run('DELETE FROM alert_words WHERE user_id = ? AND key = ?', account.id, keyOf(word));
		}
	});
}

function change({store, queues}: Services, account: Account, work: () => void): string[] {
	return store.transaction(() => {
		work();
		const words = listAlertWords(store, account);
		store.afterCommit(() => queues.publishTo(account.id, {type: 'alert_words', alert_words: words}));
		return words;
	});
}

/** The people with an alert word in the text. */
export function findAlerted(store: Store, text: string): Set<number> {
	const rows = store.all<{user_id: number; word: string}>('SELECT user_id, word FROM alert_words');
	return new Set(rows.filter(({word}) => hasWord(text, word)).map(row => row.user_id));
}

/** Within a longer word it does not count. */
function hasWord(text: string, word: string): boolean {
	const literal = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'iu').test(text);
}

function keyOf(word: string): string {
	return word.toLowerCase();
}
