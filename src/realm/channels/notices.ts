// What the organization's own bot says of channels.

import {sendMessage} from '../messages/send.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import {type ChannelRow, listChannels} from './channels.js';

/** New channels are announced in the first channel that everybody joins. */
export function announceChannel(services: Services, caller: Account, name: string): void {
	const [place] = listChannels(services.store)
		.filter(channel => channel.is_default && channel.name !== name)
		.sort((one, other) => one.id - other.id);
	if (place) {
		const who = `@_**${caller.full_name}|${caller.id}**`;
		say(services, place, {topic: 'new channels', content: `${who} created a new channel #**${name}**.`});
	}
}

export function noticeArchiving(services: Services, channel: ChannelRow): void {
	say(services, channel, {topic: 'channel events', content: `Channel #**${channel.name}** has been archived.`});
}

/** A channel that has no topics gets it without one. */
function say(
	services: Services,
	channel: ChannelRow,
	{topic: wanted, content}: {readonly topic: string; readonly content: string},
): void {
	const row = services.store.get<{id: number}>('SELECT id FROM accounts WHERE is_system_bot = 1 LIMIT 1');
	const sender = row && findAccount(services.store, row.id);
	const topic = channel.topics_policy === 'empty_topic_only' ? '' : wanted;
	if (sender) {
		sendMessage(services, {
			sender,
			client: 'Internal',
			destination: {kind: 'channel', channel: {id: channel.id}, topic},
			content,
			bypassesAccess: true,
		});
	}
}
