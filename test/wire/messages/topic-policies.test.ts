// Which topics a channel takes, by its own policy or the organization's (spec.md, "Channel object"), and what a message or
// a reaction makes of a topic for users (spec.md, operation 1).

import test from 'ava';
import {changeDatabase, temporaryFile} from '../kit/scheduled-kit.js';
import {answers, like, newest, play, refusal, type Step, story} from '../kit/story.js';
import {finds, topicsAre} from '../kit/user-topics-kit.js';

const SAY = 'POST /api/v1/messages type=channel&content=x';
const NOW = Date.UTC(2026, 0, 5, 12);
const SCHEDULE = `POST /api/v1/scheduled_messages type=channel&content=x&scheduled_delivery_timestamp=${NOW / 1000 + 60}`;
const EMPTY_NAME = {empty_topic_display_name: 'general chat'};
const NOT_EMPTY = refusal(
	'400 Bad Request',
	'Sending messages to the general chat is not allowed in this channel.',
	EMPTY_NAME,
);
const ONLY_EMPTY = refusal('400 Bad Request', 'Only the general chat topic is allowed in this channel.', EMPTY_NAME);

/** In a realm with these policies; no call changes the organization's yet. */
function under(organization: string, channel: string, operation: string, title: string, steps: readonly Step[]): void {
	test(`${operation}: with ${organization} in the organization and ${channel} in the channel the realm ${title}`, async t => {
		const file = await temporaryFile(t);
		const sql = `UPDATE organization SET topics_policy = '${organization}';
			UPDATE channels SET topics_policy = '${channel}' WHERE name = 'general'`;

		await play(t, [() => changeDatabase(file, sql), ...steps], {file, now: NOW});
	});
}

for (const [organization, channel, empty, named] of [
	['allow_empty_topic', 'inherit', undefined, undefined],
	['disable_empty_topic', 'inherit', NOT_EMPTY, undefined],
	['disable_empty_topic', 'allow_empty_topic', undefined, undefined],
	['allow_empty_topic', 'disable_empty_topic', NOT_EMPTY, undefined],
	['disable_empty_topic', 'empty_topic_only', undefined, ONLY_EMPTY],
] as const) {
	const emptyRow = ['', '+', 'general+chat', '%28no+topic%29'].flatMap((topic): Step[] => [
		[`alice ${SAY}&to=general&topic=${topic}`, empty ?? like({})],
		...(empty ? [] : [newest('alice', {subject: ''})]),
	]);
	under(
		organization,
		channel,
		'sendMessage',
		`${empty ? 'refuses' : 'takes'} the empty topic in all its forms`,
		emptyRow,
	);
	under(organization, channel, 'sendMessage', `${named ? 'refuses' : 'takes'} a topic with a name`, [
		[`alice ${SAY}&to=general&topic=soup`, named ?? like({})],
		...(named ? [] : [newest('alice', {subject: 'soup'})]),
	]);
	under(organization, channel, 'createScheduledMessage', 'schedules as it sends, and names the policy', [
		[`alice ${SCHEDULE}&to=1&topic=`, empty ?? like({})],
		[`alice ${SCHEDULE}&to=1&topic=soup`, named ?? like({})],
		['alice GET /api/v1/streams/1', {stream: like({topics_policy: channel})}],
	]);
}

under('disable_empty_topic', 'inherit', 'updateMessage', 'refuses to move a message into the empty topic', [
	[`alice ${SAY}&to=general&topic=soup`, like({id: '$id'})],
	['alice PATCH /api/v1/messages/$id topic=', NOT_EMPTY],
	newest('alice', {subject: 'soup'}),
]);

story('updateMessage', 'moves a message out of an empty topic that is no longer allowed, without a notice there', [
	[`alice ${SAY}&to=general&topic=`, like({id: '$id'})],
	['olivia PATCH /api/v1/streams/1 topics_policy=disable_empty_topic', {}],
	[
		'alice PATCH /api/v1/messages/$id topic=soup' +
			'&send_notification_to_old_thread=true&send_notification_to_new_thread=true',
	],
	[
		'alice GET /api/v1/messages?anchor=newest&num_before=9&apply_markdown=false' +
			'&narrow=[["channel","general"],["topic","soup"]]',
		like({messages: [like({content: 'x'}), like({content: /^This topic was moved here from /})]}),
	],
	finds('alice', '[["channel","general"],["topic",""]]'),
]);

