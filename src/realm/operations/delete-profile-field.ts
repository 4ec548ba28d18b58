import {handler} from '../http/handler.js';
import {deleteField} from '../profile/change-fields.js';

export const deleteProfileField = handler('deleteProfileField', ({services, parameters}) => {
	deleteField(services, parameters.field_id);
	return {};
});
