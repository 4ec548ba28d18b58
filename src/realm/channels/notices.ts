// Posts notices about channels as the organization's notification bot (service-facts.md 7.14).

import type {GroupSetting} from '../../api/index.js';
import {sendMessage} from '../messages/send.js';
import {type Account, findAccount, findNotificationBot} from '../people/accounts.js';
import {findGroup} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, listChannels} from './channels.js';

/** A mention that does not notify the person. */
export function silentMention({full_name, id}: Account): string {
	return `@_**${full_name}|${id}**`;
}

/** New channels are announced in the first channel that everybody joins. */
export function announceChannel(services: Services, caller: Account, name: string): void {
	const [place] = listChannels(services.store)
		.filter(channel => channel.is_default && channel.name !== name)
		.sort((one, other) => one.id - other.id);
	if (place) {
		say(services, place, {
			topic: 'new channels',
			content: `${silentMention(caller)} created a new channel #**${name}**.`,
		});
	}
}

/** The message counts as read for the creator. */
export function noticeCreation(services: Services, caller: Account, channel: ChannelRow): void {
	const content = `**${privacyOf(channel)}** channel created by ${silentMention(caller)}. **Description:**\n${quote(channel.description)}`;
	say(services, channel, {content, isReadBy: id => id === caller.id});
}

export function noticeDescription(services: Services, caller: Account, before: ChannelRow, description: string): void {
	const [old, now] = [quote(before.description), quote(description)];
	const content = `${silentMention(caller)} changed the description for this channel.\n\n* **Old description:**\n${old}\n* **New description:**\n${now}`;
	say(services, before, {content});
}

export function noticeRenaming(services: Services, caller: Account, before: ChannelRow, name: string): void {
	say(services, before, {
		content: `${silentMention(caller)} renamed channel **${before.name}** to **${name}**.`,
	});
}

export function noticePrivacy(services: Services, caller: Account, before: ChannelRow, after: ChannelRow): void {
	say(services, after, {
		content: `${silentMention(caller)} changed the [access permissions](/help/channel-permissions) for this channel from **${privacyOf(before)}** to **${privacyOf(after)}**.`,
	});
}

export function noticePosting(
	services: Services,
	{caller, channel, before, after}: Change & {readonly before: GroupSetting; readonly after: GroupSetting},
): void {
	const [old, now] = [before, after].map(value => namedIn(services.store, value));
	say(services, channel, {
		content: `${silentMention(caller)} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n* **Old**: ${old}\n* **New**: ${now}`,
	});
}

export function noticeRetention(
	services: Services,
	{caller, channel, before, after}: Change & {readonly before: number | null; readonly after: number | null},
): void {
	// The organization's default is to keep all messages.
	const isForever = (days: number | null) => days === null || days < 0;
	const period = (days: number | null) => (isForever(days) ? 'Forever' : `${days} days`);
	const consequence = isForever(after) ? 'retained forever' : `automatically deleted ${after} days after they are sent`;
	say(services, channel, {
		content: `${silentMention(caller)} has changed the [message retention period](/help/message-retention-policy) for this channel:\n* **Old retention period**: ${period(before)}\n* **New retention period**: ${period(after)}\n\nMessages in this channel will now be ${consequence}.`,
	});
}

export function noticeArchiving(services: Services, channel: ChannelRow): void {
	say(services, channel, {content: `Channel ${channel.name} has been archived.`});
}

/** Notifies a person that somebody else has subscribed them. */
export function noticeSubscription(
	services: Services,
	caller: Account,
	{person, names}: {readonly person: Account; readonly names: readonly string[]},
): void {
	const sender = findNotificationBot(services.store);
	const [first] = names;
	if (!sender || first === undefined) {
		return;
	}

	const content =
		names.length === 1
			? `${silentMention(caller)} subscribed you to the channel #**${first}**.`
			: `${silentMention(caller)} subscribed you to the following channels:\n\n${names.map(name => `* #**${name}**\n`).join('')}`;
	sendMessage(services, {sender, client: 'Internal', destination: {kind: 'direct', accounts: [person]}, content});
}

interface Change {
	readonly caller: Account;
	readonly channel: ChannelRow;
}

function privacyOf({is_web_public, invite_only, history_public_to_subscribers}: ChannelRow): string {
	if (is_web_public) {
		return 'Web-public';
	}

	return invite_only ? `Private, ${history_public_to_subscribers ? 'shared' : 'protected'} history` : 'Public';
}

function quote(text: string): string {
	return `\`\`\`\` quote\n${text || '*No description.*'}\n\`\`\`\``;
}

/** The people and groups that a permission names. */
function namedIn(store: Store, value: GroupSetting): string {
	const {direct_members, direct_subgroups} =
		typeof value === 'number' ? {direct_members: [], direct_subgroups: [value]} : value;
	const people = direct_members.flatMap(id => findAccount(store, id) ?? []).map(silentMention);
	const groups = direct_subgroups.flatMap(id => findGroup(store, id) ?? []).map(({name}) => `@_*${name}*`);
	return [...people, ...groups].join(', ');
}

/** In a channel without topics, the notice has no topic either. */
function say(
	services: Services,
	channel: ChannelRow,
	{
		topic: wanted = 'channel events',
		content,
		isReadBy,
	}: {readonly topic?: string; readonly content: string; readonly isReadBy?: (userId: number) => boolean},
): void {
	const sender = findNotificationBot(services.store);
	const topic = channel.topics_policy === 'empty_topic_only' ? '' : wanted;
	if (sender) {
		sendMessage(services, {
			sender,
			client: 'Internal',
			destination: {kind: 'channel', channel: {id: channel.id}, topic},
			content,
			bypassesAccess: true,
			isReadBy,
		});
	}
}
