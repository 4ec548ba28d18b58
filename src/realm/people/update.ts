// Changes of accounts by administrators (service-facts.md 6.11). Each is published to everybody.

import type {ProfileValues} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import {publishMemberships} from '../groups/publish.js';
import {setProfileValues} from '../profile/values.js';
import type {Services} from '../services.js';
import {type Account, isAdministrator, isBot, isGuest, isOnlyOwner, Role} from './accounts.js';
import {publishBotChange} from './bots/publish-bot.js';
import {changeEmail, checkMayChangeEmails} from './email.js';
import {directGroupIds} from './groups.js';
import {checkName} from './name.js';

/** Administrators may change everybody, other people only the bots that they own. */
export function checkMayAdminister(caller: Account, target: Account): void {
	const ownsIt = !isBot(caller) && isBot(target) && target.bot_owner_id === caller.id;
	if (!isAdministrator(caller) && !ownsIt) {
		throw badRequest('Insufficient permission');
	}
}

export interface AccountChanges {
	readonly full_name: string | undefined;
	readonly role: number | undefined;
	readonly profile_data: ProfileValues | undefined;
	readonly new_email: string | undefined;
}

/** Makes all changes, or none. */
export function updateAccount(
	services: Services,
	{caller, target, changes}: {caller: Account; target: Account | undefined; changes: AccountChanges},
): void {
	// System bots do not belong to the organization.
	if (!target || target.is_system_bot) {
		throw badRequest('No such user');
	}

	checkMayAdminister(caller, target);
	const {role, full_name: name, profile_data: values, new_email: email} = changes;
	if (email !== undefined) {
		checkMayChangeEmails(caller);
	}

	services.store.transaction(() => {
		if (role !== undefined) {
			changeRole(services, {caller, target, role});
		}

		if (name !== undefined) {
			changeName(services, target, name);
		}

		if (values !== undefined) {
			setProfileValues(services, {caller, target, values});
		}

		if (email !== undefined) {
			changeEmail(services, target, email);
		}

		publishBotChange(services, target);
	});
}

export function changeRole(
	services: Services,
	{caller, target, role}: {caller: Account; target: Account; role: number},
): void {
	const {store, queues} = services;
	if (role === target.role) {
		return;
	}

	if ([role, target.role].includes(Role.owner) && caller.role !== Role.owner) {
		throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
	}

	// The owner may rename a bot, but may not give it rights that the owner lacks.
	if (!isAdministrator(caller)) {
		throw new RealmError('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
	}

	if (isOnlyOwner(store, target)) {
		throw badRequest('The owner permission cannot be removed from the only organization owner.');
	}

	// As in spec.md. Newer servers allow it.
	if (isGuest(target) && role <= Role.administrator) {
		throw badRequest('Guests cannot be organization administrators');
	}

	store.run('UPDATE accounts SET role = ? WHERE id = ?', role, target.id);
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person: {user_id: target.id, role}}));
	publishMemberships(services, target.id, {
		before: directGroupIds(store, target),
		after: directGroupIds(store, {...target, role}),
	});
}

export function changeName({store, queues}: Services, target: Account, wanted: string): void {
	const name = wanted.trim();
	if (name === '' || name === target.full_name) {
		return;
	}

	checkName(name);
	store.run('UPDATE accounts SET full_name = ? WHERE id = ?', name, target.id);
	store.afterCommit(() =>
		queues.publish({type: 'realm_user', op: 'update', person: {user_id: target.id, full_name: name}}),
	);
}
