import {handler} from '../../http/handler.js';
import {
	createSavedSnippet as create,
	editSavedSnippet as edit,
	listSavedSnippets,
	deleteSavedSnippet as remove,
} from '../../people/saved-snippets.js';

export const getSavedSnippets = handler('getSavedSnippets', ({services: {store}, caller}) => ({
	saved_snippets: listSavedSnippets(store, caller),
}));

export const createSavedSnippet = handler('createSavedSnippet', ({services, caller, parameters}) => ({
	saved_snippet_id: create(services, caller, parameters),
}));

export const editSavedSnippet = handler('editSavedSnippet', ({services, caller, parameters}) => {
	const {saved_snippet_id: id, title, content} = parameters;
	edit(services, caller, {id, title, content});
	return {};
});

export const deleteSavedSnippet = handler('deleteSavedSnippet', ({services, caller, parameters}) => {
	remove(services, caller, parameters.saved_snippet_id);
	return {};
});
