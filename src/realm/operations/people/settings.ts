import {handler} from '../../http/handler.js';
import {changeDefaults, changeSettings} from '../../people/change-settings.js';
import {changeOwnProfile} from '../../people/own-profile.js';
import {givenSettings} from '../../people/settings.js';

export const updateSettings = handler('updateSettings', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		changeOwnProfile(services, caller, parameters);
		changeSettings(services, caller, givenSettings(parameters));
	});
	return {};
});

export const updateRealmUserSettingsDefaults = handler('updateRealmUserSettingsDefaults', ({services, parameters}) => {
	changeDefaults(services, givenSettings(parameters));
	return {};
});

export const updateNotificationSettings = handler('updateNotificationSettings', ({services, caller, parameters}) => {
	changeSettings(services, caller, givenSettings(parameters));
	return {};
});
