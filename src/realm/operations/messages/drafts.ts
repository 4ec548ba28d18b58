import {
	checkSynchronization,
	createDrafts as create,
	editDraft as edit,
	listDrafts,
	deleteDraft as remove,
} from '../../drafts/drafts.js';
import {handler} from '../../http/handler.js';

export const getDrafts = handler('getDrafts', ({services: {store}, caller}) => {
	checkSynchronization(store, caller);
	const drafts = listDrafts(store, caller);
	return {count: drafts.length, drafts};
});

export const createDrafts = handler('createDrafts', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	return {ids: create(services, caller, parameters.drafts)};
});

export const editDraft = handler('editDraft', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	edit(services, caller, {id: parameters.draft_id, draft: parameters.draft});
	return {};
});

export const deleteDraft = handler('deleteDraft', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	remove(services, caller, parameters.draft_id);
	return {};
});
