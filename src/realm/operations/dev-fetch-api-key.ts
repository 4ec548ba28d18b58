import {RealmError} from '../errors.js';
import {handler} from '../http/handler.js';
import {findAccountByEmail} from '../people/accounts.js';

export const devFetchApiKey = handler('devFetchApiKey', ({services: {store}, parameters}) => {
	const account = findAccountByEmail(store, parameters.username);
	if (!account) {
		throw new RealmError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401);
	}

	if (!account.is_active) {
		throw new RealmError('Account is deactivated', 'USER_DEACTIVATED', 401);
	}

	return {api_key: account.api_key, email: account.email, user_id: account.id};
});
