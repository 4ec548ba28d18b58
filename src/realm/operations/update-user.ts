import {handler} from '../http/handler.js';
import {findAccount} from '../people/accounts.js';
import {updateAccount} from '../people/update.js';

export const updateUser = handler('updateUser', ({services, caller, parameters}) => {
	const target = findAccount(services.store, parameters.user_id);
	updateAccount(services, {caller, target, changes: parameters});
	return {};
});
