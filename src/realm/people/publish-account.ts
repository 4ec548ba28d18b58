// Tells of accounts, each queue as its owner sees them (service-facts.md 3.3).

import type {Services} from '../services.js';
import {type Account, avatarUrl, findAccount} from './accounts.js';
import {presentUser} from './present.js';

export function publishNewAccount(services: Services, account: Account): void {
	const {store, queues} = services;
	store.afterCommit(() =>
		queues.publishEach('realm_user', ({options: {userId, clientGravatar}}) => {
			const viewer = findAccount(store, userId);
			return viewer && {op: 'add', person: presentUser(services, account, {viewer, clientGravatar, withProfile: true})};
		}),
	);
}

/** Somebody is found under another address. */
export function publishAddress({store, queues}: Services, {id, email}: Account): void {
	store.afterCommit(() => {
		queues.publish({type: 'realm_user', op: 'update', person: {user_id: id, new_email: email}});
		queues.publish({type: 'realm_user', op: 'update', person: {user_id: id, delivery_email: email}});
	});
}

/** Somebody looks different. */
export function publishAvatar({store, queues}: Services, account: Account): void {
	const url = avatarUrl(account, {clientGravatar: false});
	const person = {
		user_id: account.id,
		avatar_url: url,
		avatar_url_medium: url,
		avatar_source: 'G',
		avatar_version: 1,
	};
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
}
