import {handler} from '../http/handler.js';
import {removeProfileValues} from '../profile/values.js';

export const removeProfileData = handler('removeProfileData', ({services, caller, parameters}) => {
	services.store.transaction(() => removeProfileValues(services, caller, parameters.data));
	return {};
});
