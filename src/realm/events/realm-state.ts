// The part of the initial state about organization and server. Nearly all of it is fixed here (service-facts.md 3.1).

import {listChannels} from '../channels/channels.js';
import {EMPTY_TOPIC_DISPLAY_NAME, MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH, organization} from '../organization.js';
import {listAccounts} from '../people/accounts.js';
import {type SystemGroup, systemGroupId} from '../people/groups.js';
import {OFFLINE_SECONDS} from '../people/presence.js';
import type {Services} from '../services.js';
import {MAX_UPLOAD_MIB} from '../uploads/limits.js';

const WEEK_SECONDS = 7 * 24 * 3600;

/** How long authors can edit and delete their messages. */
const EDIT_SECONDS = 600;

/** Who may do what in the organization. */
const permissions: Readonly<Record<string, SystemGroup>> = {
	create_multiuse_invite_group: 'role:administrators',
	can_access_all_users_group: 'role:everyone',
	can_add_custom_emoji_group: 'role:members',
	can_create_groups: 'role:members',
	can_create_public_channel_group: 'role:members',
	can_create_private_channel_group: 'role:members',
	can_create_web_public_channel_group: 'role:owners',
	can_delete_any_message_group: 'role:administrators',
	can_delete_own_message_group: 'role:everyone',
	can_invite_users_group: 'role:members',
	can_manage_all_groups: 'role:owners',
	can_move_messages_between_channels_group: 'role:members',
	can_move_messages_between_topics_group: 'role:everyone',
	direct_message_initiator_group: 'role:everyone',
	direct_message_permission_group: 'role:everyone',
};

const methods = ['Dev', 'Email'];

/** Values that no setting changes. */
const fixed = {
	realm_allow_edit_history: true,
	realm_allow_message_editing: true,
	realm_avatar_changes_disabled: false,
	realm_bot_creation_policy: 1,
	realm_default_code_block_language: '',
	realm_default_language: 'en',
	realm_digest_emails_enabled: false,
	realm_digest_weekday: 1,
	realm_disallow_disposable_email_addresses: true,
	realm_email_changes_disabled: false,
	realm_emails_restricted_to_domains: false,
	realm_enable_guest_user_indicator: true,
	realm_enable_read_receipts: true,
	realm_giphy_rating: 2,
	realm_inline_image_preview: true,
	realm_inline_url_embed_preview: false,
	realm_invite_required: false,
	realm_invite_to_stream_policy: 1,
	realm_jitsi_server_url: null,
	realm_mandatory_topics: false,
	realm_message_content_allowed_in_email_notifications: true,
	realm_message_content_edit_limit_seconds: EDIT_SECONDS,
	realm_message_content_delete_limit_seconds: EDIT_SECONDS,
	realm_move_messages_between_streams_limit_seconds: WEEK_SECONDS,
	realm_move_messages_within_stream_limit_seconds: WEEK_SECONDS,
	realm_message_retention_days: -1,
	realm_name_changes_disabled: false,
	realm_push_notifications_enabled: false,
	realm_push_notifications_enabled_end_timestamp: null,
	realm_require_unique_names: false,
	realm_send_welcome_emails: false,
	realm_video_chat_provider: 0,
	realm_waiting_period_threshold: 0,
	realm_want_advertise_in_communities_directory: false,
	realm_wildcard_mention_policy: 5,
	realm_create_public_stream_policy: 1,
	realm_create_private_stream_policy: 1,
	realm_create_web_public_stream_policy: 7,
	realm_authentication_methods: Object.fromEntries(methods.map(name => [name, {enabled: true, available: true}])),
	realm_presence_disabled: false,
	realm_upload_quota_mib: null,
	realm_icon_url: '',
	realm_icon_source: 'G',
	realm_logo_url: '',
	realm_logo_source: 'D',
	realm_night_logo_url: '',
	realm_night_logo_source: 'D',
	realm_available_video_chat_providers: {disabled: {name: 'None', id: 0}},
	realm_email_auth_enabled: true,
	realm_password_auth_enabled: true,
	realm_is_zephyr_mirror_realm: false,
	realm_org_type: 0,
	realm_plan_type: 1,
	realm_default_external_accounts: {},
	realm_moderation_request_channel_id: -1,
	realm_signup_announcements_stream_id: -1,
	realm_zulip_update_announcements_stream_id: -1,
	settings_send_digest_emails: false,
	development_environment: true,
	zulip_plan_is_not_limited: true,
	upgrade_text_for_wide_organization_logo: '',
	password_min_length: 0,
	password_max_length: 100,
	password_min_guesses: 0,
	max_avatar_file_size_mib: 5,
	max_icon_file_size_mib: 5,
	max_logo_file_size_mib: 5,
	server_inline_image_preview: true,
	server_inline_url_embed_preview: false,
	server_thumbnail_formats: [],
	server_avatar_changes_disabled: false,
	server_name_changes_disabled: false,
	server_web_public_streams_enabled: true,
	server_needs_upgrade: false,
	server_jitsi_server_url: null,
	jitsi_server_url: null,
	server_supported_permission_settings: {realm: {}, stream: {}, group: {}},
	server_min_deactivated_realm_deletion_days: 14,
	server_max_deactivated_realm_deletion_days: null,
	giphy_rating_options: {disabled: {name: 'GIPHY integration disabled', id: 0}},
	max_message_length: MAX_MESSAGE_LENGTH,
	max_topic_length: MAX_TOPIC_LENGTH,
	max_stream_name_length: 60,
	max_stream_description_length: 1024,
	max_file_upload_size_mib: MAX_UPLOAD_MIB,
	realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
	event_queue_longpoll_timeout_seconds: 90,
	server_presence_offline_threshold_seconds: OFFLINE_SECONDS,
	server_typing_started_wait_period_milliseconds: 30_000,
	server_typing_stopped_wait_period_milliseconds: 12_000,
	server_typing_started_expiry_period_milliseconds: 45_000,
};

export function realmState({store, site, presencePingSeconds, generation, publicAccess}: Services) {
	const {name, description, domain} = organization(store);
	const [first] = listAccounts(store);
	const [announcements] = listChannels(store).filter(channel => channel.is_default);
	const groups = Object.entries(permissions).map(([key, group]) => [`realm_${key}`, systemGroupId(store, group)]);

	return {
		...fixed,
		...Object.fromEntries(groups),
		realm_name: name,
		realm_description: description,
		realm_url: site,
		realm_uri: site,
		realm_bot_domain: domain,
		realm_date_created: first?.date_joined ?? 0,
		realm_enable_spectator_access: publicAccess,
		realm_new_stream_announcements_stream_id: announcements?.id ?? -1,
		server_emoji_data_url: `${site}/static/generated/emoji/emoji_api.json`,
		server_presence_ping_interval_seconds: presencePingSeconds,
		server_generation: generation,
	};
}
