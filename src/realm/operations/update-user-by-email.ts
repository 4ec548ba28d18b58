import {handler} from '../http/handler.js';
import {findVisibleByEmail} from '../people/accounts.js';
import {updateAccount} from '../people/update.js';

export const updateUserByEmail = handler('updateUserByEmail', ({services, caller, parameters}) => {
	const target = findVisibleByEmail(services.store, caller, parameters.email);
	updateAccount(services, {caller, target, changes: parameters});
	return {};
});
