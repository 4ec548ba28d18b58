// Every setting that people choose for themselves and administrators choose for new people, as data. The wire's
// parameters, the realm's checks and the state that comes with an event queue are generated from it.

import {optional, type Parameter} from '../operation.js';
import {z} from '../zod.js';

interface Setting<Schema extends z.ZodType> {
	readonly schema: Schema;
	/** The default before anybody changes it. */
	readonly initial: z.output<Schema>;
	readonly about: string;
	readonly since?: number;
	readonly valuesSince?: Parameter['valuesSince'];
}

function setting<Schema extends z.ZodType>(
	schema: Schema,
	initial: NoInfer<z.output<Schema>>,
	about: string,
	since?: number,
): Setting<Schema> {
	return {schema, initial, about, ...(since !== undefined && {since})};
}

const NOT_LISTED = 'Value error, Not in the list of possible values';

const yes = z.boolean();

function oneOf<const Values extends readonly number[]>(values: Values) {
	return z.int().pipe(z.literal(values));
}

function oneWord<const Words extends readonly string[]>(words: Words) {
	return z.enum(words, NOT_LISTED);
}

/** 1 when taking part in a topic, 2 when sending a message to it, 3 when starting it, 4 never. */
const TopicDeed = oneOf([1, 2, 3, 4]);

export const userSettings = {
	starred_message_counts: setting(yes, true, 'Whether starred messages are counted'),
	receives_typing_notifications: setting(yes, true, 'Whether you see when others type', 253),
	web_suggest_update_timezone: setting(
		yes,
		true,
		'Whether to suggest a new time zone if the device has another one',
		329,
	),
	fluid_layout_width: setting(yes, false, 'Whether messages take the whole width of the screen'),
	high_contrast_mode: setting(yes, false, 'Whether contrasts are high'),
	enable_drafts_synchronization: setting(yes, true, 'Whether the server stores drafts; false deletes them'),
	translate_emoticons: setting(yes, false, 'Whether emoticons that you write become emoji'),
	display_emoji_reaction_users: setting(yes, true, 'Whether reactions name who reacted'),
	web_escape_navigates_to_home_view: setting(yes, true, 'Whether the Escape key opens the home view', 219),
	left_side_userlist: setting(yes, false, 'Whether narrow windows list people on the left'),
	hide_ai_features: setting(yes, false, 'Whether AI features are hidden', 350),
	web_inbox_show_channel_folders: setting(yes, true, 'Whether the inbox groups channels by folder', 431),
	web_left_sidebar_show_channel_folders: setting(yes, true, 'Whether the left sidebar groups channels by folder', 411),
	web_left_sidebar_unreads_count_summary: setting(
		yes,
		true,
		'Whether the left sidebar shows a total of unread messages',
		398,
	),
	enable_stream_desktop_notifications: setting(yes, false, 'Desktop notifications of channel messages'),
	enable_stream_email_notifications: setting(yes, false, 'Email notifications of channel messages'),
	enable_stream_push_notifications: setting(yes, false, 'Mobile notifications of channel messages'),
	enable_stream_audible_notifications: setting(yes, false, 'Audible notifications of channel messages'),
	enable_desktop_notifications: setting(yes, true, 'Desktop notifications of direct messages and mentions'),
	enable_sounds: setting(yes, true, 'Audible notifications of direct messages and mentions'),
	enable_followed_topic_desktop_notifications: setting(yes, true, 'Desktop notifications of followed topics', 189),
	enable_followed_topic_email_notifications: setting(yes, true, 'Email notifications of followed topics', 189),
	enable_followed_topic_push_notifications: setting(yes, true, 'Mobile notifications of followed topics', 189),
	enable_followed_topic_audible_notifications: setting(yes, true, 'Audible notifications of followed topics', 189),
	enable_offline_email_notifications: setting(yes, true, 'Email notifications while you are offline'),
	enable_offline_push_notifications: setting(yes, true, 'Mobile notifications while you are offline'),
	enable_online_push_notifications: setting(yes, true, 'Mobile notifications while you are online'),
	enable_digest_emails: setting(yes, true, 'Emails that sum up what you missed'),
	message_content_in_email_notifications: setting(yes, true, 'Whether emails quote messages'),
	pm_content_in_desktop_notifications: setting(yes, true, 'Whether desktop notifications quote direct messages'),
	wildcard_mentions_notify: setting(yes, true, 'Whether wildcard mentions notify like personal ones'),
	enable_followed_topic_wildcard_mentions_notify: setting(yes, true, 'The same, in followed topics', 189),
	automatically_follow_topics_where_mentioned: setting(
		yes,
		true,
		'Whether to follow topics in which somebody mentions you',
		235,
	),
	presence_enabled: setting(yes, true, 'Whether others see when you are online; false is the invisible mode'),
	enter_sends: setting(yes, false, 'Whether Enter sends a message'),
	twenty_four_hour_time: setting(yes, false, 'Whether the day has 24 hours'),
	send_private_typing_notifications: setting(yes, true, 'Whether others see when you type in direct messages'),
	send_stream_typing_notifications: setting(yes, true, 'Whether others see when you type in channels'),
	send_read_receipts: setting(yes, true, 'Whether others see what you have read'),
	web_navigate_to_sent_message: setting(yes, true, 'Whether the view moves to a message that you have sent', 268),
	web_mark_read_on_scroll_policy: setting(
		oneOf([1, 2, 3]),
		1,
		'What scrolling marks as read: all messages 1, messages in conversations 2, nothing 3',
		175,
	),
	web_channel_default_view: setting(
		oneOf([1, 2, 3, 4]),
		1,
		'What a click on a channel opens: top topic 1, feed 2, list of topics 3, top unread topic 4',
		269,
	),
	web_font_size_px: setting(z.int(), 16, 'Size of letters, in pixels', 245),
	web_line_height_percent: setting(z.int(), 140, 'Line height, in percent of the font size', 245),
	color_scheme: setting(oneOf([1, 2, 3]), 1, 'Colours: automatic 1, dark 2, light 3'),
	demote_inactive_streams: setting(
		oneOf([1, 2, 3]),
		1,
		'Whether the channel list shows inactive channels last: automatic 1, always 2, never 3',
	),
	user_list_style: setting(oneOf([1, 2, 3]), 2, 'List of people: compact 1, with status 2, with avatar and status 3'),
	web_stream_unreads_count_display_policy: setting(
		oneOf([1, 2, 3]),
		2,
		'Channels whose unread messages are counted: all 1, unmuted 2, none 3',
		210,
	),
	email_notifications_batching_period_seconds: setting(
		z.int(),
		120,
		'Seconds to wait for more messages before an email is sent, 1 to 604800',
	),
	desktop_icon_count_display: setting(
		oneOf([1, 2, 3, 4]),
		1,
		'What the number on the icon counts: all unread messages 1; direct messages, mentions and followed topics 2; direct messages and mentions 3; nothing 4',
	),
	automatically_follow_topics_policy: setting(
		TopicDeed,
		3,
		'Topics to follow automatically: where you take part 1, send a message 2, or start the topic 3; none 4',
		214,
	),
	automatically_unmute_topics_in_muted_streams_policy: setting(
		TopicDeed,
		2,
		'Topics to unmute automatically in muted channels: where you take part 1, send a message 2, or start the topic 3; none 4',
		214,
	),
	email_address_visibility: setting(
		oneOf([1, 2, 3, 4, 5]),
		1,
		'Who sees the real address: everyone 1, members 2, administrators 3, nobody 4, moderators 5',
	),
	realm_name_in_email_notifications_policy: setting(
		oneOf([1, 2, 3]),
		1,
		'Whether emails name the organization: automatic 1, always 2, never 3',
		168,
	),
	web_home_view: {
		...setting(
			oneWord(['recent', 'recent_topics', 'inbox', 'all_messages']),
			'inbox',
			'The first view after login; `recent_topics` is the older name of `recent`',
			219,
		),
		valuesSince: {recent: 454},
	},
	emojiset: setting(oneWord(['google', 'twitter', 'text']), 'google', 'Design of emoji'),
	web_animate_image_previews: setting(
		oneWord(['always', 'on_hover', 'never']),
		'on_hover',
		'When animated images move',
		275,
	),
	resolved_topic_notice_auto_read_policy: setting(
		oneWord(['always', 'except_followed', 'never']),
		'except_followed',
		'Whether the notice that a topic is resolved starts as read',
		385,
	),
	notification_sound: setting(z.string(), 'zulip', 'Name of the sound of notifications; `none` for silence'),
} as const;

