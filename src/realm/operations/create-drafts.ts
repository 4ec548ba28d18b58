import {checkSynchronization, createDrafts as create} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';

export const createDrafts = handler('createDrafts', ({services, caller, parameters}) => {
	checkSynchronization(services.store, caller);
	return {ids: create(services, caller, parameters.drafts)};
});
