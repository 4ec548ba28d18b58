// Notifies a bot's owner if the bot writes where nobody reads, at most about once a minute (service-facts.md 7.3).

import {type ChannelRow, subscriberIds} from '../channels/channels.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import {type ChannelReference, findReferenced} from './recipients.js';
import {sendMessage} from './send.js';

const PAUSE_MS = 60_000;

/** When each bot's owner was last notified, by realm. */
const lastTold = new WeakMap<Services, Map<number, number>>();

/** Call it after the bot's own attempt, whose transaction may have been rolled back. */
export function tellOwner(services: Services, bot: Account, to: ChannelReference): void {
	const {store} = services;
	const channel = findReferenced(store, to);
	const owner = bot.bot_owner_id === null ? undefined : findAccount(store, bot.bot_owner_id);
	const notifier = store.get<Account>('SELECT * FROM accounts WHERE is_system_bot = 1 LIMIT 1');
	const isRead = channel && subscriberIds(store, channel.id).length > 0;
	if (isRead || !owner?.is_active || !notifier || wasToldJustNow(services, bot)) {
		return;
	}

	sendMessage(services, {
		sender: notifier,
		client: 'Internal',
		destination: {kind: 'direct', accounts: [owner]},
		content: `Your bot \`${bot.email}\` tried to send a message to ${complaint(to, channel)}`,
	});
}

function complaint(to: ChannelReference, channel: ChannelRow | undefined): string {
	if (channel) {
		return `channel #**${channel.name}**. The channel exists but does not have any subscribers.`;
	}

	return 'id' in to
		? `channel ID ${to.id}, but there is no channel with that ID.`
		: `channel #**${to.name}**, but that channel does not exist.`;
}

function wasToldJustNow(services: Services, bot: Account): boolean {
	const times = lastTold.get(services) ?? new Map<number, number>();
	lastTold.set(services, times);
	const last = times.get(bot.id);
	const now = services.clock.now();
	if (last !== undefined && now - last < PAUSE_MS) {
		return true;
	}

	times.set(bot.id, now);
	return false;
}
