import {handler} from '../http/handler.js';
import {removePushToken} from '../people/push-tokens.js';

export const removeApnsToken = handler('removeApnsToken', ({services: {store}, caller, parameters}) => {
	removePushToken(store, caller, {service: 'apns', token: parameters.token});
	return {};
});
