import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {findAccount, isBot} from '../people/accounts.js';
import {changeStatus, readStatus} from '../people/status.js';

export const updateStatus = handler('updateStatus', ({services, caller, parameters}) => {
	changeStatus(services, caller, parameters);
	return {};
});

export const getUserStatus = handler('getUserStatus', ({services: {store}, parameters}) => {
	const target = findAccount(store, parameters.user_id);
	if (!target || isBot(target)) {
		throw badRequest('No such user');
	}

	if (!target.is_active) {
		throw badRequest('User is deactivated');
	}

	return {status: readStatus(store, target.id)};
});
