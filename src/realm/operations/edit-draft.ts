import {checkSynchronization, editDraft as edit} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';

export const editDraft = handler('editDraft', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	edit(services, caller, {id: parameters.draft_id, draft: parameters.draft});
	return {};
});
