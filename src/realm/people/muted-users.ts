// The users that a person has muted (service-facts.md 3.3).

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type Account, findAccount} from './accounts.js';

export function listMutedUsers(store: Store, {id}: Account) {
	return store.all<{id: number; timestamp: number}>(
		'SELECT muted_id AS id, timestamp FROM muted_users WHERE user_id = ? ORDER BY timestamp, muted_id',
		id,
	);
}

export function muteUser(services: Services, caller: Account, mutedId: number): void {
	const {store, clock} = services;
	if (mutedId === caller.id) {
		throw badRequest('Cannot mute self');
	}

	checkTarget(store, mutedId);
	if (isMutedUser(store, caller, mutedId)) {
		throw badRequest('User already muted');
	}

	const sql = 'INSERT INTO muted_users (user_id, muted_id, timestamp) VALUES (?, ?, ?)';
	store.run(sql, caller.id, mutedId, clock.seconds());
	publish(services, caller);
}

export function unmuteUser(services: Services, caller: Account, mutedId: number): void {
	const {store} = services;
	checkTarget(store, mutedId);
	if (!isMutedUser(store, caller, mutedId)) {
		throw badRequest('User is not muted');
	}

	store.run('DELETE FROM muted_users WHERE user_id = ? AND muted_id = ?', caller.id, mutedId);
	publish(services, caller);
}

/** Whether a person has muted an account. */
export function isMutedUser(store: Store, {id}: Pick<Account, 'id'>, mutedId: number): boolean {
	const sql = 'SELECT 1 AS found FROM muted_users WHERE user_id = ? AND muted_id = ?';
	return store.get(sql, id, mutedId) !== undefined;
}

function checkTarget(store: Store, mutedId: number): void {
	if (!findAccount(store, mutedId)) {
		throw badRequest('No such user');
	}
}

function publish({store, queues}: Services, caller: Account): void {
	queues.publishTo(caller.id, {type: 'muted_users', muted_users: listMutedUsers(store, caller)});
}
