import {handler} from '../http/handler.js';
import {removePushToken} from '../people/push-tokens.js';

export const removeFcmToken = handler('removeFcmToken', ({services: {store}, caller, parameters}) => {
	removePushToken(store, caller, {service: 'fcm', token: parameters.token});
	return {};
});
