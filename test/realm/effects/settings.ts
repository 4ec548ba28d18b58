// Settings are seen by another session of the same person; those that others notice, by the others.

import {type UserSettings, userSettings} from '../../../src/api/index.js';
import {notificationSettings} from '../../../src/api/people/user-settings.js';
import type {Client} from '../../../src/client/client.js';
import {effects, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

type Name = keyof UserSettings;
type Settings = Given<'updateSettings'>;

/** Two values of each setting that is no boolean; none is what people start with. */
const pairs: {
	readonly [N in Name as UserSettings[N] extends boolean ? never : N]: readonly [UserSettings[N], UserSettings[N]];
} = {
	web_mark_read_on_scroll_policy: [2, 3],
	web_channel_default_view: [2, 4],
	web_font_size_px: [12, 20],
	web_line_height_percent: [120, 150],
	color_scheme: [2, 3],
	demote_inactive_streams: [2, 3],
	user_list_style: [1, 3],
	web_stream_unreads_count_display_policy: [1, 3],
	email_notifications_batching_period_seconds: [60, 3600],
	desktop_icon_count_display: [2, 4],
	automatically_follow_topics_policy: [1, 4],
	automatically_unmute_topics_in_muted_streams_policy: [1, 4],
	email_address_visibility: [2, 4],
	realm_name_in_email_notifications_policy: [2, 3],
	web_home_view: ['recent', 'all_messages'],
	emojiset: ['twitter', 'text'],
	web_animate_image_previews: ['always', 'never'],
	resolved_topic_notice_auto_read_policy: ['always', 'never'],
	notification_sound: ['wood block', 'none'],
};

// The table has no other keys.
const names = Object.keys(userSettings) as Name[];
/** Each setting, two values of it, and that just these are seen. */
const rowsOf = (chosen: readonly Name[]) =>
	Object.fromEntries(chosen.map(name => [name, Object(pairs)[name] ?? [true, false]]));

async function settingsOf(client: Client): Promise<Settings> {
	const {user_settings: settings = {}} = await client.register({fetch_event_types: ['user_settings'], event_types: []});
	return settings;
}

/** How many of two ways of typing bob hears of: to him, and in a channel. */
async function heardTyping({alice, bob, watch}: World): Promise<number> {
	const events = await watch(bob, {
		event_types: ['typing'],
		client_capabilities: {notification_settings_null: true, stream_typing_notifications: true},
	});
	await unlessRefused(alice.setTypingStatus({op: 'start', to: [5]}));
	await unlessRefused(alice.setTypingStatus({op: 'start', type: 'stream', stream_id: 2, topic: 'soup'}));
	return (await events()).length;
}

/** What bob thinks of a topic once something was done there. */
async function policyAfter({bob}: World, settings: Settings, act: () => Promise<unknown>) {
	await bob.updateSettings({automatically_follow_topics_policy: 4, ...settings});
	await act();
	const {user_topics: topics = []} = await bob.register({fetch_event_types: ['user_topic'], event_types: []});
	return topics.map(({topic_name, visibility_policy}) => [topic_name, visibility_policy]);
}

const say = (client: Client, content: string) =>
	client.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content});

