import {z} from 'zod';
import {operation} from './operation.js';
import {settingParameters} from './user-settings.js';

export const updateSettings = operation({
	name: 'updateSettings',
	method: 'PATCH',
	path: '/settings',
	about: 'Change your settings',
	callers: 'humans',
	repeatable: true,
	parameters: settingParameters(),
	result: z.looseObject({}),
});

export const updateRealmUserSettingsDefaults = operation({
	name: 'updateRealmUserSettingsDefaults',
	method: 'PATCH',
	path: '/realm/user_settings_defaults',
	about: 'Change the default settings of new people',
	callers: 'administrators',
	repeatable: true,
	parameters: settingParameters(),
	result: z.looseObject({}),
});
