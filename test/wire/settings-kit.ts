// The settings of spec.md, operation 3, by hand: what each may be, as it stands on the wire.

export interface WireSetting {
	readonly name: string;
	/** Values as JSON; the first is what people start with. */
	readonly values: readonly unknown[];
	/** A form value that is refused, and the words for it. */
	readonly refused: readonly [form: string, msg: string];
}

const on = [
	'starred_message_counts',
	'receives_typing_notifications',
	'web_suggest_update_timezone',
	'enable_drafts_synchronization',
	'display_emoji_reaction_users',
	'web_escape_navigates_to_home_view',
	'web_inbox_show_channel_folders',
	'web_left_sidebar_show_channel_folders',
	'web_left_sidebar_unreads_count_summary',
	'enable_desktop_notifications',
	'enable_sounds',
	'enable_followed_topic_desktop_notifications',
	'enable_followed_topic_email_notifications',
	'enable_followed_topic_push_notifications',
	'enable_followed_topic_audible_notifications',
	'enable_offline_email_notifications',
	'enable_offline_push_notifications',
	'enable_online_push_notifications',
	'enable_digest_emails',
	'message_content_in_email_notifications',
	'pm_content_in_desktop_notifications',
	'wildcard_mentions_notify',
	'enable_followed_topic_wildcard_mentions_notify',
	'automatically_follow_topics_where_mentioned',
	'presence_enabled',
	'send_private_typing_notifications',
	'send_stream_typing_notifications',
	'send_read_receipts',
	'web_navigate_to_sent_message',
];

const off = [
	'fluid_layout_width',
	'high_contrast_mode',
	'translate_emoticons',
	'left_side_userlist',
	'hide_ai_features',
	'enable_stream_desktop_notifications',
	'enable_stream_email_notifications',
	'enable_stream_push_notifications',
	'enable_stream_audible_notifications',
	'enter_sends',
	'twenty_four_hour_time',
];

/** Allowed numbers, what people start with first. */
const numbers: Readonly<Record<string, readonly number[]>> = {
	web_mark_read_on_scroll_policy: [1, 2, 3],
	web_channel_default_view: [1, 2, 3, 4],
	color_scheme: [1, 2, 3],
	demote_inactive_streams: [1, 2, 3],
	user_list_style: [2, 1, 3],
	web_stream_unreads_count_display_policy: [2, 1, 3],
	desktop_icon_count_display: [1, 2, 3, 4],
	automatically_follow_topics_policy: [3, 1, 2, 4],
	automatically_unmute_topics_in_muted_streams_policy: [2, 1, 3, 4],
	email_address_visibility: [1, 2, 3, 4, 5],
	realm_name_in_email_notifications_policy: [1, 2, 3],
};

const words: Readonly<Record<string, readonly string[]>> = {
	web_home_view: ['inbox', 'recent', 'recent_topics', 'all_messages'],
	emojiset: ['google', 'twitter', 'text'],
	web_animate_image_previews: ['on_hover', 'always', 'never'],
	resolved_topic_notice_auto_read_policy: ['except_followed', 'always', 'never'],
};

const booleans = (names: readonly string[], values: readonly boolean[]): WireSetting[] =>
	names.map(name => ({name, values, refused: ['1', `${name} is not a boolean`]}));

const listed = (table: Readonly<Record<string, readonly unknown[]>>, stranger: string): WireSetting[] =>
	Object.entries(table).map(([name, values]) => ({
		name,
		values,
		refused: [stranger, `Invalid ${name}: Value error, Not in the list of possible values`],
	}));

export const wireSettings: readonly WireSetting[] = [
	...booleans(on, [true, false]),
	...booleans(off, [false, true]),
	...listed(numbers, '6'),
	...listed(words, 'sideways'),
	{name: 'web_font_size_px', values: [16, 12], refused: ['1.5', 'web_font_size_px is not an integer']},
	{name: 'web_line_height_percent', values: [140, 120], refused: ['true', 'web_line_height_percent is not an integer']},
	{
		name: 'email_notifications_batching_period_seconds',
		values: [120, 1, 604_800],
		refused: ['604801', 'Invalid email batching period: 604801 seconds'],
	},
	{
		name: 'notification_sound',
		values: ['zulip', 'wood block', 'none'],
		refused: ['moo', "Invalid notification sound 'moo'"],
	},
];

/** A value as it stands in a form: strings as they are, everything else as JSON. */
export function formOf(name: string, value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `${name}=${encodeURIComponent(text).replaceAll('%20', '+')}`;
}

/** The level at which each of these came; the others are older than 168. */
export const settingLevels: Readonly<Record<string, number>> = {
	receives_typing_notifications: 253,
	web_suggest_update_timezone: 329,
	web_escape_navigates_to_home_view: 219,
	web_home_view: 219,
	hide_ai_features: 350,
	web_inbox_show_channel_folders: 431,
	web_left_sidebar_show_channel_folders: 411,
	web_left_sidebar_unreads_count_summary: 398,
	enable_followed_topic_desktop_notifications: 189,
	enable_followed_topic_email_notifications: 189,
	enable_followed_topic_push_notifications: 189,
	enable_followed_topic_audible_notifications: 189,
	enable_followed_topic_wildcard_mentions_notify: 189,
	automatically_follow_topics_where_mentioned: 235,
	automatically_follow_topics_policy: 214,
	automatically_unmute_topics_in_muted_streams_policy: 214,
	web_navigate_to_sent_message: 268,
	web_mark_read_on_scroll_policy: 175,
	web_channel_default_view: 269,
	web_font_size_px: 245,
	web_line_height_percent: 245,
	web_stream_unreads_count_display_policy: 210,
	web_animate_image_previews: 275,
	resolved_topic_notice_auto_read_policy: 385,
};