const noticed = [
	...effects('updateSettings', {receives_typing_notifications: [true, false, 2, 0]}, async (world, given) => {
		await world.bob.updateSettings(given);
		return heardTyping(world);
	}),
	...effects(
		'updateSettings',
		{
			send_private_typing_notifications: [true, false, 1, 0],
			send_stream_typing_notifications: [true, false, 1, 0],
		},
		async (world, given) => {
			const none = {send_private_typing_notifications: false, send_stream_typing_notifications: false};
			await world.alice.updateSettings({...none, ...given});
			return heardTyping(world);
		},
	),
	...effects('updateSettings', {enable_drafts_synchronization: [true, false, 1, 0]}, async ({alice}, given) => {
		await alice.createDrafts({drafts: [{type: '', to: [], topic: '', content: 'x'}]});
		await alice.updateSettings(given);
		const {drafts} = await alice.register({fetch_event_types: ['drafts'], event_types: []});
		return Array.isArray(drafts) && drafts.length;
	}),
	...effects(
		'updateSettings',
		{presence_enabled: [true, false, ['alice@bothy.example'], []]},
		async ({alice, bob}, given) => {
			await alice.updateSettings(given);
			await alice.updatePresence({status: 'active', ping_only: true});
			return Object.keys((await bob.getRealmPresence()).presences);
		},
	),
	...effects(
		'updateSettings',
		{email_address_visibility: [2, 3, 'alice@bothy.example', null]},
		async ({alice, bob}, given) => {
			await alice.updateSettings(given);
			return (await bob.getUsers({user_ids: [4]})).members[0]?.delivery_email;
		},
	),
	...effects('updateSettings', {automatically_follow_topics_policy: [3, 4, [['soup', 3]], []]}, (world, given) =>
		policyAfter(world, given, () => say(world.bob, 'Soup?')),
	),
	// Alice has started the topic, and lunch is muted for bob.
	...effects(
		'updateSettings',
		{automatically_unmute_topics_in_muted_streams_policy: [2, 3, [['soup', 2]], []]},
		(world, given) =>
			policyAfter(world, given, async () => {
				await say(world.alice, 'Soup?');
				await world.bob.updateSubscriptionSettings({
					subscription_data: [{stream_id: 2, property: 'is_muted', value: true}],
				});
				await say(world.bob, 'Soup!');
			}),
	),
	...effects(
		'updateSettings',
		{automatically_follow_topics_where_mentioned: [true, false, [['soup', 3]], []]},
		(world, given) => policyAfter(world, given, () => say(world.alice, '@**Bob Birk** soup?')),
	),
];

const ofNotifications = names.filter(name => (notificationSettings as readonly Name[]).includes(name));

const done = async (call: Promise<unknown>) =>
	call.then(
		() => 'done',
		() => 'refused',
	);

export const settings = [
	...noticed,
	...effects('updateNotificationSettings', rowsOf(ofNotifications), async ({alice}, given) => {
		await alice.updateNotificationSettings(given);
		const all = await settingsOf(alice);
		return Object.keys(given).map(name => Object(all)[name])[0];
	}),
	...effects('updateSettings', {full_name: ['Alicia', 'Alina']}, async ({alice, bob}, given) => {
		await alice.updateSettings(given);
		return (await bob.getUser({user_id: 4})).user.full_name;
	}),
	...effects('updateSettings', {timezone: ['Europe/Berlin', 'Asia/Tokyo']}, async ({alice, bob}, given) => {
		await alice.updateSettings(given);
		return (await bob.getUser({user_id: 4})).user.timezone;
	}),
	...effects('updateSettings', {email: ['a@bothy.example', 'b@bothy.example']}, async ({alice, bob}, given) => {
		await alice.updateSettings(given);
		return (await bob.getUser({user_id: 4})).user.delivery_email;
	}),
	...effects('updateSettings', {default_language: ['de', 'fr']}, async ({alice}, given) => {
		await alice.updateSettings(given);
		return Object((await alice.register({fetch_event_types: ['user_settings'], event_types: []})).user_settings)
			.default_language;
	}),
	...effects('updateSettings', {new_password: [undefined, 'x', 'done', 'refused']}, ({alice}, given) =>
		done(alice.updateSettings(given)),
	),
	...effects(
		'updateSettings',
		{old_password: ['bothy', 'x', /same password/.source, 'Wrong password!']},
		({alice}, given) =>
			alice.updateSettings({new_password: 'y', ...given}).then(
				() => '',
				error => (/same password|Wrong password!/.exec(error.message) ?? [''])[0],
			),
	),
	...effects(
		'updateSettings',
		rowsOf(names.filter(name => !noticed.some(({parameter}) => parameter === name))),
		async ({alice}, given) => {
			await alice.updateSettings(given);
			const all = await settingsOf(alice);
			return Object.keys(given).map(name => Object(all)[name])[0];
		},
	),
	// What a newcomer starts with, who comes later; gus, who is here, keeps what he has.
	...effects('updateRealmUserSettingsDefaults', rowsOf(names), async ({olivia, adam, gus, as}, given) => {
		const before = await settingsOf(gus);
		await adam.updateRealmUserSettingsDefaults(given);
		await olivia.createUser({email: 'newcomer@bothy.example', password: 'x', full_name: 'Nele Neu'});

		const after = await settingsOf(gus);
		const newcomer = await settingsOf(as('newcomer'));
		const [name = ''] = Object.keys(given);
		return Object(after)[name] === Object(before)[name] ? Object(newcomer)[name] : {before, after};
	}),
];
