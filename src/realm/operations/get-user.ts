import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {findAccount} from '../people/accounts.js';
import {presentUser} from '../people/present.js';

export const getUser = handler('getUser', ({services, caller: viewer, parameters}) => {
	const {user_id: id, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const account = findAccount(services.store, id);
	if (!account) {
		throw badRequest('No such user');
	}

	return {user: presentUser(services, account, {viewer, clientGravatar, withProfile})};
});
