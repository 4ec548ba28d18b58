import {badRequest} from '../errors.js';
import type {Store} from '../store/store.js';
import {type Account, findAccount, isBot} from './accounts.js';

/** Who is active, and no bot unless those count too, as operations on people take their target. */
export function findPerson(store: Store, id: number, {withBots = false} = {}): Account {
	const account = findAccount(store, id);
	if (!account || (isBot(account) && !withBots)) {
		throw badRequest('No such user');
	}

	if (!account.is_active) {
		throw badRequest('User is deactivated');
	}

	return account;
}
