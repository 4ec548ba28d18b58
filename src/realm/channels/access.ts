// Who may see a channel, read it and write in it.

import {badRequest} from '../errors.js';
import {type Account, findAccount, isAdministrator, isGuest} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, findChannel, isSubscribed} from './channels.js';
import {type ChannelSettingName, isTrusted} from './settings.js';

/** People who may add subscribers to a private channel, or subscribe themselves, may also read it. */
export const readingSettings: readonly ChannelSettingName[] = ['can_add_subscribers_group', 'can_subscribe_group'];

/** Whether an account may know that the channel exists. */
export function maySeeChannel(store: Store, account: Account, channel: ChannelRow): boolean {
	return mayReadChannel(store, account, channel) || mayAdminister(store, account, channel);
}

/** Whether an account may read messages in it, at least those that it received. */
export function mayReadChannel(store: Store, account: Account, channel: ChannelRow): boolean {
	if (channel.is_web_public || (!channel.invite_only && !isGuest(account))) {
		return true;
	}

	const mayEnter = () => readingSettings.some(name => isTrusted(store, account, channel.id, name));
	return isSubscribed(store, account.id, channel.id) || (!isGuest(account) && mayEnter());
}

/** Whether an account may read its whole history, also from before the subscription. */
export function mayReadHistory(store: Store, account: Account, channel: ChannelRow): boolean {
	return channel.history_public_to_subscribers === 1 && mayReadChannel(store, account, channel);
}

/** Whether an account may change it. Administrators of the organization always may. */
function mayAdminister(store: Store, account: Account, channel: ChannelRow): boolean {
	const isTrustedWithIt = () => isTrusted(store, account, channel.id, 'can_administer_channel_group');
	return isAdministrator(account) || (!isGuest(account) && isTrustedWithIt());
}

/** Finds a channel that the caller may change, archived or not. */
export function channelToAdminister(store: Store, caller: Account, id: number): ChannelRow {
	const channel = findChannel(store, id);
	if (!channel || !maySeeChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return checkMayAdminister(store, caller, channel);
}

/** Finds a channel that the caller may archive. That a public channel exists, guests learn here, too. */
export function channelToArchive(store: Store, caller: Account, id: number): ChannelRow {
	const channel = findChannel(store, id);
	if (!channel || (channel.invite_only && !maySeeChannel(store, caller, channel))) {
		throw badRequest('Invalid channel ID');
	}

	return checkMayAdminister(store, caller, channel);
}

function checkMayAdminister(store: Store, caller: Account, channel: ChannelRow): ChannelRow {
	if (!mayAdminister(store, caller, channel)) {
		throw badRequest('You do not have permission to administer this channel.');
	}

	return channel;
}

/** Throws if the sender may not post (service-facts.md 7.3). For a bot, it is enough if its owner may. */
export function checkMayPost(store: Store, sender: Account, channel: ChannelRow): void {
	if (sender.is_system_bot) {
		return;
	}

	const those = withOwner(store, sender);
	if (!those.some(account => isTrusted(store, account, channel.id, 'can_send_message_group'))) {
		throw badRequest('You do not have permission to post in this channel.');
	}

	if (channel.is_archived || !those.some(account => mayReadChannel(store, account, channel))) {
		throw badRequest(`Not authorized to send to channel '${channel.name}'`);
	}
}

/** Throws if the sender may not start a topic. */
export function checkMayCreateTopic(store: Store, sender: Account, channel: ChannelRow): void {
	const those = withOwner(store, sender);
	const isAllowed = those.some(account => isTrusted(store, account, channel.id, 'can_create_topic_group'));
	if (!sender.is_system_bot && !isAllowed) {
		throw badRequest('You do not have permission to create new topics in this channel.');
	}
}

/** For a bot, the rights of its owner count as well. */
function withOwner(store: Store, account: Account): Account[] {
	const owner = account.bot_owner_id === null ? undefined : findAccount(store, account.bot_owner_id);
	return owner ? [account, owner] : [account];
}
