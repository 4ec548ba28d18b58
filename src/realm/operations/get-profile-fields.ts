import {handler} from '../http/handler.js';
import {presentFields} from '../profile/fields.js';

export const getProfileFields = handler('getProfileFields', ({services: {store}}) => ({
	custom_fields: presentFields(store),
}));
