// The initial state that comes with a new event queue (service-facts.md 3.1).

import {maySeeChannel} from '../channels/access.js';
import {type ChannelRow, isSubscribed, listChannels, wasSubscribed} from '../channels/channels.js';
import {presentChannel} from '../channels/present.js';
import {presentSubscription, subscribersField} from '../channels/present-subscription.js';
import {newestDrafts} from '../drafts/drafts.js';
import {presentGroup} from '../groups/present.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';
import {maxMessageId} from '../messages/rows.js';
import {EMPTY_TOPIC_DISPLAY_NAME, MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH, organization} from '../organization.js';
import {type Account, isAdministrator, isGuest, listAccounts, Role} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import {listAlertWords} from '../people/alert-words.js';
import {listGroups} from '../people/groups.js';
import {notificationSounds} from '../people/notification-sounds.js';
import {OFFLINE_SECONDS, readPresences} from '../people/presence.js';
import {presentUser} from '../people/present.js';
import {knownBots} from '../people/publish-bot.js';
import {readDefault, readSetting, type SettingName, settingNames} from '../people/settings.js';
import {readStatuses} from '../people/status.js';
import {fieldTypes, presentFields} from '../profile/fields.js';
import {listScheduledMessages} from '../scheduled/scheduled-messages.js';
import type {Services} from '../services.js';
import {listMutedTopics, listUserTopics} from '../topics/user-topics.js';
import {MAX_UPLOAD_MIB} from '../uploads/limits.js';

export interface StateRequest {
	readonly caller: Account;
	/** Absent: everything. */
	readonly types: readonly string[] | undefined;
	readonly clientGravatar: boolean;
	readonly includeSubscribers: boolean;
	/** Whether the client knows the empty topic. */
	readonly allowEmptyTopicName: boolean;
	/** Presence by user ID. */
	readonly slimPresence: boolean;
	readonly presenceHistoryDays: number;
	readonly deactivatedGroups: boolean;
	readonly archivedChannels: boolean;
	/** Whether the client reads the URL templates of linkifiers. */
	readonly linkifierTemplates: boolean;
}

type Fields = Record<string, unknown>;

export function initialState(services: Services, request: StateRequest): Fields {
	const parts = Object.entries(states).filter(([type]) => request.types?.includes(type) ?? true);
	return Object.assign({}, ...parts.map(([, read]) => read(services, request)));
}

const states: Readonly<Record<string, (services: Services, request: StateRequest) => Fields>> = {
	alert_words: ({store}, {caller}) => ({alert_words: listAlertWords(store, caller)}),
	custom_profile_fields: ({store}) => ({
		custom_profile_fields: presentFields(store),
		custom_profile_field_types: fieldTypes,
	}),
	drafts: ({store}, {caller}) => ({drafts: newestDrafts(store, caller)}),
	message: ({store}) => ({max_message_id: maxMessageId(store)}),
	realm: realmState,
	realm_linkifiers: ({store}, {linkifierTemplates}) => ({
		realm_linkifiers: linkifierTemplates ? listLinkifiers(store) : [],
	}),
	realm_user: userState,
	realm_user_groups: groupState,
	scheduled_messages: ({store}, {caller}) => ({scheduled_messages: listScheduledMessages(store, caller)}),
	user_group: groupState,
	stream: streamState,
	streams: streamState,
	subscription: subscriptionState,
	presence: presenceState,
	realm_bot: ({store}, {caller}) => ({realm_bots: knownBots(store, caller)}),
	user_status: ({store}) => ({user_status: readStatuses(store)}),
	user_settings: (services, {caller}) => ({
		user_settings: settingsState(services, name => readSetting(services.store, caller, name)),
	}),
	realm_user_settings_defaults: services => ({
		realm_user_settings_defaults: settingsState(services, name => readDefault(services.store, name)),
	}),
	muted_topics: ({store}, request) => ({muted_topics: listMutedTopics(store, request.caller.id, request)}),
	user_topic: ({store}, request) => ({user_topics: listUserTopics(store, request.caller.id, request)}),
};

