import {handler} from '../http/handler.js';
import {reorderFields} from '../profile/change-fields.js';

export const reorderProfileFields = handler('reorderProfileFields', ({services, parameters}) => {
	reorderFields(services, parameters.order);
	return {};
});
