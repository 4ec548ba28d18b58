import {handler} from '../http/handler.js';
import {deactivateAccount} from '../people/deactivate.js';

export const deactivateUser = handler('deactivateUser', ({services, caller, parameters}) => {
	deactivateAccount(services, caller, parameters.user_id);
	return {};
});
