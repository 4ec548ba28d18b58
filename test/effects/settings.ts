// Settings are seen by another session of the same person; those that others notice, by the others.

import {type Operations, type ParametersOf, type UserSettings, userSettings} from '../../src/api/index.js';
import type {Client} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

type Name = keyof UserSettings;
type Settings = ParametersOf<Operations['updateSettings']>;
type Pair<N extends Name> = readonly [UserSettings[N], UserSettings[N]];

/** Two values of each setting that is no boolean; none is what people start with. */
const pairs: {readonly [N in Name as UserSettings[N] extends boolean ? never : N]: Pair<N>} = {
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

type SettingEffects = NonNullable<Effects['updateSettings']>;

/** One effect for each setting, all looked at alike. */
function effectsOf(outcome: (world: World, name: Name, value: unknown) => Promise<unknown>): SettingEffects {
	// The table has no other keys.
	const names = Object.keys(userSettings) as Name[];
	const effects = names.map(name => {
		const values = Object.hasOwn(pairs, name) ? pairs[name as keyof typeof pairs] : [true, false];
		return [name, {values, outcome: (world: World, value: unknown) => outcome(world, name, value), expected: values}];
	});

	// Each name has values of its own type above.
	return Object.fromEntries(effects) as SettingEffects;
}

async function settingsOf(client: Client) {
	const {user_settings: settings = {}} = await client.register({fetch_event_types: ['user_settings'], event_types: []});
	return settings;
}

/** What alice's other session learns when it asks. */
async function ownSetting(world: World, name: Name, value: unknown): Promise<unknown> {
	const [alice, session] = [await world.as('alice'), await world.as('alice')];
	await alice.updateSettings({[name]: value});
	return (await settingsOf(session))[name];
}

/** What a newcomer starts with, who comes later; gus, who is here, keeps what he has. */
async function startingSetting(world: World, name: Name, value: unknown): Promise<unknown> {
	const [olivia, adam, gus] = [await world.as('olivia'), await world.as('adam'), await world.as('gus')];
	const before = (await settingsOf(gus))[name];
	await adam.updateRealmUserSettingsDefaults({[name]: value});
	await olivia.createUser({email: 'newcomer@bothy.example', password: 'x', full_name: 'Nele Neu'});

	const after = (await settingsOf(gus))[name];
	return before === after ? (await settingsOf(await world.as('newcomer')))[name] : {before, after};
}

const TYPING = {client_capabilities: {notification_settings_null: true, stream_typing_notifications: true}};

/** How many of two ways of typing bob hears of: to him, and in a channel. */
async function heardTyping(world: World, who: 'alice' | 'bob', settings: Settings): Promise<number> {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	await (who === 'alice' ? alice : bob).updateSettings(settings);
	const events = await world.watch(bob, {event_types: ['typing'], ...TYPING});
	for (const typing of [
		{op: 'start' as const, to: [5]},
		{op: 'start' as const, type: 'stream' as const, stream_id: 2, topic: 'soup'},
	]) {
		await alice.setTypingStatus(typing).catch(ignoreRefusal);
	}

	return (await events()).length;
}

/** Whoever does not tell of typing is told so. */
function ignoreRefusal(error: unknown): void {
	if (!(error instanceof ApiError)) {
		throw error;
	}
}

/** What bob thinks of a topic once he did something there. */
async function policyAfter(world: World, settings: Settings, act: (bob: Client) => Promise<unknown>) {
	const bob = await world.as('bob');
	await bob.updateSettings({automatically_follow_topics_policy: 4, ...settings});
	await act(bob);
	const {user_topics: topics = []} = await bob.register({fetch_event_types: ['user_topic'], event_types: []});
	return topics.map(({topic_name, visibility_policy}) => [topic_name, visibility_policy]);
}

const say = (client: Client, content: string) =>
	client.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content});

/** Alice has started the topic, and lunch is muted for bob. */
async function answerInMuted(world: World, bob: Client): Promise<void> {
	await say(await world.as('alice'), 'Soup?');
	await bob.updateSubscriptionSettings({
		subscription_data: [{stream_id: 2, property: 'is_muted', value: true}],
	});
	await say(bob, 'Soup!');
}

export const settings: Effects = {
	updateSettings: {
		...effectsOf(ownSetting),
		receives_typing_notifications: {
			values: [true, false],
			outcome: (world, value) => heardTyping(world, 'bob', {receives_typing_notifications: value}),
			expected: [2, 0],
		},
		send_private_typing_notifications: {
			values: [true, false],
			outcome: (world, value) =>
				heardTyping(world, 'alice', {
					send_private_typing_notifications: value,
					send_stream_typing_notifications: false,
				}),
			expected: [1, 0],
		},
		send_stream_typing_notifications: {
			values: [true, false],
			outcome: (world, value) =>
				heardTyping(world, 'alice', {
					send_private_typing_notifications: false,
					send_stream_typing_notifications: value,
				}),
			expected: [1, 0],
		},
		enable_drafts_synchronization: {
			values: [true, false],
			async outcome(world, value) {
				const [alice, session] = [await world.as('alice'), await world.as('alice')];
				await alice.createDrafts({drafts: [{type: '', to: [], topic: '', content: 'x'}]});
				await alice.updateSettings({enable_drafts_synchronization: value});
				const state = await session.register({fetch_event_types: ['drafts'], event_types: []});
				return Array.isArray(state.drafts) ? state.drafts.length : undefined;
			},
			expected: [1, 0],
		},
		presence_enabled: {
			values: [true, false],
			async outcome(world, value) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				await alice.updateSettings({presence_enabled: value});
				await alice.updatePresence({status: 'active', ping_only: true});
				return Object.keys((await bob.getRealmPresence()).presences);
			},
			expected: [['alice@bothy.example'], []],
		},
		email_address_visibility: {
			values: [2, 3],
			async outcome(world, value) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				await alice.updateSettings({email_address_visibility: value});
				return (await bob.getUsers({user_ids: [4]})).members[0]?.delivery_email;
			},
			expected: ['alice@bothy.example', null],
		},
		automatically_follow_topics_policy: {
			values: [3, 4],
			outcome: (world, value) =>
				policyAfter(world, {automatically_follow_topics_policy: value}, bob => say(bob, 'Soup?')),
			expected: [[['soup', 3]], []],
		},
		automatically_unmute_topics_in_muted_streams_policy: {
			values: [2, 3],
			outcome: (world, value) =>
				policyAfter(world, {automatically_unmute_topics_in_muted_streams_policy: value}, bob =>
					answerInMuted(world, bob),
				),
			expected: [[['soup', 2]], []],
		},
		automatically_follow_topics_where_mentioned: {
			values: [true, false],
			outcome: (world, value) =>
				policyAfter(world, {automatically_follow_topics_where_mentioned: value}, async () =>
					say(await world.as('alice'), '@**Bob Birk** soup?'),
				),
			expected: [[['soup', 3]], []],
		},
	},
	updateRealmUserSettingsDefaults: effectsOf(startingSetting),
};
