import {handler} from '../http/handler.js';
import {
	addLinkifier as add,
	listLinkifiers,
	removeLinkifier as remove,
	reorderLinkifiers as reorder,
	updateLinkifier as update,
} from '../linkifiers/linkifiers.js';

export const getLinkifiers = handler('getLinkifiers', ({services}) => ({linkifiers: listLinkifiers(services.store)}));

export const addLinkifier = handler('addLinkifier', ({services, parameters}) => ({id: add(services, parameters)}));

export const updateLinkifier = handler('updateLinkifier', ({services, parameters}) => {
	const {filter_id: id, pattern, url_template} = parameters;
	update(services, {id, pattern, url_template});
	return {};
});

export const removeLinkifier = handler('removeLinkifier', ({services, parameters}) => {
	remove(services, parameters.filter_id);
	return {};
});

export const reorderLinkifiers = handler('reorderLinkifiers', ({services, parameters}) => {
	reorder(services, parameters.ordered_linkifier_ids);
	return {};
});
