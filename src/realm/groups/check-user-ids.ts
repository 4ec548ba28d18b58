import {badRequest} from '../errors.js';
import {findAccount} from '../people/accounts.js';
import type {Store} from '../store/store.js';

/** Throws if an ID is unknown, deactivated, or not of this organization. */
export function checkUserIds(store: Store, ids: readonly number[]): void {
	for (const id of ids) {
		const account = findAccount(store, id);
		if (!account?.is_active || account.is_system_bot) {
			throw badRequest(`Invalid user ID: ${id}`);
		}
	}
}
