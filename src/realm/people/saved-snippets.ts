// Saved snippets: texts that people reuse.

import type {SavedSnippet} from '../../api/index.js';
import {RealmError} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';

const columns = 'id, title, content, date_created';

export function listSavedSnippets(store: Store, owner: Account): SavedSnippet[] {
	return store.all<SavedSnippet>(`SELECT ${columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`, owner.id);
}

/** Returns its ID. */
export function createSavedSnippet(
	{store, clock, queues}: Services,
	owner: Account,
	{title, content}: {readonly title: string; readonly content: string},
): number {
	const id = store.run(
		'INSERT INTO saved_snippets (user_id, title, content, date_created) VALUES (?, ?, ?, ?)',
		owner.id,
		title,
		content,
		clock.seconds(),
	);
	queues.publishTo(owner.id, {type: 'saved_snippets', op: 'add', saved_snippet: findSavedSnippet(store, owner, id)});

	return id;
}

export function editSavedSnippet(
	{store, queues}: Services,
	owner: Account,
	{id, title, content}: {readonly id: number; readonly title: string | undefined; readonly content: string | undefined},
): void {
	if (title === undefined && content === undefined) {
		return;
	}

	const before = findSavedSnippet(store, owner, id);
	const saved_snippet = {...before, title: title ?? before.title, content: content ?? before.content};
	store.run(
		'UPDATE saved_snippets SET title = ?, content = ? WHERE id = ?',
		saved_snippet.title,
		saved_snippet.content,
		before.id,
	);
	queues.publishTo(owner.id, {type: 'saved_snippets', op: 'update', saved_snippet});
}

export function deleteSavedSnippet({store, queues}: Services, owner: Account, id: number): void {
	findSavedSnippet(store, owner, id);
	store.run('DELETE FROM saved_snippets WHERE id = ?', id);
	queues.publishTo(owner.id, {type: 'saved_snippets', op: 'remove', saved_snippet_id: id});
}

function findSavedSnippet(store: Store, owner: Account, id: number): SavedSnippet {
	const sql = `SELECT ${columns} FROM saved_snippets WHERE id = ? AND user_id = ?`;
	const snippet = store.get<SavedSnippet>(sql, id, owner.id);
	if (!snippet) {
		throw new RealmError('Saved snippet does not exist.', 'BAD_REQUEST', 404);
	}

	return snippet;
}
