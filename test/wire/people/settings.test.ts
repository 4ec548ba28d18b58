import {clientCalls} from '../kit/client-calls.js';
import {answers, including, like, refusal, type Step, story} from '../kit/story.js';

interface Setting {
	readonly name: string;
	/** Values as JSON; the first is what people start with. */
	readonly values: readonly unknown[];
	/** A form value that is refused, and the text for it. */
	readonly refused: readonly [form: string, msg: string];
}

const words = (text: string) => text.trim().split(/\s+/);

const ON = words(`
	starred_message_counts receives_typing_notifications web_suggest_update_timezone enable_drafts_synchronization
	display_emoji_reaction_users web_escape_navigates_to_home_view web_inbox_show_channel_folders
	web_left_sidebar_show_channel_folders web_left_sidebar_unreads_count_summary enable_desktop_notifications
	enable_sounds enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
	enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
	enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications
	enable_digest_emails message_content_in_email_notifications pm_content_in_desktop_notifications
	wildcard_mentions_notify enable_followed_topic_wildcard_mentions_notify
	automatically_follow_topics_where_mentioned presence_enabled send_private_typing_notifications
	send_stream_typing_notifications send_read_receipts web_navigate_to_sent_message`);

const OFF = words(`
	fluid_layout_width high_contrast_mode translate_emoticons left_side_userlist hide_ai_features
	enable_stream_desktop_notifications enable_stream_email_notifications enable_stream_push_notifications
	enable_stream_audible_notifications enter_sends twenty_four_hour_time`);

/** Allowed values, what people start with first. */
const LISTED: Readonly<Record<string, ReadonlyArray<number | string>>> = {
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
	web_home_view: ['inbox', 'recent', 'recent_topics', 'all_messages'],
	emojiset: ['google', 'twitter', 'text'],
	web_animate_image_previews: ['on_hover', 'always', 'never'],
	resolved_topic_notice_auto_read_policy: ['except_followed', 'always', 'never'],
};

const notListed = (name: string) => `Invalid ${name}: Value error, Not in the list of possible values`;

const SETTINGS: readonly Setting[] = [
	...ON.map((name): Setting => ({name, values: [true, false], refused: ['1', `${name} is not a boolean`]})),
	...OFF.map((name): Setting => ({name, values: [false, true], refused: ['1', `${name} is not a boolean`]})),
	...Object.entries(LISTED).map(
		([name, values]): Setting => ({
			name,
			values,
			refused: [typeof values[0] === 'number' ? '6' : 'up', notListed(name)],
		}),
	),
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

/** What came at which level; everything else is older than 168. */
const LEVELS: Readonly<Record<number, string>> = {
	175: 'web_mark_read_on_scroll_policy',
	189: `
		enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
		enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
		enable_followed_topic_wildcard_mentions_notify`,
	210: 'web_stream_unreads_count_display_policy',
	214: 'automatically_follow_topics_policy automatically_unmute_topics_in_muted_streams_policy',
	219: 'web_escape_navigates_to_home_view web_home_view',
	235: 'automatically_follow_topics_where_mentioned',
	245: 'web_font_size_px web_line_height_percent',
	253: 'receives_typing_notifications',
	268: 'web_navigate_to_sent_message',
	269: 'web_channel_default_view',
	275: 'web_animate_image_previews',
	329: 'web_suggest_update_timezone',
	350: 'hide_ai_features',
	385: 'resolved_topic_notice_auto_read_policy',
	398: 'web_left_sidebar_unreads_count_summary',
	411: 'web_left_sidebar_show_channel_folders',
	431: 'web_inbox_show_channel_folders',
};

/** Every setting with the value at this place. */
const valuesAt = (index: number) =>
	Object.fromEntries(SETTINGS.map(({name, values}) => [name, values[index] as string]));

/** A value in a form: strings as they are, everything else as JSON. */
function formOf(name: string, value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `${name}=${encodeURIComponent(text).replaceAll('%20', '+')}`;
}

// Some values, but not the last of each setting, came after the setting itself.
const LAST = SETTINGS.map(({name, values}) => formOf(name, values.at(-1))).join('&');
const ALL = SETTINGS.map(({name, values}) => formOf(name, values[1])).join('&');

/** Each allowed value of each setting, the second one last. */
const CHANGES = SETTINGS.flatMap(({name, values}) =>
	[...values.slice(1), values[0], values[1]].map(value => ({property: name, value: value as string})),
);

clientCalls('updateSettings', {
	'sends every setting, JSON and strings as they are': [valuesAt(1), `PATCH /api/v1/settings ${ALL}`],
	'sends a few settings': [
		{
			enable_drafts_synchronization: false,
			automatically_follow_topics_policy: 1,
			automatically_unmute_topics_in_muted_streams_policy: 4,
			automatically_follow_topics_where_mentioned: false,
		},
		'PATCH /api/v1/settings enable_drafts_synchronization=false&automatically_follow_topics_policy=1&automatically_unmute_topics_in_muted_streams_policy=4&automatically_follow_topics_where_mentioned=false',
	],
});

clientCalls('updateRealmUserSettingsDefaults', {
	'sends every default, JSON and strings as they are': [
		valuesAt(1),
		`PATCH /api/v1/realm/user_settings_defaults ${ALL}`,
	],
	'sends a few defaults': [
		{
			enter_sends: true,
			color_scheme: 2,
			emojiset: 'text',
			notification_sound: 'wood block',
			web_home_view: 'recent',
		},
		'PATCH /api/v1/realm/user_settings_defaults enter_sends=true&color_scheme=2&emojiset=text&notification_sound=wood+block&web_home_view=recent',
	],
});

const DRAFT = 'POST /api/v1/drafts drafts=[{"type":"","to":[],"topic":"","content":"x"}]';
const DEFAULTS = '/api/v1/realm/user_settings_defaults';
const STATE = 'POST /api/v1/register event_types=["user_settings"]';
const STATE_OF_DEFAULTS = 'POST /api/v1/register event_types=["realm_user_settings_defaults"]';
const NOT_ADMINISTRATOR = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});

