// Publishes events about channels and their subscribers (service-facts.md 3.3).

import {listAccounts} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {maySeeChannel} from './access.js';
import {type ChannelRow, findChannel, isSubscribed} from './channels.js';
import {presentChannel} from './present.js';
import {presentSubscription} from './present-subscription.js';

/** IDs of the accounts that may know of a channel. */
export function viewerIds(store: Store, channelId: number): Set<number> {
	const channel = findChannel(store, channelId);
	const accounts = channel ? listAccounts(store).filter(account => maySeeChannel(store, account, channel)) : [];
	return new Set(accounts.map(account => account.id));
}

/** Publishes one change to everybody who sees the channel. Older clients do not see archived channels. */
export function publishChannel(
	{store, queues}: Services,
	channelId: number,
	change: {
		readonly name: string;
		readonly property: string;
		readonly value: unknown;
		readonly [field: string]: unknown;
	},
): void {
	const viewers = viewerIds(store, channelId);
	const isGone = findChannel(store, channelId)?.is_archived === 1;
	const event = {op: 'update', stream_id: channelId, ...change};
	store.afterCommit(() =>
		queues.publishEach('stream', ({options}) =>
			viewers.has(options.userId) && (options.archivedChannels || !isGone) ? event : undefined,
		),
	);
}

/** Queues that do not know archived channels get a deletion or a creation instead. */
export function publishArchiving(services: Services, channelId: number): void {
	const {store, queues} = services;
	const viewers = viewerIds(store, channelId);
	const channel = findChannel(store, channelId);
	if (!channel) {
		return;
	}

	const isOver = channel.is_archived === 1;
	const changed = {op: 'update', stream_id: channelId, name: channel.name, property: 'is_archived', value: isOver};
	store.afterCommit(() => {
		const other = isOver ? departure(services, channel) : {op: 'create', streams: [presentChannel(services, channel)]};
		queues.publishEach('stream', ({options}) => {
			const isKnown = options.archivedChannels && services.featureLevel >= FIRST_LEVEL_THAT_CHANGES_ARCHIVED;
			const event = isKnown ? changed : other;
			return viewers.has(options.userId) ? event : undefined;
		});
		queues.publishEach('subscription', ({options: {userId, archivedChannels}}) =>
			isOver || archivedChannels || !isSubscribed(store, userId, channelId)
				? undefined
				: subscriptionEvent(services, userId, channel),
		);
	});
}

/** Publishes the channel to accounts that see it only now. `before` has those that saw it until now. */
export function publishArrivals(services: Services, channelId: number, before: ReadonlySet<number>): void {
	const {store, queues} = services;
	const newcomers = new Set([...viewerIds(store, channelId)].filter(id => !before.has(id)));
	store.afterCommit(() => {
		const channel = findChannel(store, channelId);
		if (!channel || newcomers.size === 0) {
			return;
		}

		const event = {op: 'create', streams: [presentChannel(services, channel)]};
		queues.publishEach('stream', ({options}) =>
			newcomers.has(options.userId) && (options.archivedChannels || !channel.is_archived) ? event : undefined,
		);
	});
}

export function publishDepartures(services: Services, channelId: number, before: ReadonlySet<number>): void {
	const {store, queues} = services;
	const viewers = viewerIds(store, channelId);
	const channel = findChannel(store, channelId);
	store.afterCommit(() =>
		queues.publishEach('stream', ({options: {userId}}) =>
			channel && before.has(userId) && !viewers.has(userId) ? departure(services, channel) : undefined,
		),
	);
}

/** From this level on, deletions contain IDs. */
const FIRST_LEVEL_WITH_IDS = 343;

/** Before this level, an archived channel was deleted for every client. */
const FIRST_LEVEL_THAT_CHANGES_ARCHIVED = 378;

function departure(services: Services, channel: ChannelRow) {
	return services.featureLevel < FIRST_LEVEL_WITH_IDS
		? {op: 'delete', streams: [presentChannel(services, channel)]}
		: {op: 'delete', stream_ids: [channel.id], streams: [{stream_id: channel.id}]};
}

function subscriptionEvent(services: Services, userId: number, channel: ChannelRow) {
	return {op: 'add', subscriptions: [presentSubscription(services, {userId, channel, includeSubscribers: true})]};
}

/** New subscribers get their subscription; everybody else who sees the channel gets the subscribers' IDs. */
export function publishSubscribers(services: Services, channelId: number, userIds: readonly number[]): void {
	const {store, queues} = services;
	store.afterCommit(() => {
		const channel = findChannel(store, channelId);
		if (!channel) {
			return;
		}

		queues.publishEach('subscription', ({options: {userId}}) =>
			userIds.includes(userId) ? subscriptionEvent(services, userId, channel) : undefined,
		);
	});
	publishToPeers(services, 'peer_add', {channelId, userIds});
}

export function publishUnsubscribed(services: Services, channelId: number, userIds: readonly number[]): void {
	const {store, queues} = services;
	const subscriptions = [{stream_id: channelId, name: findChannel(store, channelId)?.name}];
	store.afterCommit(() =>
		queues.publishEach('subscription', ({options}) =>
			userIds.includes(options.userId) ? {op: 'remove', subscriptions} : undefined,
		),
	);
	publishToPeers(services, 'peer_remove', {channelId, userIds});
}

function publishToPeers(
	{store, queues}: Services,
	op: 'peer_add' | 'peer_remove',
	{channelId, userIds}: {readonly channelId: number; readonly userIds: readonly number[]},
): void {
	const viewers = viewerIds(store, channelId);
	const event = {op, stream_ids: [channelId], user_ids: userIds};
	store.afterCommit(() =>
		queues.publishEach('subscription', ({options: {userId}}) =>
			viewers.has(userId) && !userIds.includes(userId) ? event : undefined,
		),
	);
}
