import {z} from 'zod';
import {operation} from './operation.js';
import {settingParameters} from './user-settings.js';

export const updateSettings = operation({
	name: 'updateSettings',
	method: 'PATCH',
	path: '/settings',
	about: "Change one's own settings",
	callers: 'humans',
	repeatable: true,
	parameters: settingParameters(),
	result: z.looseObject({}),
});

export const updateRealmUserSettingsDefaults = operation({
	name: 'updateRealmUserSettingsDefaults',
	method: 'PATCH',
	path: '/realm/user_settings_defaults',
	about: 'Change the settings that people who join later start with',
	callers: 'administrators',
	repeatable: true,
	parameters: settingParameters(),
	result: z.looseObject({}),
});
