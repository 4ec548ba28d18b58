// Deactivates a person after the bots that they own (service-facts.md 6.10).

import {badRequest, RealmError} from '../errors.js';
import type {Services} from '../services.js';
import {type Account, findAccount, isBot, listAccounts, Role} from './accounts.js';
import {checkMayAdminister} from './update.js';

export function deactivateAccount({store, queues}: Services, caller: Account, id: number): void {
	const target = findAccount(store, id);
	if (!target || isBot(target)) {
		throw badRequest('No such user');
	}

	if (!target.is_active) {
		throw badRequest('User is deactivated');
	}

	checkMayAdminister(caller, target);
	const active = listAccounts(store).filter(account => account.is_active);
	if (target.role === Role.owner) {
		if (caller.role !== Role.owner) {
			throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
		}

		if (active.filter(account => account.role === Role.owner && !isBot(account)).length === 1) {
			throw badRequest('Cannot deactivate the only organization owner');
		}
	}

	const bots = active.filter(account => account.bot_owner_id === id);
	store.transaction(() => {
		for (const {id: userId} of [...bots, target]) {
			store.run('UPDATE accounts SET is_active = 0 WHERE id = ?', userId);
			store.afterCommit(() =>
				queues.publish({type: 'realm_user', op: 'update', person: {user_id: userId, is_active: false}}),
			);
		}
	});
}
