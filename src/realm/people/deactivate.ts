// Deactivates people, after the bots that they own, and reactivates them (service-facts.md 6.10).

import {badRequest, RealmError} from '../errors.js';
import {publishMemberships} from '../groups/publish.js';
import {sendMessage} from '../messages/send.js';
import {organization} from '../organization.js';
import type {Services} from '../services.js';
import {type Account, findAccount, findNotificationBot, isBot, isOnlyOwner, listAccounts, Role} from './accounts.js';
import {publishBotChange} from './bots/publish-bot.js';
import {deleteLeftovers, type Leftovers} from './delete.js';
import {directGroupIds} from './groups.js';
import {publishAvatar} from './publish-account.js';
import {checkMayAdminister} from './update.js';

export interface Deactivation {
	/** A comment for the person. Without one, they get no message. */
	readonly comment: string | undefined;
	/** What to delete of the person and their bots. */
	readonly leftovers: Leftovers | undefined;
}

export function deactivateAccount(
	services: Services,
	caller: Account,
	{id, comment, leftovers}: Deactivation & {readonly id: number},
): void {
	const {store} = services;
	const target = findAccount(store, id);
	if (!target || isBot(target)) {
		throw badRequest('No such user');
	}

	if (!target.is_active) {
		throw badRequest('User is deactivated');
	}

	checkMayAdminister(caller, target);
	if (target.role === Role.owner) {
		if (caller.role !== Role.owner) {
			throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
		}

		if (isOnlyOwner(store, target)) {
			throw badRequest('Cannot deactivate the only organization owner');
		}
	}

	store.transaction(() => {
		retireWithBots(services, target, leftovers);
		if (comment !== undefined) {
			sendNotice(services, {caller, target, comment});
		}
	});
}

export function deactivateSelf(services: Services, caller: Account): void {
	const {store} = services;
	const locals = listAccounts(store).filter(account => account.is_active && !account.is_system_bot);
	if (locals.length === 1) {
		throw lastUser('user');
	}

	if (isOnlyOwner(store, caller)) {
		throw lastUser('organization owner');
	}

	store.transaction(() => retireWithBots(services, caller, undefined));
}

export function reactivateAccount(services: Services, caller: Account, id: number): void {
	const {store} = services;
	const target = findAccount(store, id);
	if (!target || target.is_system_bot) {
		throw badRequest('No such user');
	}

	checkMayAdminister(caller, target);
	const isTaken = listAccounts(store).some(({is_active, full_name}) => is_active && full_name === target.full_name);
	if (isBot(target) && isTaken) {
		throw badRequest(
			`There is already an active bot named "${target.full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
		);
	}

	if (!target.is_active) {
		store.transaction(() => {
			store.run('UPDATE accounts SET is_active = 1, is_deleted = 0 WHERE id = ?', id);
			publishActivity(services, target, true);
			if (target.is_deleted) {
				publishAvatar(services, {...target, is_deleted: 0});
			}

			publishMemberships(services, id, {before: [], after: directGroupIds(store, target)});
			publishBotChange(services, target);
		});
	}
}

/** Does nothing if the account is already active. */
export function retireBot(services: Services, bot: Account): void {
	if (bot.is_active) {
		services.store.transaction(() => {
			retire(services, bot);
			publishBotChange(services, bot);
		});
	}
}

function lastUser(entity: 'user' | 'organization owner'): RealmError {
	return new RealmError(`Cannot deactivate the only ${entity}.`, 'CANNOT_DEACTIVATE_LAST_USER', 400, {
		is_last_owner: entity === 'organization owner',
		entity,
	});
}

function retireWithBots(services: Services, person: Account, leftovers: Leftovers | undefined): void {
	const bots = listAccounts(services.store).filter(account => account.is_active && account.bot_owner_id === person.id);
	for (const account of [...bots, person]) {
		retire(services, account);
		if (leftovers) {
			deleteLeftovers(services, account, leftovers);
		}

		publishBotChange(services, account);
	}
}

function retire(services: Services, account: Account): void {
	const {store} = services;
	store.run('UPDATE accounts SET is_active = 0 WHERE id = ?', account.id);
	publishActivity(services, account, false);
	publishMemberships(services, account.id, {before: directGroupIds(store, account), after: []});
}

function publishActivity({store, queues}: Services, {id}: Account, isActive: boolean): void {
	const person = {user_id: id, is_active: isActive};
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
}

/** Leaves a direct message for the person; the service would send an email. The comment is quoted, so it mentions nobody. */
function sendNotice(
	services: Services,
	{caller, target, comment}: {readonly caller: Account; readonly target: Account; readonly comment: string},
): void {
	const sender = findNotificationBot(services.store);
	if (!sender) {
		return;
	}

	const notice = `Your account in ${organization(services.store).name} was deactivated by @_**${caller.full_name}|${caller.id}**.`;
	const quote = comment === '' ? [] : ['', ...comment.split(/\r\n?|\n/).map(line => `> ${line}`)];
	sendMessage(services, {
		sender,
		client: 'Internal',
		destination: {kind: 'direct', accounts: [target]},
		content: [notice, ...quote].join('\n'),
	});
}
