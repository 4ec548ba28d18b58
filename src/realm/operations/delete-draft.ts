import {checkSynchronization, deleteDraft as remove} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';

export const deleteDraft = handler('deleteDraft', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	remove(services, caller, parameters.draft_id);
	return {};
});
