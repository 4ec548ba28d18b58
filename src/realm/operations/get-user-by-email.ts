import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {findVisibleByEmail} from '../people/accounts.js';
import {presentUser} from '../people/present.js';

export const getUserByEmail = handler('getUserByEmail', ({services, caller: viewer, parameters}) => {
	const {email, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const account = findVisibleByEmail(services.store, viewer, email);
	if (!account) {
		throw badRequest('No such user');
	}

	return {user: presentUser(services, account, {viewer, clientGravatar, withProfile})};
});
