import {handler} from '../http/handler.js';
import {reactivateAccount} from '../people/deactivate.js';

export const reactivateUser = handler('reactivateUser', ({services, caller, parameters}) => {
	reactivateAccount(services, caller, parameters.user_id);
	return {};
});
