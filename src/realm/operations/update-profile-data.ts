import {handler} from '../http/handler.js';
import {setProfileValues} from '../profile/values.js';

export const updateProfileData = handler('updateProfileData', ({services, caller, parameters}) => {
	const change = {caller, target: caller, values: parameters.data};
	services.store.transaction(() => setProfileValues(services, change));
	return {};
});