story(
	'updateSettings',
	"takes each allowed value, and tells the account's own queues",
	[
		{listen: 'alice', to: 'user_settings'},
		{listen: 'bob', to: 'user_settings'},
		...CHANGES.map(({property, value}): Step => [`alice PATCH /api/v1/settings ${formOf(property, value)}`, {}]),
		{heard: 'alice', events: CHANGES.map(change => ({type: 'user_settings', op: 'update', ...change}))},
		{heard: 'bob', events: []},
		[`alice ${STATE}`, like({user_settings: like(valuesAt(1))})],
		[`bob ${STATE}`, like({user_settings: like(valuesAt(0))})],
	],
	{rateLimit: false},
);

story('updateSettings', 'sends no event if the value does not change', [
	[`alice ${DRAFT}`],
	{listen: 'alice', to: 'user_settings,drafts'},
	['alice PATCH /api/v1/settings enable_drafts_synchronization=true', {}],
	['alice GET /api/v1/drafts', like({count: 1})],
	['alice PATCH /api/v1/settings enable_drafts_synchronization=false', {}],
	['alice PATCH /api/v1/settings enable_drafts_synchronization=false', {}],
	['alice PATCH /api/v1/settings automatically_follow_topics_policy=3', {}],
	['alice PATCH /api/v1/settings automatically_follow_topics_policy=4', {}],
	{
		heard: 'alice',
		events: [
			{type: 'user_settings', op: 'update', property: 'enable_drafts_synchronization', value: false},
			{type: 'user_settings', op: 'update', property: 'automatically_follow_topics_policy', value: 4},
		],
	},
]);

story('updateSettings', "deletes the caller's drafts when their synchronization goes off", [
	[`alice ${DRAFT}`],
	[`bob ${DRAFT}`],
	['alice PATCH /api/v1/settings enable_drafts_synchronization=false', {}],
	['alice PATCH /api/v1/settings enable_drafts_synchronization=true', {}],
	['alice GET /api/v1/drafts', like({count: 0})],
	['bob GET /api/v1/drafts', like({count: 1})],
]);

answers('updateSettings', {
	'names unknown settings': [
		'alice PATCH /api/v1/settings tea=green&enable_drafts_synchronization=true',
		{ignored_parameters_unsupported: ['tea']},
	],
	'refuses bots': [
		'echo-bot PATCH /api/v1/settings enable_drafts_synchronization=false',
		'This endpoint does not accept bot requests.',
	],
});

