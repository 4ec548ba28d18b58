// The initial state of a new event queue (service-facts.md 3.1).

import {listChannels} from '../channels/channels.js';
import {newestDrafts} from '../drafts/drafts.js';
import {presentGroup} from '../groups/present.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';
import {listPlaygrounds} from '../linkifiers/playgrounds.js';
import {stopWords} from '../messages/narrow/search.js';
import {maxReceivedId} from '../messages/rows.js';
import {type Account, avatarUrl, isAdministrator, isGuest, listAccounts, Role} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import {listAlertWords} from '../people/alert-words.js';
import {knownBots} from '../people/bots/publish-bot.js';
import {listGroups} from '../people/groups.js';
import {listMutedUsers} from '../people/muted-users.js';
import {notificationSounds} from '../people/notification-sounds.js';
import {readLanguage} from '../people/own-profile.js';
import {readPresences} from '../people/presence.js';
import {presentUser} from '../people/present.js';
import {listSavedSnippets} from '../people/saved-snippets.js';
import {readDefault, readSetting, type SettingName, settingNames} from '../people/settings.js';
import {readStatuses} from '../people/status.js';
import {fieldTypes, presentFields} from '../profile/fields.js';
import {presentCustomEmoji} from '../reactions/change-custom-emoji.js';
import {listScheduledMessages} from '../scheduled/scheduled-messages.js';
import type {Services} from '../services.js';
import {listMutedTopics, listUserTopics} from '../topics/user-topics.js';
import {streamState, subscriptionState} from './channel-state.js';
import {recentConversations, starredMessages, unreadMessages} from './personal-state.js';
import {realmState} from './realm-state.js';

export interface StateRequest {
	readonly caller: Account;
	/** Absent: all types. */
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
	/** Whether the client knows that null means the account's own settings. */
	readonly settingsNull: boolean;
	/** Whether the client knows `user_settings`. */
	readonly settingsObject: boolean;
	/** Whether the client reads the URL templates of linkifiers. */
	readonly linkifierTemplates: boolean;
}

type Fields = Record<string, unknown>;

export function initialState(services: Services, request: StateRequest): Fields {
	const parts = Object.entries(states).filter(([type]) => request.types?.includes(type) ?? true);
	return Object.assign({}, ...parts.map(([, read]) => read(services, request)));
}

const states: Readonly<Record<string, (services: Services, request: StateRequest) => Fields>> = {
	stop_words: () => ({stop_words: stopWords}),
	alert_words: ({store}, {caller}) => ({alert_words: listAlertWords(store, caller)}),
	custom_profile_fields: ({store}) => ({
		custom_profile_fields: presentFields(store),
		custom_profile_field_types: fieldTypes,
	}),
	drafts: ({store}, {caller}) => ({drafts: newestDrafts(store, caller)}),
	message: ({store}, {caller}) => ({max_message_id: maxReceivedId(store, caller)}),
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
		user_settings: {
			...settingsState(services, name => readSetting(services.store, caller, name)),
			timezone: caller.timezone,
			default_language: readLanguage(services.store, caller),
		},
	}),
	realm_user_settings_defaults: services => ({
		realm_user_settings_defaults: settingsState(services, name => readDefault(services.store, name)),
	}),
	default_streams: ({store}) => ({
		realm_default_streams: listChannels(store).flatMap(({id, is_default, is_archived}) =>
			is_default && !is_archived ? [id] : [],
		),
	}),
	default_stream_groups: () => ({realm_default_stream_groups: []}),
	giphy: () => ({giphy_api_key: ''}),
	muted_users: ({store}, {caller}) => ({muted_users: listMutedUsers(store, caller)}),
	realm_embedded_bots: () => ({realm_embedded_bots: []}),
	realm_emoji: ({store}) => ({realm_emoji: presentCustomEmoji(store)}),
	realm_filters: () => ({realm_filters: []}),
	realm_incoming_webhook_bots: () => ({realm_incoming_webhook_bots: []}),
	realm_playgrounds: ({store}) => ({realm_playgrounds: listPlaygrounds(store)}),
	recent_private_conversations: ({store}, {caller}) => ({
		recent_private_conversations: recentConversations(store, caller),
	}),
	saved_snippets: ({store}, {caller}) => ({saved_snippets: listSavedSnippets(store, caller)}),
	starred_messages: ({store}, {caller}) => ({starred_messages: starredMessages(store, caller)}),
	update_display_settings: (services, request) => (request.settingsObject ? {} : displaySettings(services, request)),
	update_global_notifications: (services, request) =>
		request.settingsObject ? {} : notificationSettings(services, request),
	update_message_flags: ({store}, request) =>
		(request.types?.includes('message') ?? true) ? {unread_msgs: unreadMessages(store, request.caller, request)} : {},
	video_calls: () => ({has_zoom_token: false}),
	muted_topics: ({store}, request) => ({muted_topics: listMutedTopics(store, request.caller.id)}),
	user_topic: ({store}, request) => ({user_topics: listUserTopics(store, request.caller.id, request)}),
};

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
	return {
		...Object.fromEntries(values),
		...retired,
		emojiset_choices: emojisets,
		available_notification_sounds: notificationSounds,
	};
}

