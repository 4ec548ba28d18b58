import {handler} from '../../http/handler.js';
import {createField, deleteField, reorderFields, updateField} from '../../profile/change-fields.js';
import {presentFields} from '../../profile/fields.js';
import {removeProfileValues, setProfileValues} from '../../profile/values.js';

export const getProfileFields = handler('getProfileFields', ({services: {store}}) => ({
	custom_fields: presentFields(store),
}));

export const createProfileField = handler('createProfileField', ({services, parameters}) => ({
	id: createField(services, parameters.field_type, parameters),
}));

export const updateProfileField = handler('updateProfileField', ({services, parameters}) => {
	updateField(services, parameters.field_id, parameters);
	return {};
});

export const reorderProfileFields = handler('reorderProfileFields', ({services, parameters}) => {
	reorderFields(services, parameters.order);
	return {};
});

export const deleteProfileField = handler('deleteProfileField', ({services, parameters}) => {
	deleteField(services, parameters.field_id);
	return {};
});

export const updateProfileData = handler('updateProfileData', ({services, caller, parameters}) => {
	const change = {caller, target: caller, values: parameters.data};
	services.store.transaction(() => setProfileValues(services, change));
	return {};
});

export const removeProfileData = handler('removeProfileData', ({services, caller, parameters}) => {
	services.store.transaction(() => removeProfileValues(services, caller, parameters.data));
	return {};
});
