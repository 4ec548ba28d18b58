import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {findAccount} from '../people/accounts.js';
import {changeName, changeRole, checkMayAdminister} from '../people/update.js';

export const updateUser = handler('updateUser', ({services, caller, parameters}) => {
	const target = findAccount(services.store, parameters.user_id);
	if (!target) {
		throw badRequest('No such user');
	}

	checkMayAdminister(caller, target);
	services.store.transaction(() => {
		if (parameters.role !== undefined) {
			changeRole(services, {caller, target, role: parameters.role});
		}

		if (parameters.full_name !== undefined) {
			changeName(services, target, parameters.full_name);
		}
	});

	return {};
});
