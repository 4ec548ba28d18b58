import {handler} from '../http/handler.js';
import {createField} from '../profile/change-fields.js';

export const createProfileField = handler('createProfileField', ({services, parameters}) => ({
	id: createField(services, parameters.field_type, parameters),
}));
