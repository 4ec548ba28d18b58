import {handler} from '../../http/handler.js';
import {addPushToken, removePushToken} from '../../people/push-tokens.js';

export const addApnsToken = handler('addApnsToken', ({services, caller, parameters}) => {
	addPushToken(services, caller, {service: 'apns', token: parameters.token, appId: parameters.appid});
	return {};
});

export const removeApnsToken = handler('removeApnsToken', ({services, caller, parameters}) => {
	removePushToken(services, caller, {service: 'apns', token: parameters.token});
	return {};
});

export const addFcmToken = handler('addFcmToken', ({services, caller, parameters}) => {
	addPushToken(services, caller, {service: 'fcm', token: parameters.token});
	return {};
});

export const removeFcmToken = handler('removeFcmToken', ({services, caller, parameters}) => {
	removePushToken(services, caller, {service: 'fcm', token: parameters.token});
	return {};
});
