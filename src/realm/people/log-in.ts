// Hands out API keys to whoever proved who they are (service-facts.md 1.2).

import {RealmError} from '../errors.js';
import {organization} from '../organization.js';
import type {Store} from '../store/store.js';
import {findAccountByEmail} from './accounts.js';

/** Key of the account with that address; without one nothing was proved. */
export function logIn(store: Store, email: string | undefined) {
	const account = email === undefined ? undefined : findAccountByEmail(store, email);
	if (!account) {
		throw new RealmError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401);
	}

	if (!account.is_active) {
		throw new RealmError('Account is deactivated', 'USER_DEACTIVATED', 401);
	}

	if (organization(store).deactivated) {
		throw new RealmError('This organization has been deactivated', 'REALM_DEACTIVATED', 401);
	}

	return {api_key: account.api_key, email: account.email, user_id: account.id};
}
