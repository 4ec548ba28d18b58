// Saved snippets: texts that people reuse.

import type {SavedSnippet} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import {MAX_MESSAGE_LENGTH} from '../organization.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';

const MAX_TITLE_LENGTH = 60;

const columns = 'id, title, content, date_created';

export function listSavedSnippets(store: Store, owner: Account): SavedSnippet[] {
	return store.all<SavedSnippet>(`SELECT ${columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`, owner.id);
}

/** Returns its ID. */
export function createSavedSnippet(
	{store, clock, queues}: Services,
	owner: Account,
	snippet: {readonly title: string; readonly content: string},
): number {
	const title = readTitle(snippet.title);
	const content = readContent(snippet.content);
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
	changes: {readonly id: number; readonly title: string | undefined; readonly content: string | undefined},
): void {
	const title = changes.title === undefined ? undefined : readTitle(changes.title);
	const content = changes.content === undefined ? undefined : readContent(changes.content);
	const before = findSavedSnippet(store, owner, changes.id);
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

function readTitle(text: string): string {
	const title = text.trim();
	if (title === '') {
		throw badRequest('Title cannot be empty.');
	}

	if ([...title].length > MAX_TITLE_LENGTH) {
		throw badRequest(`title is too long (limit: ${MAX_TITLE_LENGTH} characters)`);
	}

	return title;
}

function readContent(text: string): string {
	const content = text.trim();
	if (content === '') {
		throw badRequest('Content cannot be empty.');
	}

	if ([...content].length > MAX_MESSAGE_LENGTH) {
		throw badRequest(`content is too long (limit: ${MAX_MESSAGE_LENGTH} characters)`);
	}

	return content;
}
