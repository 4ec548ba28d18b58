import {handler} from '../http/handler.js';
import {changeDefaults} from '../people/change-settings.js';
import {givenSettings} from '../people/settings.js';

export const updateRealmUserSettingsDefaults = handler('updateRealmUserSettingsDefaults', ({services, parameters}) => {
	changeDefaults(services, givenSettings(parameters));
	return {};
});