export type UserSettings = {[N in keyof typeof userSettings]: z.output<(typeof userSettings)[N]['schema']>};

type SettingParameters = {
	readonly [N in keyof typeof userSettings]: Parameter<(typeof userSettings)[N]['schema'], false>;
};

/** One optional parameter for each setting. */
export function settingParameters(): SettingParameters {
	const parameters = Object.entries<Setting<z.ZodType>>(userSettings).map(
		([name, {schema, about, since, valuesSince}]) => [
			name,
			optional(schema, about, {...(since !== undefined && {since}), ...(valuesSince && {valuesSince})}),
		],
	);

	// Object.fromEntries loses the names and their schemas.
	return Object.fromEntries(parameters) as SettingParameters;
}

/** The settings that the older operation for notifications accepts. */
export const notificationSettings = [
	'enable_stream_desktop_notifications',
	'enable_stream_email_notifications',
	'enable_stream_push_notifications',
	'enable_stream_audible_notifications',
	'enable_desktop_notifications',
	'enable_sounds',
	'enable_offline_email_notifications',
	'enable_offline_push_notifications',
	'enable_online_push_notifications',
	'enable_digest_emails',
	'message_content_in_email_notifications',
	'pm_content_in_desktop_notifications',
	'wildcard_mentions_notify',
	'desktop_icon_count_display',
	'email_notifications_batching_period_seconds',
	'realm_name_in_email_notifications_policy',
	'presence_enabled',
	'notification_sound',
] as const satisfies ReadonlyArray<keyof typeof userSettings>;

export function notificationParameters(): Pick<SettingParameters, (typeof notificationSettings)[number]> {
	const parameters = settingParameters();
	const entries = notificationSettings.map(name => [name, parameters[name]]);
	// As above.
	return Object.fromEntries(entries) as Pick<SettingParameters, (typeof notificationSettings)[number]>;
}
