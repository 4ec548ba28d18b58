// Where a person's phone is reached. All of it is deprecated from feature level 406 on.

import {z} from 'zod';
import {operation, required} from './operation.js';

export const addApnsToken = operation({
	name: 'addApnsToken',
	method: 'POST',
	path: '/users/me/apns_device_token',
	about: 'Deprecated: have an Apple device told of messages',
	callers: 'humans',
	repeatable: true,
	parameters: {
		token: required(z.string(), 'Token of the device'),
		appid: required(z.string(), 'ID of the app that asks'),
	},
	result: z.looseObject({}),
});

export const removeApnsToken = operation({
	name: 'removeApnsToken',
	method: 'DELETE',
	path: '/users/me/apns_device_token',
	about: 'Deprecated: no longer tell an Apple device',
	callers: 'humans',
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});

export const addFcmToken = operation({
	name: 'addFcmToken',
	method: 'POST',
	path: '/users/me/android_gcm_reg_id',
	about: 'Deprecated: have an Android device told of messages',
	callers: 'humans',
	repeatable: true,
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});

export const removeFcmToken = operation({
	name: 'removeFcmToken',
	method: 'DELETE',
	path: '/users/me/android_gcm_reg_id',
	about: 'Deprecated: no longer tell an Android device',
	callers: 'humans',
	parameters: {token: required(z.string(), 'Token of the device')},
	result: z.looseObject({}),
});
