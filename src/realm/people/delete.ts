// Deletes what an account leaves behind, together with its deactivation (spec.md, operation 13).

import {findChannel} from '../channels/channels.js';
import {removeMessages} from '../messages/delete.js';
import {type MessageRow, messagesFrom} from '../messages/rows.js';
import {removeProfile} from '../profile/values.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';
import {publishAvatar} from './publish-account.js';
import {changeName} from './update.js';

export interface Leftovers {
	readonly profile: boolean;
	readonly publicMessages: boolean;
	readonly privateMessages: boolean;
	readonly directMessages: boolean;
}

export function deleteLeftovers(services: Services, account: Account, leftovers: Leftovers): void {
	for (const messages of messagesByPlace(services.store, account)) {
		const [place] = messages;
		if (place && isDoomed(services.store, place, leftovers)) {
			const ids = messages.map(({id}) => id);
			removeMessages(services, place, ids);
		}
	}

	if (leftovers.profile) {
		deleteProfile(services, account);
	}
}

/** Channel and topic, or the people in a direct conversation. */
function messagesByPlace(store: Store, account: Account): Iterable<MessageRow[]> {
	const places = new Map<string, MessageRow[]>();
	for (const message of messagesFrom(store, account.id)) {
		const key = `${message.recipient_id} ${message.topic_key}`;
		places.set(key, [...(places.get(key) ?? []), message]);
	}

	return places.values();
}

function isDoomed(store: Store, {channel_id: id}: MessageRow, leftovers: Leftovers): boolean {
	if (id === null) {
		return leftovers.directMessages;
	}

	return findChannel(store, id)?.invite_only ? leftovers.privateMessages : leftovers.publicMessages;
}

/** Replaces the profile: a neutral name, no picture, no profile fields. */
function deleteProfile(services: Services, account: Account): void {
	const {store} = services;
	store.run('UPDATE accounts SET is_deleted = 1 WHERE id = ?', account.id);
	changeName(services, account, `Deleted user ${account.id}`);
	publishAvatar(services, {...account, is_deleted: 1});
	removeProfile(services, account);
}