story('updateSettings', 'refuses a bad value of each setting, and changes nothing', [
	...SETTINGS.map(({name, refused: [value, msg]}): Step => [`alice PATCH /api/v1/settings ${name}=${value}`, msg]),
	...['automatically_follow_topics_policy', 'automatically_unmute_topics_in_muted_streams_policy'].flatMap(
		(name): Step[] => [
			[`alice PATCH /api/v1/settings ${name}=5`, notListed(name)],
			[`alice PATCH /api/v1/settings ${name}=true`, `${name} is not an integer`],
		],
	),
	[
		'alice PATCH /api/v1/settings enter_sends=true&email_notifications_batching_period_seconds=0',
		'Invalid email batching period: 0 seconds',
	],
	[`alice ${STATE}`, like({user_settings: like(valuesAt(0))})],
]);

story('updateSettings', 'refuses time zones, languages and addresses that nobody can have, and tells nobody', [
	{listen: 'alice', to: 'user_settings,realm_user'},
	['alice PATCH /api/v1/settings timezone=Moon/Crater', 'Invalid timezone: Value error, Not a recognized time zone'],
	['alice PATCH /api/v1/settings default_language=klingon', 'Invalid default_language'],
	['alice PATCH /api/v1/settings email=alice', 'Invalid address.'],
	['alice PATCH /api/v1/settings email=bob%40bothy.example', 'Already has an account.'],
	['alice PATCH /api/v1/settings default_language=en', {}],
	{heard: 'alice', events: []},
]);

for (const level of new Set(Object.keys(LEVELS).flatMap(level => [Number(level) - 1, Number(level)]))) {
	const newer = Object.entries(LEVELS).flatMap(([since, names]) => (level < Number(since) ? words(names) : []));
	const ignored = like({ignored_parameters_unsupported: newer.length > 0 ? newer.sort() : undefined});
	const known = SETTINGS.map(({name}) => [name, newer.includes(name) ? undefined : '<any>']);
	story(
		'updateRealmUserSettingsDefaults',
		`feature level ${level} ignores newer settings and defaults`,
		[
			[`adam PATCH ${DEFAULTS} ${LAST}`, ignored],
			[`adam PATCH /api/v1/settings ${LAST}`, ignored],
			[`adam ${STATE}`, like({user_settings: like(Object.fromEntries(known))})],
		],
		{featureLevel: level},
	);
}

const RETIRED = {
	allow_private_data_export: false,
	dense_mode: false,
	emojiset_choices: '<any>',
	enable_login_emails: true,
	enable_marketing_emails: true,
};

story('updateRealmUserSettingsDefaults', 'starts with what people start with, and names the sounds', [
	[
		`alice ${STATE_OF_DEFAULTS}`,
		like({realm_user_settings_defaults: {...valuesAt(0), ...RETIRED, available_notification_sounds: '$sounds'}}),
	],
	[
		`alice ${STATE_OF_DEFAULTS}`,
		like({realm_user_settings_defaults: like({available_notification_sounds: including('zulip', 'deep tom')})}),
	],
	(t, {names}) => {
		t.is(Object(names.get('sounds')).length, 30);
	},
]);

story(
	'updateRealmUserSettingsDefaults',
	'takes each allowed value, and tells everybody',
	[
		{listen: 'gus', to: 'realm_user_settings_defaults'},
		...CHANGES.map(({property, value}): Step => [`adam PATCH ${DEFAULTS} ${formOf(property, value)}`, {}]),
		{heard: 'gus', events: CHANGES.map(change => ({type: 'realm_user_settings_defaults', op: 'update', ...change}))},
		[
			`gus ${STATE_OF_DEFAULTS}`,
			like({realm_user_settings_defaults: {...valuesAt(1), ...RETIRED, available_notification_sounds: '<any>'}}),
		],
	],
	{rateLimit: false},
);