for (const [featureLevel, stored] of [
	[370, {'': '', 'general+chat': '', '%28no+topic%29': ''}],
	[369, {'': '', 'general+chat': '', '%28no+topic%29': '(no topic)'}],
	[333, {'': '(no topic)', 'general+chat': 'general chat', '%28no+topic%29': '(no topic)'}],
] as const) {
	story(
		'sendMessage',
		`stores the names of the empty topic as feature level ${featureLevel} does`,
		Object.entries(stored).flatMap(([topic, subject]): Step[] => [
			[`alice ${SAY}&to=general&topic=${topic}`],
			newest('alice', {subject}),
		]),
		{featureLevel},
	);
}

for (const [form, name] of [
	['', 'general chat'],
	['&client_capabilities={"notification_settings_null":true}', 'general chat'],
	['&client_capabilities={"notification_settings_null":true,"empty_topic_name":false}', 'general chat'],
	['&client_capabilities={"notification_settings_null":true,"empty_topic_name":true}', ''],
] as const) {
	story('register', `names the empty topic "${name}" to a queue registered with "${form}"`, [
		{listen: 'alice', to: 'message', form},
		{listen: 'alice', to: 'muted_topics', form},
		[`alice ${SAY}&to=general&topic=`],
		['alice POST /api/v1/user_topics stream_id=1&topic=&visibility_policy=1'],
		{heard: 'alice', of: 'message', events: [like({message: like({subject: name})})]},
		{
			heard: 'alice',
			of: 'muted_topics',
			events: [like({muted_topics: []}), like({muted_topics: [['general', '', '<integer>']]})],
		},
		[
			`alice POST /api/v1/register event_types=["muted_topics"]${form}`,
			like({muted_topics: [['general', '', '<integer>']]}),
		],
	]);
}

story('sendMessage', 'cuts a topic of 61 characters', [
	[`alice ${SAY}&to=general&topic=${'a'.repeat(61)}`],
	newest('alice', {subject: `${'a'.repeat(57)}...`}),
]);

/** What the sender is told; 0 for nothing. */
const told = (automatic_new_visibility_policy: number) =>
	like({automatic_new_visibility_policy: automatic_new_visibility_policy || undefined});
const kept = (who: string, policies: Readonly<Record<string, number>>) =>
	topicsAre(who, 2, Object.fromEntries(Object.entries(policies).filter(([, policy]) => policy > 0)));

const TO_LUNCH = 'POST /api/v1/messages type=stream&to=lunch&content=x&topic=';
const MUTE_LUNCH =
	'alice POST /api/v1/users/me/subscriptions/properties ' +
	'subscription_data=[{"stream_id":2,"property":"is_muted","value":true}]';

for (const [policy, starting, sending, reacting] of [
	[1, 1, 1, 1],
	[2, 1, 1, 0],
	[3, 1, 0, 0],
	[4, 0, 0, 0],
] as const) {
	for (const [setting, value, before] of [
		[`automatically_follow_topics_policy=${policy}`, 3, []],
		[
			`automatically_follow_topics_policy=4&automatically_unmute_topics_in_muted_streams_policy=${policy}`,
			2,
			[[`alice ${TO_LUNCH}before`, told(0)], [MUTE_LUNCH]],
		],
	] satisfies ReadonlyArray<readonly [string, number, readonly Step[]]>) {
		story('sendMessage', `sets policy ${value} for a topic as ${setting} says`, [
			[`alice PATCH /api/v1/settings ${setting}`, {}],
			[`bob ${TO_LUNCH}soup`],
			[`bob ${TO_LUNCH}tea`, like({id: '$tea'})],
			...before,
			[`alice ${TO_LUNCH}bread`, told(value * starting)],
			[`alice ${TO_LUNCH}soup`, told(value * sending)],
			['alice POST /api/v1/messages/$tea/reactions emoji_name=tada', {}],
			kept('alice', {bread: value * starting, soup: value * sending, tea: value * reacting}),
		]);
	}
}