function realmState({store, site, presencePingSeconds, generation}: Services): Fields {
	const {name, description, domain} = organization(store);

	return {
		realm_name: name,
		realm_description: description,
		realm_url: site,
		realm_uri: site,
		realm_bot_domain: domain,
		realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
		max_message_length: MAX_MESSAGE_LENGTH,
		max_topic_length: MAX_TOPIC_LENGTH,
		max_stream_name_length: 60,
		max_stream_description_length: 1024,
		max_file_upload_size_mib: MAX_UPLOAD_MIB,
		event_queue_longpoll_timeout_seconds: 90,
		server_presence_ping_interval_seconds: presencePingSeconds,
		server_presence_offline_threshold_seconds: OFFLINE_SECONDS,
		server_typing_started_wait_period_milliseconds: 30_000,
		server_typing_stopped_wait_period_milliseconds: 12_000,
		server_typing_started_expiry_period_milliseconds: 45_000,
		server_generation: generation,
	};
}

function presenceState(services: Services, {slimPresence, presenceHistoryDays}: StateRequest): Fields {
	const found = readPresences(services, {isModern: slimPresence, historyDays: presenceHistoryDays});
	return {
		presences: found.presences,
		presence_last_update_id: found.lastUpdateId,
		server_timestamp: services.clock.now() / 1000,
	};
}

function settingsState({featureLevel}: Services, read: (name: SettingName) => unknown): Fields {
	const values = settingNames(featureLevel).map(name => [name, read(name)]);
	return {...Object.fromEntries(values), available_notification_sounds: notificationSounds};
}

function userState(services: Services, {caller, clientGravatar}: StateRequest): Fields {
	const {store} = services;
	const accounts = listAccounts(store);
	const present = (account: Account) =>
		presentUser(services, account, {viewer: caller, clientGravatar, withProfile: true});
	const locals = accounts.filter(account => !account.is_system_bot);

	return {
		realm_users: locals.filter(account => account.is_active).map(present),
		realm_non_active_users: locals.filter(account => !account.is_active).map(present),
		cross_realm_bots: accounts.filter(account => account.is_system_bot).map(present),
		user_id: caller.id,
		email: shownEmail(store, caller),
		delivery_email: caller.email,
		full_name: caller.full_name,
		avatar_url: present(caller).avatar_url,
		is_admin: isAdministrator(caller),
		is_owner: caller.role === Role.owner,
		is_guest: isGuest(caller),
		is_moderator: caller.role <= Role.moderator,
		can_create_streams: !isGuest(caller),
	};
}

function groupState({store}: Services, {deactivatedGroups}: StateRequest): Fields {
	const groups = listGroups(store).filter(group => deactivatedGroups || !group.deactivated);
	return {realm_user_groups: groups.map(group => presentGroup(store, group))};
}

function streamState(services: Services, request: StateRequest): Fields {
	return {streams: visibleChannels(services, request).map(channel => presentChannel(services, channel))};
}

function subscriptionState(services: Services, request: StateRequest): Fields {
	const {store} = services;
	const {caller} = request;
	const others = visibleChannels(services, request).filter(channel => !isSubscribed(store, caller.id, channel.id));
	const isFormer = (channel: ChannelRow) => wasSubscribed(store, caller.id, channel.id);

	return {
		subscriptions: ownSubscriptions(services, request),
		unsubscribed: others
			.filter(isFormer)
			.map(channel => presentSubscription(services, {userId: caller.id, channel, ...request})),
		never_subscribed: others
			.filter(channel => !isFormer(channel))
			.map(channel => ({...presentChannel(services, channel), ...subscribersField(store, {channel, ...request})})),
	};
}

type SubscriptionRequest = Pick<StateRequest, 'caller' | 'includeSubscribers' | 'archivedChannels'>;

/** Channels that the caller is subscribed to, with what is theirs alone. */
export function ownSubscriptions(services: Services, request: SubscriptionRequest) {
	return visibleChannels(services, request)
		.filter(channel => isSubscribed(services.store, request.caller.id, channel.id))
		.map(channel => presentSubscription(services, {userId: request.caller.id, channel, ...request}));
}

function visibleChannels(
	{store}: Services,
	{caller, archivedChannels}: Pick<StateRequest, 'caller' | 'archivedChannels'>,
): ChannelRow[] {
	return listChannels(store).filter(
		channel => (archivedChannels || !channel.is_archived) && maySeeChannel(store, caller, channel),
	);
}
