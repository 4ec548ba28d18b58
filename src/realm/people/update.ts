// Changes to accounts that administrators make (service-facts.md 6.11), each told to everybody as an event.

import {badRequest, RealmError} from '../errors.js';
import type {Services} from '../services.js';
import {type Account, isAdministrator, isBot, Role} from './accounts.js';

/** Administrators change everybody, people the bots that they own. */
export function checkMayAdminister(caller: Account, target: Account): void {
	const ownsIt = !isBot(caller) && isBot(target) && target.bot_owner_id === caller.id;
	if (!isAdministrator(caller) && !ownsIt) {
		throw badRequest('Insufficient permission');
	}
}

export interface AccountChanges {
	readonly full_name: string | undefined;
	readonly role: number | undefined;
}

/** All or nothing. */
export function updateAccount(
	services: Services,
	{caller, target, changes}: {caller: Account; target: Account | undefined; changes: AccountChanges},
): void {
	if (!target) {
		throw badRequest('No such user');
	}

	checkMayAdminister(caller, target);
	const {role, full_name: name} = changes;
	services.store.transaction(() => {
		if (role !== undefined) {
			changeRole(services, {caller, target, role});
		}

		if (name !== undefined) {
			changeName(services, target, name);
		}
	});
}

function changeRole(
	{store, queues}: Services,
	{caller, target, role}: {caller: Account; target: Account; role: number},
): void {
	if (role === target.role) {
		return;
	}

	if ([role, target.role].includes(Role.owner) && caller.role !== Role.owner) {
		throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
	}

	// The owner of a bot may rename it, but give it no power that the owner lacks.
	if (!isAdministrator(caller)) {
		throw badRequest('Insufficient permission');
	}

	const owners = store.all<Account>(
		'SELECT * FROM accounts WHERE role = ? AND is_active = 1 AND bot_type IS NULL',
		Role.owner,
	);
	if (owners.length === 1 && owners[0]?.id === target.id) {
		throw badRequest('The owner permission cannot be removed from the only organization owner.');
	}

	store.run('UPDATE accounts SET role = ? WHERE id = ?', role, target.id);
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person: {user_id: target.id, role}}));
}

function changeName({store, queues}: Services, target: Account, wanted: string): void {
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

const MAX_NAME_LENGTH = 100;

function checkName(name: string): void {
	if ([...name].length > MAX_NAME_LENGTH) {
		throw badRequest('Name too long!');
	}

	if (/[*`\\>"@\p{C}]/u.test(name)) {
		throw badRequest('Invalid characters in name!');
	}

	// Mentions write `Name|ID` where a name is ambiguous.
	if (/\|\d+$/.test(name)) {
		throw badRequest('Invalid format!');
	}
}