story('sendMessage', 'following wins over unmuting and over what was set; nothing is lowered or set twice', [
	[
		'alice PATCH /api/v1/settings ' +
			'automatically_follow_topics_policy=2&automatically_unmute_topics_in_muted_streams_policy=2',
		{},
	],
	[MUTE_LUNCH],
	['alice POST /api/v1/user_topics stream_id=2&topic=muted&visibility_policy=1'],
	['alice POST /api/v1/user_topics stream_id=2&topic=unmuted&visibility_policy=2'],
	[`alice ${TO_LUNCH}none`, told(3)],
	[`alice ${TO_LUNCH}muted`, told(3)],
	[`alice ${TO_LUNCH}unmuted`, told(3)],
	[
		'alice PATCH /api/v1/settings ' +
			'automatically_follow_topics_policy=4&automatically_unmute_topics_in_muted_streams_policy=1',
		{},
	],
	[`alice ${TO_LUNCH}none`, told(0)],
	kept('alice', {muted: 3, none: 3, unmuted: 3}),
]);

story('sendMessage', 'sends the policy to the sender in muted_topics and user_topic', [
	{listen: 'alice', to: 'muted_topics,user_topic'},
	[`alice ${TO_LUNCH}soup`, told(3)],
	{
		heard: 'alice',
		events: [
			{type: 'muted_topics', muted_topics: []},
			{type: 'user_topic', stream_id: 2, topic_name: 'soup', visibility_policy: 3, last_updated: '<integer>'},
		],
	},
]);

story(
	'createScheduledMessage',
	'follows the topic of a scheduled message when it is sent',
	[
		{listen: 'alice', to: 'user_topic'},
		[`alice ${SCHEDULE}&to=2&topic=later`],
		{heard: 'alice', events: []},
		{advanceMs: 180_000},
		{heard: 'alice', events: [like({visibility_policy: 3})]},
	],
	{now: NOW},
);

const MENTION = 'POST /api/v1/messages type=stream&to=lunch';

story('sendMessage', 'mentioned users follow the topic, unless they muted it or turned that off', [
	['alice POST /api/v1/user_topics stream_id=2&topic=muted&visibility_policy=1'],
	['carla PATCH /api/v1/settings automatically_follow_topics_where_mentioned=false', {}],
	[`bob ${MENTION}&topic=soup&content=@**Alice+Ahn**+@**Carla+Cruz**`],
	[`bob ${MENTION}&topic=tea&content=@*kitchen*`],
	[`bob ${MENTION}&topic=muted&content=@**Alice+Ahn**`],
	[`bob ${MENTION}&topic=silent&content=@_**Alice+Ahn**`],
	[`bob ${MENTION}&topic=everybody&content=@**all**`],
	kept('alice', {muted: 1, soup: 3, tea: 3}),
	kept('carla', {}),
]);

story('sendMessage', 'a topic starts with the first message that its sender may read', [
	[`olivia ${SAY}&to=staff&topic=soup`],
	[`mona ${SAY}&to=staff&topic=soup`, told(0)],
	['olivia POST /api/v1/users/me/subscriptions subscriptions=[{"name":"staff"}]&principals=[4]'],
	[`alice ${SAY}&to=staff&topic=soup`, told(3)],
]);

story('sendMessage', 'bots follow neither topics that they start nor topics where they are mentioned', [
	[`echo-bot ${TO_LUNCH}soup`, told(0)],
	[`alice ${MENTION}&topic=bread&content=@**echo**`],
	kept('echo-bot', {}),
]);

story('sendMessage', 'a direct message sets no policy', [
	['alice POST /api/v1/messages type=direct&to=bob%40bothy.example&content=x', told(0)],
	kept('alice', {}),
]);

for (const [featureLevel, field, policy] of [
	[218, 3, 3],
	[217, 0, 3],
	[213, 0, 0],
] as const) {
	story(
		'sendMessage',
		`tells of policy ${field} and sets policy ${policy} for a new topic at feature level ${featureLevel}`,
		[[`alice ${TO_LUNCH}soup`, told(field)], kept('alice', {soup: policy})],
		{featureLevel},
	);
}

for (const [featureLevel, policy] of [
	[235, 3],
	[234, 0],
] as const) {
	story(
		'sendMessage',
		`sets policy ${policy} for a topic with a mention at feature level ${featureLevel}`,
		[[`bob ${MENTION}&topic=soup&content=@**Alice+Ahn**`], kept('alice', {soup: policy})],
		{featureLevel},
	);
}

answers('register', {
	'tells how the empty topic is displayed': [
		'alice POST /api/v1/register event_types=["realm"]',
		like({realm_empty_topic_display_name: 'general chat'}),
	],
});
