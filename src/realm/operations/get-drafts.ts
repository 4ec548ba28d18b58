import {checkSynchronization, listDrafts} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';

export const getDrafts = handler('getDrafts', ({services: {store}, caller}) => {
	checkSynchronization(store, caller);
	const drafts = listDrafts(store, caller);
	return {count: drafts.length, drafts};
});
