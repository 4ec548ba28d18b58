import {operation, optional} from '../operation.js';
import {z} from '../zod.js';
import {notificationParameters, settingParameters} from './user-settings.js';

export const updateSettings = operation({
	name: 'updateSettings',
	method: 'PATCH',
	path: '/settings',
	about: 'Change your settings',
	callers: 'humans',
	repeatable: true,
	parameters: {
		...settingParameters(),
		full_name: optional(z.string(), 'Name'),
		email: optional(z.string(), 'Real address; the local realm needs no confirmation'),
		old_password: optional(z.string(), 'Goes with `new_password`'),
		new_password: optional(z.string(), 'Password'),
		timezone: optional(z.string(), 'IANA name of the time zone, or empty'),
		default_language: optional(z.string(), 'Language code, such as `en` or `de`'),
	},
	result: z.looseObject({}),
});

export const updateNotificationSettings = operation({
	name: 'updateNotificationSettings',
	method: 'PATCH',
	path: '/settings/notifications',
	about: 'Deprecated: change your notification settings',
	callers: 'humans',
	parameters: notificationParameters(),
	result: z.looseObject({}),
});

export const updateRealmUserSettingsDefaults = operation({
	name: 'updateRealmUserSettingsDefaults',
	method: 'PATCH',
	path: '/realm/user_settings_defaults',
	about: 'Change the default settings of new users',
	callers: 'administrators',
	repeatable: true,
	parameters: settingParameters(),
	result: z.looseObject({}),
});
