import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** A text that somebody keeps to write it again. */
const SavedSnippet = z.looseObject({
	id: z.int(),
	title: z.string(),
	content: z.string(),
	date_created: z.int().optional(),
});
export type SavedSnippet = z.infer<typeof SavedSnippet>;

const MAX_MESSAGE_LENGTH = 10_000;
const title = z.string().trim().min(1).max(60);
const content = z.string().trim().min(1).max(MAX_MESSAGE_LENGTH);

const id = required(z.int(), 'ID of the snippet');

export const getSavedSnippets = operation({
	name: 'getSavedSnippets',
	method: 'GET',
	path: '/saved_snippets',
	about: 'List your saved snippets',
	callers: 'users',
	since: 297,
	parameters: {},
	result: z.looseObject({saved_snippets: z.array(SavedSnippet)}),
});

export const createSavedSnippet = operation({
	name: 'createSavedSnippet',
	method: 'POST',
	path: '/saved_snippets',
	about: 'Create a saved snippet',
	callers: 'users',
	since: 297,
	parameters: {
		title: required(title, 'Up to 60 characters'),
		content: required(content, 'The text'),
	},
	result: z.looseObject({saved_snippet_id: z.int()}),
});

export const editSavedSnippet = operation({
	name: 'editSavedSnippet',
	method: 'PATCH',
	path: '/saved_snippets/{saved_snippet_id}',
	about: 'Change the title or the text of a saved snippet',
	callers: 'users',
	since: 368,
	parameters: {
		saved_snippet_id: id,
		title: optional(title, 'Up to 60 characters'),
		content: optional(content, 'The text'),
	},
	result: z.looseObject({}),
});

export const deleteSavedSnippet = operation({
	name: 'deleteSavedSnippet',
	method: 'DELETE',
	path: '/saved_snippets/{saved_snippet_id}',
	about: 'Delete a saved snippet',
	callers: 'users',
	since: 297,
	parameters: {saved_snippet_id: id},
	result: z.looseObject({}),
});
