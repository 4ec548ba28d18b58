import {handler} from '../http/handler.js';
import {addPushToken} from '../people/push-tokens.js';

export const addApnsToken = handler('addApnsToken', ({services: {store}, caller, parameters}) => {
	addPushToken(store, caller, {service: 'apns', token: parameters.token, appId: parameters.appid});
	return {};
});
