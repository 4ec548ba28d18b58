import {handler} from '../http/handler.js';
import {addPushToken, removePushToken} from '../people/push-tokens.js';

export const addApnsToken = handler('addApnsToken', ({services: {store}, caller, parameters}) => {
	addPushToken(store, caller, {service: 'apns', token: parameters.token, appId: parameters.appid});
	return {};
});

export const removeApnsToken = handler('removeApnsToken', ({services: {store}, caller, parameters}) => {
	removePushToken(store, caller, {service: 'apns', token: parameters.token});
	return {};
});

export const addFcmToken = handler('addFcmToken', ({services: {store}, caller, parameters}) => {
	addPushToken(store, caller, {service: 'fcm', token: parameters.token});
	return {};
});

export const removeFcmToken = handler('removeFcmToken', ({services: {store}, caller, parameters}) => {
	removePushToken(store, caller, {service: 'fcm', token: parameters.token});
	return {};
});
