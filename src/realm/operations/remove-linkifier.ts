import {handler} from '../http/handler.js';
import {removeLinkifier as remove} from '../linkifiers/linkifiers.js';

export const removeLinkifier = handler('removeLinkifier', ({services, parameters}) => {
	remove(services, parameters.filter_id);
	return {};
});
