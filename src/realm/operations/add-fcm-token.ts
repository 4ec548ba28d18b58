import {handler} from '../http/handler.js';
import {addPushToken} from '../people/push-tokens.js';

export const addFcmToken = handler('addFcmToken', ({services: {store}, caller, parameters}) => {
	addPushToken(store, caller, {service: 'fcm', token: parameters.token});
	return {};
});
