// Who may see a channel, read it and write in it.

import {badRequest} from '../errors.js';
import {type Account, findAccount, isAdministrator, isGuest} from '../people/accounts.js';
import {isInGroup} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, isSubscribed} from './channels.js';

/** May know that the channel exists. */
export function maySeeChannel(store: Store, account: Account, channel: ChannelRow): boolean {
	return isAdministrator(account) || mayReadChannel(store, account, channel);
}

/** May read messages in it, at least those received. */
export function mayReadChannel(store: Store, account: Account, channel: ChannelRow): boolean {
	if (channel.is_web_public || (!channel.invite_only && !isGuest(account))) {
		return true;
	}

	return isSubscribed(store, account.id, channel.id);
}

/** May read all of its history, also what came before the subscription. */
export function mayReadHistory(store: Store, account: Account, channel: ChannelRow): boolean {
	return channel.history_public_to_subscribers === 1 && mayReadChannel(store, account, channel);
}

/** Refuses whoever may not post (service-facts.md 7.3): the account itself or, for a bot, its owner must be allowed. */
export function checkMayPost(store: Store, sender: Account, channel: ChannelRow): void {
	if (sender.is_system_bot) {
		return;
	}

	const owner = sender.bot_owner_id === null ? undefined : findAccount(store, sender.bot_owner_id);
	const those = owner ? [sender, owner] : [sender];
	if (!those.some(account => isInGroup(store, account, channel.can_send_message_group))) {
		throw badRequest('You do not have permission to post in this channel.');
	}

	if (channel.is_archived || !those.some(account => mayReadChannel(store, account, channel))) {
		throw badRequest(`Not authorized to send to channel '${channel.name}'`);
	}
}

/** Refuses whoever may not open a topic. */
export function checkMayCreateTopic(store: Store, sender: Account, channel: ChannelRow): void {
	if (sender.is_system_bot || isInGroup(store, sender, channel.can_create_topic_group)) {
		return;
	}

	const owner = sender.bot_owner_id === null ? undefined : findAccount(store, sender.bot_owner_id);
	if (!owner || !isInGroup(store, owner, channel.can_create_topic_group)) {
		throw badRequest('You do not have permission to create new topics in this channel.');
	}
}
