// Tells of accounts, each queue as its owner sees them (service-facts.md 3.3).

import type {Services} from '../services.js';
import {type Account, findAccount, presentAccount} from './accounts.js';
import {type Address, realEmail, shownAddress} from './addresses.js';

export function publishNewAccount({store, queues}: Services, account: Account): void {
	queues.publishEach('realm_user', ({options: {userId, clientGravatar}}) => ({
		op: 'add',
		person: presentAccount(store, account, {viewer: findAccount(store, userId), clientGravatar}),
	}));
}

/** Tells everybody who sees another address than before. */
export function publishAddress(
	{store, queues}: Services,
	{before, after}: {readonly before: Address; readonly after: Address},
): void {
	const user_id = after.id;
	store.afterCommit(() => {
		const newEmail = shownAddress(store, after);
		if (newEmail !== shownAddress(store, before)) {
			queues.publish({type: 'realm_user', op: 'update', person: {user_id, new_email: newEmail}});
		}

		queues.publishEach('realm_user', ({options}) => {
			const viewer = findAccount(store, options.userId);
			const email = viewer && realEmail(viewer, after);
			return viewer && email !== realEmail(viewer, before)
				? {op: 'update', person: {user_id, delivery_email: email}}
				: undefined;
		});
	});
}
