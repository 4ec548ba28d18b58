// Changes an account's email address (spec.md, operation 10; service-facts.md 6.11).

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import {type Account, findAccountByEmail, Role} from './accounts.js';
import {addressOf} from './addresses.js';
import {publishAddress} from './publish-account.js';

export function checkMayChangeEmails(caller: Account): void {
	if (caller.role !== Role.owner || !caller.can_change_user_emails) {
		throw badRequest('User not authorized to change user emails');
	}
}

export function changeEmail(services: Services, target: Account, email: string): void {
	const {store} = services;
	if (email === target.email) {
		return;
	}

	if (!isEmail(email)) {
		throw badRequest('Invalid new email address.');
	}

	const owner = findAccountByEmail(store, email);
	if (owner && owner.id !== target.id) {
		throw badRequest('New email value error: Already has an account.');
	}

	store.run('UPDATE accounts SET email = ? WHERE id = ?', email, target.id);
	publishAddress(services, {before: addressOf(store, target), after: addressOf(store, {...target, email})});
}

export function isEmail(text: string): boolean {
	return /^[^\s@:]+@[^\s@:]+\.[^\s@:.]{2,}$/.test(text);
}