const emojisets = [
	{key: 'google', text: 'Google'},
	{key: 'twitter', text: 'Twitter'},
	{key: 'text', text: 'Plain text'},
	{key: 'google-blob', text: 'Google blobs'},
];

/** Settings that have no effect here. Clients of these levels read them. */
const retired = {
	dense_mode: false,
	enable_login_emails: true,
	enable_marketing_emails: true,
	allow_private_data_export: false,
};

const displayed: readonly SettingName[] = [
	'color_scheme',
	'web_home_view',
	'demote_inactive_streams',
	'emojiset',
	'enable_drafts_synchronization',
	'enter_sends',
	'fluid_layout_width',
	'high_contrast_mode',
	'left_side_userlist',
	'starred_message_counts',
	'translate_emoticons',
	'twenty_four_hour_time',
];

const notifying: readonly SettingName[] = [
	'desktop_icon_count_display',
	'email_notifications_batching_period_seconds',
	'enable_desktop_notifications',
	'enable_digest_emails',
	'enable_offline_email_notifications',
	'enable_offline_push_notifications',
	'enable_online_push_notifications',
	'enable_sounds',
	'enable_stream_audible_notifications',
	'enable_stream_desktop_notifications',
	'enable_stream_email_notifications',
	'enable_stream_push_notifications',
	'message_content_in_email_notifications',
	'notification_sound',
	'pm_content_in_desktop_notifications',
	'presence_enabled',
	'realm_name_in_email_notifications_policy',
	'wildcard_mentions_notify',
];

/** For clients that do not know `user_settings`. */
function displaySettings({store}: Services, {caller}: StateRequest): Fields {
	return {
		...Object.fromEntries(displayed.map(name => [name, readSetting(store, caller, name)])),
		default_language: readLanguage(store, caller),
		timezone: caller.timezone,
		dense_mode: retired.dense_mode,
		emojiset_choices: emojisets,
	};
}

function notificationSettings({store}: Services, {caller}: StateRequest): Fields {
	return {
		...Object.fromEntries(notifying.map(name => [name, readSetting(store, caller, name)])),
		enable_login_emails: retired.enable_login_emails,
		enable_marketing_emails: retired.enable_marketing_emails,
		available_notification_sounds: notificationSounds,
	};
}

function userState(services: Services, {caller, clientGravatar}: StateRequest): Fields {
	const {store} = services;
	const accounts = listAccounts(store);
	const present = (account: Account) =>
		presentUser(services, account, {viewer: caller, clientGravatar, withProfile: true});
	const locals = accounts.filter(account => !account.is_system_bot);
	// Active and deactivated people are in different lists, so the field is omitted.
	const presentWithoutState = (account: Account) => {
		const {is_active: _, ...fields} = present(account);
		return fields;
	};
	const picture = avatarUrl({...caller, email: shownEmail(store, caller)}, {clientGravatar: false});
	const isMember = !isGuest(caller);

	return {
		realm_users: locals.filter(account => account.is_active).map(presentWithoutState),
		realm_non_active_users: locals.filter(account => !account.is_active).map(presentWithoutState),
		cross_realm_bots: accounts.filter(account => account.is_system_bot).map(present),
		user_id: caller.id,
		email: shownEmail(store, caller),
		delivery_email: caller.email,
		full_name: caller.full_name,
		avatar_url: picture,
		avatar_url_medium: picture,
		avatar_source: 'G',
		is_admin: isAdministrator(caller),
		is_owner: caller.role === Role.owner,
		is_guest: isGuest(caller),
		is_moderator: caller.role <= Role.moderator,
		is_billing_admin: false,
		can_create_streams: isMember,
		can_create_public_streams: isMember,
		can_create_private_streams: isMember,
		can_create_web_public_streams: caller.role === Role.owner,
		can_subscribe_other_users: isMember,
		can_invite_others_to_realm: isMember,
	};
}

function groupState({store}: Services, {deactivatedGroups}: StateRequest): Fields {
	const groups = listGroups(store).filter(group => deactivatedGroups || !group.deactivated);
	return {realm_user_groups: groups.map(group => presentGroup(store, group))};
}
