import {handler} from '../http/handler.js';
import {updateLinkifier as update} from '../linkifiers/linkifiers.js';

export const updateLinkifier = handler('updateLinkifier', ({services, parameters}) => {
	const {filter_id: id, pattern, url_template} = parameters;
	update(services, {id, pattern, url_template});
	return {};
});
