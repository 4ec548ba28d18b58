// Creates an account for a new person, with the organization's defaults.

import {listChannels} from '../channels/channels.js';
import {addSubscribers} from '../channels/subscribers.js';
import {badRequest} from '../errors.js';
import {publishMemberships} from '../groups/publish.js';
import {endInvites} from '../invites/invites.js';
import type {Services} from '../services.js';
import {type Account, createAccount, findAccount, findAccountByEmail, Role} from './accounts.js';
import {isEmail} from './email.js';
import {directGroupIds} from './groups.js';
import {checkName} from './name.js';
import {publishNewAccount} from './publish-account.js';

/** Returns the new account's ID. */
export function createPerson(
	services: Services,
	caller: Account,
	{email, name}: {readonly email: string; readonly name: string},
): number {
	const {store, clock} = services;
	if (!caller.can_create_users) {
		throw badRequest('User not authorized to create users');
	}

	checkName(name);
	if (!isEmail(email)) {
		throw badRequest('Bad name or username');
	}

	if (findAccountByEmail(store, email)) {
		throw badRequest(`Email '${email}' already in use`);
	}

	return store.transaction(() => {
		const id = createAccount(store, {email, full_name: name, role: Role.member, date_joined: clock.seconds()});
		endInvites(store, email);
		welcome(services, id);
		return id;
	});
}

/** Publishes the new account, and subscribes it to the default channels. */
function welcome(services: Services, id: number): void {
	const {store} = services;
	const account = findAccount(store, id);
	if (!account) {
		throw new Error(`Expected the account ${id} that was just made, found none`);
	}

	publishNewAccount(services, account);
	publishMemberships(services, id, {before: [], after: directGroupIds(store, account)});
	for (const channel of listChannels(store).filter(each => each.is_default && !each.is_archived)) {
		addSubscribers(services, channel, [account]);
	}
}
