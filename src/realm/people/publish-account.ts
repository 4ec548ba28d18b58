// Publishes events about accounts, to each queue in the form that its owner may see (service-facts.md 3.3).

import type {Services} from '../services.js';
import {type Account, avatarUrl, findAccount, isBot} from './accounts.js';
import {type Address, realEmail, shownAddress, shownEmail} from './addresses.js';
import {presentUser} from './present.js';

export function publishNewAccount(services: Services, account: Account): void {
	const {store, queues} = services;
	store.afterCommit(() =>
		queues.publishEach('realm_user', ({options: {userId, clientGravatar}}) => {
			const viewer = findAccount(store, userId);
			const how = {clientGravatar: clientGravatar && !isBot(account), withProfile: true};
			return viewer && {op: 'add', person: presentUser(services, account, {viewer, ...how})};
		}),
	);
}

/** Publishes a new address to everybody who saw another one before, and a new picture if the public address changes. */
export function publishAddress(
	services: Services,
	{before, after}: {readonly before: Address; readonly after: Address},
): void {
	const {store, queues} = services;
	const user_id = after.id;
	const newEmail = shownAddress(store, after);
	const isShownAnew = newEmail !== shownAddress(store, before);
	store.afterCommit(() => {
		if (isShownAnew) {
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

	const account = isShownAnew ? findAccount(store, user_id) : undefined;
	if (account) {
		publishAvatar(services, account);
	}
}

/** Publishes a new picture. */
export function publishAvatar({store, queues}: Services, account: Account): void {
	const url = avatarUrl({...account, email: shownEmail(store, account)}, {clientGravatar: false});
	const person = {
		user_id: account.id,
		avatar_url: url,
		avatar_url_medium: url,
		avatar_source: 'G',
		avatar_version: 1,
	};
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
}
