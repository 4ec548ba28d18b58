// A channel with one subscriber's settings for it (service-facts.md 3.3, "subscription / add").

import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, subscriberIds} from './channels.js';
import {presentChannel} from './present.js';

/** Whether a notification is wanted. Null: the account's own settings decide. */
export const notifications = [
	'desktop_notifications',
	'audible_notifications',
	'push_notifications',
	'email_notifications',
	'wildcard_mentions_notify',
] as const;
type Notification = (typeof notifications)[number];

type SubscriptionRow = {readonly color: string; readonly is_muted: 0 | 1; readonly pin_to_top: 0 | 1} & {
	readonly [N in Notification]: 0 | 1 | null;
};

export function presentSubscription(
	services: Pick<Services, 'store' | 'clock'>,
	{
		userId,
		channel,
		includeSubscribers,
	}: {readonly userId: number; readonly channel: ChannelRow; readonly includeSubscribers: boolean},
) {
	const {store} = services;
	const row = store.get<SubscriptionRow>(
		'SELECT * FROM all_subscriptions WHERE user_id = ? AND channel_id = ?',
		userId,
		channel.id,
	);
	if (!row) {
		throw new Error(`Expected account ${userId} to be subscribed to channel ${channel.id}, or once to have been`);
	}

	const wants = (name: Notification) => (row[name] === null ? null : row[name] === 1);

	return {
		...presentChannel(services, channel),
		color: row.color,
		is_muted: row.is_muted === 1,
		in_home_view: row.is_muted !== 1,
		pin_to_top: row.pin_to_top === 1,
		...Object.fromEntries(notifications.map(name => [name, wants(name)])),
		...subscribersField(store, {channel, includeSubscribers}),
	};
}

export function subscribersField(
	store: Store,
	{channel, includeSubscribers}: {readonly channel: ChannelRow; readonly includeSubscribers: boolean},
): {subscribers?: number[]} {
	return includeSubscribers ? {subscribers: subscriberIds(store, channel.id)} : {};
}