story('updateRealmUserSettingsDefaults', 'applies only to people who are created later', [
	['olivia POST /api/v1/users email=early%40bothy.example&password=p&full_name=Early', {user_id: 21}],
	[`adam PATCH ${DEFAULTS} ${ALL}`, {}],
	['olivia POST /api/v1/users email=late%40bothy.example&password=p&full_name=Late', {user_id: 22}],
	[`adam PATCH ${DEFAULTS} color_scheme=3`, {}],
	...['adam', 'alice', 'early'].map((name): Step => [`${name} ${STATE}`, like({user_settings: like(valuesAt(0))})]),
	[`late ${STATE}`, like({user_settings: like(valuesAt(1))})],
	['alice GET /api/v1/users?user_ids=[22]', {members: [like({email: 'user22@bothy.example'})]}],
]);

story('updateRealmUserSettingsDefaults', 'deletes no drafts, and the server stores none for new people', [
	[`alice ${DRAFT}`],
	[`olivia PATCH ${DEFAULTS} enable_drafts_synchronization=false`, {}],
	['alice GET /api/v1/drafts', like({count: 1})],
	[`alice ${DRAFT}`, like({})],
	['olivia POST /api/v1/users email=nora%40bothy.example&password=p&full_name=Nora'],
	[`nora ${DRAFT}`, 'User has disabled synchronizing drafts.'],
]);

story('updateRealmUserSettingsDefaults', 'sends no event if the default does not change', [
	{listen: 'adam', to: 'realm_user_settings_defaults'},
	[`adam PATCH ${DEFAULTS} color_scheme=1&enter_sends=false&notification_sound=zulip`, {}],
	{heard: 'adam', events: []},
]);

answers('updateRealmUserSettingsDefaults', {
	'names unknown defaults': [
		`olivia PATCH ${DEFAULTS} tea=green&color_scheme=2&timezone=UTC`,
		{ignored_parameters_unsupported: ['tea', 'timezone']},
	],
	'refuses moderators': [`mona PATCH ${DEFAULTS} enter_sends=true`, NOT_ADMINISTRATOR],
	'refuses members': [`alice PATCH ${DEFAULTS} enter_sends=true`, NOT_ADMINISTRATOR],
	'refuses guests': [`gus PATCH ${DEFAULTS} enter_sends=true`, NOT_ADMINISTRATOR],
});

story('updateRealmUserSettingsDefaults', 'accepts only bots that administer', [
	[`echo-bot PATCH ${DEFAULTS} enter_sends=true`, NOT_ADMINISTRATOR],
	['olivia PATCH /api/v1/users/21 role=200'],
	[`echo-bot PATCH ${DEFAULTS} enter_sends=true`, {}],
]);

story('updateRealmUserSettingsDefaults', 'refuses a bad value of each default, and changes nothing', [
	...SETTINGS.map(({name, refused: [value, msg]}): Step => [`adam PATCH ${DEFAULTS} ${name}=${value}`, msg]),
	[`adam PATCH ${DEFAULTS} enter_sends=True`, 'enter_sends is not valid JSON'],
	[`adam PATCH ${DEFAULTS} color_scheme="2"`, 'color_scheme is not an integer'],
	[`adam PATCH ${DEFAULTS} emojiset="text"`, notListed('emojiset')],
	[`adam PATCH ${DEFAULTS} email_notifications_batching_period_seconds=0`, 'Invalid email batching period: 0 seconds'],
	[`adam PATCH ${DEFAULTS} enter_sends=true&notification_sound=moo`, "Invalid notification sound 'moo'"],
	[`adam ${STATE_OF_DEFAULTS}`, like({realm_user_settings_defaults: like(valuesAt(0))})],
]);

clientCalls('updateNotificationSettings', {
	'writes settings': [
		{enable_sounds: false, notification_sound: 'ding'},
		'PATCH /api/v1/settings/notifications enable_sounds=false&notification_sound=ding',
	],
});

story('updateNotificationSettings', 'sets what the caller is notified of', [
	['alice PATCH /api/v1/settings/notifications enable_sounds=false&notification_sound=ding', {}],
	['alice PATCH /api/v1/settings/notifications notification_sound=x', "Invalid notification sound 'x'"],
	[
		'alice POST /api/v1/register event_types=["user_settings"]',
		like({user_settings: like({enable_sounds: false, notification_sound: 'ding'})}),
	],
]);
