import {handler} from '../http/handler.js';
import {updateField} from '../profile/change-fields.js';

export const updateProfileField = handler('updateProfileField', ({services, parameters}) => {
	updateField(services, parameters.field_id, parameters);
	return {};
});
