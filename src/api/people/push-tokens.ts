// How to reach a person's phone. All of it is deprecated from feature level 406 on.

import {operation, required} from '../operation.js';
import {z} from '../zod.js';

export const addApnsToken = operation({
	name: 'addApnsToken',
	method: 'POST',
	path: '/users/me/apns_device_token',
	about: 'Deprecated: register an Apple device for push notifications',
	callers: 'humans',
	repeatable: true,
	parameters: {
		token: required(z.string(), 'Token of the device'),
		appid: required(z.string().regex(/^[.a-zA-Z0-9-]+$/), 'ID of the app: letters, digits, dots and dashes'),
	},
	result: z.looseObject({}),
});

export const removeApnsToken = operation({
	name: 'removeApnsToken',
	method: 'DELETE',
	path: '/users/me/apns_device_token',
	about: 'Deprecated: unregister an Apple device',
	callers: 'humans',
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});

export const addFcmToken = operation({
	name: 'addFcmToken',
	method: 'POST',
	path: '/users/me/android_gcm_reg_id',
	about: 'Deprecated: register an Android device for push notifications',
	callers: 'humans',
	repeatable: true,
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});

export const removeFcmToken = operation({
	name: 'removeFcmToken',
	method: 'DELETE',
	path: '/users/me/android_gcm_reg_id',
	about: 'Deprecated: unregister an Android device',
	callers: 'humans',
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});
