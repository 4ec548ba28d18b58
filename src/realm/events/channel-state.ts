// Channels and subscriptions in the initial state of an event queue.

import {maySeeChannel} from '../channels/access.js';
import {type ChannelRow, isSubscribed, listChannels, wasSubscribed} from '../channels/channels.js';
import {presentChannel} from '../channels/present.js';
import {presentSubscription, subscribersField} from '../channels/present-subscription.js';
import type {Account} from '../people/accounts.js';
import {readSetting} from '../people/settings.js';
import type {Services} from '../services.js';

export interface SubscriptionRequest {
	readonly caller: Account;
	readonly includeSubscribers: boolean;
	readonly archivedChannels: boolean;
	/** Whether the client knows that null means the user's own settings. */
	readonly settingsNull?: boolean;
}

type Fields = Record<string, unknown>;

export function streamState(services: Services, request: SubscriptionRequest): Fields {
	const channels = withoutOver(services, visibleChannels(services, request));
	return {streams: channels.map(channel => presentChannel(services, channel))};
}

export function subscriptionState(services: Services, request: SubscriptionRequest): Fields {
	const {store} = services;
	const {caller} = request;
	const others = visibleChannels(services, request).filter(channel => !isSubscribed(store, caller.id, channel.id));
	const isFormer = (channel: ChannelRow) => wasSubscribed(store, caller.id, channel.id);

	return {
		subscriptions: ownSubscriptions(services, request),
		unsubscribed: others
			.filter(isFormer)
			.map(channel => presentSubscription(services, {userId: caller.id, channel, ...request})),
		never_subscribed: withoutOver(services, others)
			.filter(channel => !isFormer(channel))
			.map(channel => ({...presentChannel(services, channel), ...subscribersField(store, {channel, ...request})})),
	};
}

/** On older servers, users see only the archived channels that they are subscribed to. */
const FIRST_LEVEL_WITH_ALL_ARCHIVED = 340;

function withoutOver({featureLevel}: Services, channels: readonly ChannelRow[]): ChannelRow[] {
	return channels.filter(channel => featureLevel >= FIRST_LEVEL_WITH_ALL_ARCHIVED || !channel.is_archived);
}

/** Channels that the caller is subscribed to, with their own settings. */
export function ownSubscriptions(services: Services, request: SubscriptionRequest) {
	return visibleChannels(services, request)
		.filter(channel => isSubscribed(services.store, request.caller.id, channel.id))
		.map(channel => presentSubscription(services, {userId: request.caller.id, channel, ...request}))
		.map(subscription =>
			request.settingsNull === false ? withOwnSettings(services, request, subscription) : subscription,
		);
}

/** Fills settings that the subscription does not have with the user's own settings. */
function withOwnSettings<S extends object>({store}: Services, {caller}: SubscriptionRequest, subscription: S): S {
	const usual: Fields = {
		desktop_notifications: readSetting(store, caller, 'enable_stream_desktop_notifications'),
		audible_notifications: readSetting(store, caller, 'enable_stream_audible_notifications'),
		push_notifications: readSetting(store, caller, 'enable_stream_push_notifications'),
		email_notifications: readSetting(store, caller, 'enable_stream_email_notifications'),
	};
	const filled = Object.entries(subscription).map(([name, value]) => [name, value ?? usual[name] ?? value]);
	// Only null values changed.
	return Object.fromEntries(filled) as S;
}

function visibleChannels(
	{store}: Services,
	{caller, archivedChannels}: Pick<SubscriptionRequest, 'caller' | 'archivedChannels'>,
): ChannelRow[] {
	return listChannels(store).filter(
		channel => (archivedChannels || !channel.is_archived) && maySeeChannel(store, caller, channel),
	);
}
