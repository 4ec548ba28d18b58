import {badRequest} from '../errors.js';
import {type Account, findAccount, findAccountByEmail} from '../people/accounts.js';
import type {Store} from '../store/store.js';

type Principals = readonly (number | string)[];

/** The people to subscribe or unsubscribe. By default the caller. */
export function subscribersMeant(store: Store, caller: Account, principals: Principals = []): Account[] {
	return principals.length === 0 ? [caller] : findPrincipals(store, principals);
}

/** Without duplicates. */
export function findPrincipals(store: Store, principals: Principals): Account[] {
	const accounts = principals.map(principal => {
		const account =
			typeof principal === 'number' ? findAccount(store, principal) : findAccountByEmail(store, principal);
		if (!account?.is_active || account.is_system_bot) {
			throw badRequest('No such user');
		}

		return account;
	});

	return [...new Map(accounts.map(account => [account.id, account])).values()];
}
