import {clientCalls} from '../kit/client-calls.js';
import {answers, like, missingArgument, notFound, refusal, type Step, story} from '../kit/story.js';
import {finds, topicsAre} from '../kit/user-topics-kit.js';

const SET = 'POST /api/v1/user_topics';
const MUTE = 'PATCH /api/v1/users/me/subscriptions/muted_topics';
const KNOWS_EMPTY = '&client_capabilities={"notification_settings_null":true,"empty_topic_name":true}';
const INVALID = 'Invalid channel ID';

clientCalls('updateUserTopic', {
	'writes channel, topic and policy': [
		{stream_id: 7, topic: 'soup & more', visibility_policy: 3},
		'POST /api/v1/user_topics stream_id=7&topic=soup+%26+more&visibility_policy=3',
	],
});

clientCalls('muteTopic', {
	'writes the ID of the channel': [
		{stream_id: 7, topic: 'soup', op: 'add'},
		'PATCH /api/v1/users/me/subscriptions/muted_topics stream_id=7&topic=soup&op=add',
	],
	'writes the name of the channel': [
		{stream: 'general', topic: 'soup', op: 'remove'},
		'PATCH /api/v1/users/me/subscriptions/muted_topics stream=general&topic=soup&op=remove',
	],
});

/** The event about a topic. */
const changed = (topic_name: string, visibility_policy: number) => ({
	type: 'user_topic',
	stream_id: 1,
	topic_name,
	visibility_policy,
	last_updated: '<integer>',
});

const mutedIs = (who: string, ...rows: ReadonlyArray<readonly [string, string]>): Step => [
	`${who} POST /api/v1/register event_types=["muted_topics"]`,
	like({muted_topics: rows.map(row => [...row, '<integer>'])}),
];

for (const policy of [1, 2, 3]) {
	story('updateUserTopic', `stores policy ${policy} for a topic without messages, and 0 removes it`, [
		[`alice ${SET} stream_id=1&topic=Nobody+Wrote+Here&visibility_policy=${policy}`, {}],
		topicsAre('alice', 1, {'Nobody Wrote Here': policy}),
		[`alice ${SET} stream_id=1&topic=nobody+wrote+here&visibility_policy=0`, {}],
		topicsAre('alice', 1, {}),
	]);
}

story('updateUserTopic', 'sends muted_topics, then user_topic, to the caller only, and nothing if nothing changes', [
	{listen: 'alice', to: 'muted_topics,user_topic'},
	{listen: 'bob', to: 'muted_topics,user_topic'},
	[`alice ${SET} stream_id=1&topic=soup&visibility_policy=1`, {}],
	[`alice ${SET} stream_id=1&topic=SOUP&visibility_policy=1`, {}],
	[`alice ${SET} stream_id=1&topic=other&visibility_policy=0`, {}],
	[`alice ${SET} stream_id=1&topic=soup&visibility_policy=3`, {}],
	{
		heard: 'alice',
		events: [
			{type: 'muted_topics', muted_topics: [['general', 'soup', '<integer>']]},
			changed('soup', 1),
			{type: 'muted_topics', muted_topics: []},
			changed('soup', 3),
		],
	},
	{heard: 'bob', events: []},
]);

story('updateUserTopic', 'reads the display name as the empty topic, and (no topic) as it is', [
	{listen: 'alice', to: 'user_topic', form: KNOWS_EMPTY, as: 'aware'},
	{listen: 'alice', to: 'user_topic', as: 'plain'},
	[`alice ${SET} stream_id=1&topic=general+chat&visibility_policy=1`, {}],
	[`alice ${SET} stream_id=1&topic=&visibility_policy=3`, {}],
	[`alice ${SET} stream_id=1&topic=%28no+topic%29&visibility_policy=2`, {}],
	topicsAre('alice', 1, {'': 3, '(no topic)': 2}, KNOWS_EMPTY),
	topicsAre('alice', 1, {'general chat': 3, '(no topic)': 2}),
	{heard: 'aware', events: [changed('', 1), changed('', 3), changed('(no topic)', 2)]},
	{heard: 'plain', events: [changed('general chat', 1), changed('general chat', 3), changed('(no topic)', 2)]},
]);

for (const [featureLevel, name] of [
	[333, 'general chat'],
	[334, ''],
] as const) {
	story(
		'updateUserTopic',
		`reads the display name as "${name}" at feature level ${featureLevel}`,
		[
			['bob POST /api/v1/messages type=channel&to=lunch&topic=general+chat&content=said'],
			[`alice ${SET} stream_id=2&topic=general+chat&visibility_policy=3`, {}],
			finds('alice', '[["channel","lunch"],["is","followed"]]', 'said'),
			topicsAre('alice', 2, {[name]: 3}, KNOWS_EMPTY),
		],
		{featureLevel},
	);
}

story('updateUserTopic', 'followed, muted and unmuted topics are found in narrows', [
	...['soup', 'bread', 'tea', 'plain'].map(
		topic => [`bob POST /api/v1/messages type=channel&to=lunch&topic=${topic}&content=${topic}`] as const,
	),
	[`alice ${SET} stream_id=2&topic=Soup&visibility_policy=3`, {}],
	[`alice ${SET} stream_id=2&topic=bread&visibility_policy=1`, {}],
	[`alice ${SET} stream_id=2&topic=tea&visibility_policy=2`, {}],
	finds('alice', '[["channel","lunch"],["is","followed"]]', 'soup'),
	finds(
		'alice',
		'[["channel","lunch"],{"operator":"is","operand":"followed","negated":true}]',
		'bread',
		'tea',
		'plain',
	),
	finds('alice', '[["channel","lunch"],["is","muted"]]', 'bread'),
	finds('alice', '[["channel","lunch"],["in","home"]]', 'soup', 'tea', 'plain'),
	finds('bob', '[["channel","lunch"],["is","muted"]]'),
	[
		'alice POST /api/v1/users/me/subscriptions/properties ' +
			'subscription_data=[{"stream_id":2,"property":"is_muted","value":true}]',
	],
	finds('alice', '[["channel","lunch"],["is","muted"]]', 'bread', 'plain'),
	finds('alice', '[["channel","lunch"],["in","home"]]', 'soup', 'tea'),
	// Adam is not subscribed.
	[`adam ${SET} stream_id=2&topic=soup&visibility_policy=3`, {}],
	finds('adam', '[["channel","lunch"],["is","followed"]]', 'soup'),
]);

story('updateUserTopic', 'takes policies from bots and for channels without subscription', [
	[`echo-bot ${SET} stream_id=2&topic=soup&visibility_policy=1`, {}],
	mutedIs('echo-bot', ['lunch', 'soup']),
]);

answers('updateUserTopic', {
	'is not found at feature level 169': [
		`alice ${SET} stream_id=1&topic=soup&visibility_policy=1`,
		notFound(),
		{featureLevel: 169},
	],
	'takes a topic of 60 characters': [
		`alice ${SET} stream_id=1&topic=${encodeURIComponent('🥣'.repeat(60))}&visibility_policy=1`,
		{},
	],
	'refuses 61 characters before a bad policy': [
		`alice ${SET} stream_id=1&topic=${'a'.repeat(61)}&visibility_policy=9`,
		'topic is too long (limit: 60 characters)',
	],
	'refuses a hidden channel': [`alice ${SET} stream_id=4&topic=soup&visibility_policy=3`, INVALID],
	'resets in a hidden channel': [`alice ${SET} stream_id=4&topic=soup&visibility_policy=0`, {}],
	'refuses an archived channel': [`alice ${SET} stream_id=5&topic=soup&visibility_policy=3`, INVALID],
	'resets in an archived channel': [`alice ${SET} stream_id=5&topic=soup&visibility_policy=0`, {}],
	'refuses an unknown channel': [`alice ${SET} stream_id=4711&topic=x&visibility_policy=0`, INVALID],
	'refuses a missing channel': [`alice ${SET} topic=x&visibility_policy=1`, missingArgument('stream_id')],
	'refuses a missing topic': [`alice ${SET} stream_id=1&visibility_policy=1`, missingArgument('topic')],
	'refuses a missing policy': [`alice ${SET} stream_id=1&topic=x`, missingArgument('visibility_policy')],
	'refuses stream_id=abc': [`alice ${SET} stream_id=abc&topic=x&visibility_policy=1`, 'stream_id is not valid JSON'],
	'refuses an unknown policy': [
		`alice ${SET} stream_id=1&topic=x&visibility_policy=4`,
		'Invalid visibility_policy: Value error, Not in the list of possible values',
	],
	'refuses a policy in quotes': [
		`alice ${SET} stream_id=1&topic=x&visibility_policy=%221%22`,
		'visibility_policy is not an integer',
	],
});

for (const channel of ['stream_id=1', 'stream=General']) {
	story('muteTopic', `mutes and unmutes a topic by ${channel}, and a repetition brings no event`, [
		{listen: 'alice', to: 'user_topic'},
		[`alice ${MUTE} ${channel}&topic=soup&op=add`, {}],
		mutedIs('alice', ['general', 'soup']),
		topicsAre('alice', 1, {soup: 1}),
		[`alice ${MUTE} ${channel}&topic=soup&op=add`, {}],
		[`alice ${MUTE} ${channel}&topic=Soup&op=remove`, {}],
		topicsAre('alice', 1, {}),
		[`alice ${MUTE} ${channel}&topic=soup&op=remove`, {}],
		{heard: 'alice', events: [changed('soup', 1), changed('Soup', 0)]},
	]);
}

story('muteTopic', 'unmuting leaves a followed topic followed', [
	[`alice ${SET} stream_id=1&topic=soup&visibility_policy=3`],
	[`alice ${MUTE} stream_id=1&topic=soup&op=remove`, {}],
	topicsAre('alice', 1, {soup: 3}),
]);

for (const featureLevel of [169, 496]) {
	const muted = (...topics: string[]): Step => [
		'alice POST /api/v1/register event_types=["muted_topics"]',
		like({muted_topics: topics.map(topic => ['lunch', topic, '<integer>'])}),
	];
	story(
		'muteTopic',
		`mutes general chat like the messages sent to it at feature level ${featureLevel}`,
		[
			['bob POST /api/v1/messages type=stream&to=lunch&topic=general+chat&content=said'],
			[`alice ${MUTE} stream=lunch&topic=general+chat&op=add`, {}],
			muted(featureLevel === 169 ? 'general chat' : ''),
			[`alice ${MUTE} stream=lunch&topic=general+chat&op=remove`, {}],
			muted(),
		],
		{featureLevel},
	);
}

story(
	'muteTopic',
	'refuses repetitions at feature level 169',
	[
		[`alice ${MUTE} stream=general&topic=soup&op=remove`, 'Topic is not muted'],
		[`alice ${MUTE} stream=general&topic=soup&op=add`, {}],
		[`alice ${MUTE} stream=general&topic=soup&op=add`, 'Topic already muted'],
		mutedIs('alice', ['general', 'soup']),
	],
	{featureLevel: 169},
);

answers('muteTopic', {
	'refuses to mute without subscription': [
		`adam ${MUTE} stream=lunch&topic=soup&op=add`,
		"Not subscribed to channel 'lunch'",
	],
	'refuses to unmute without subscription': [
		`adam ${MUTE} stream=lunch&topic=soup&op=remove`,
		"Not subscribed to channel 'lunch'",
	],
	'refuses a missing channel': [`alice ${MUTE} topic=soup&op=add`, "Missing 'stream_id' argument"],
	'refuses both ID and name': [
		`alice ${MUTE} stream_id=1&stream=general&topic=soup&op=add`,
		refusal('400 Bad Request', 'Unsupported parameter combination: stream_id, stream', {
			parameters: 'stream_id, stream',
		}),
	],
	'refuses a missing topic': [`alice ${MUTE} stream_id=1&op=add`, missingArgument('topic')],
	'refuses a missing op': [`alice ${MUTE} stream_id=1&topic=soup`, missingArgument('op')],
	'refuses an unknown op': [`alice ${MUTE} stream_id=1&topic=soup&op=toggle`, 'Invalid op'],
	'refuses 61 characters': [
		`alice ${MUTE} stream_id=1&topic=${'a'.repeat(61)}&op=add`,
		'topic is too long (limit: 60 characters)',
	],
	'refuses an unknown ID': [`alice ${MUTE} stream_id=4711&topic=soup&op=add`, INVALID],
	'refuses to unmute with an unknown ID': [`alice ${MUTE} stream_id=4711&topic=soup&op=remove`, 'Topic is not muted'],
	'refuses an unknown name': [`alice ${MUTE} stream=nope&topic=soup&op=add`, "Invalid channel name 'nope'"],
	'refuses a hidden channel': [`alice ${MUTE} stream=staff&topic=soup&op=add`, "Invalid channel name 'staff'"],
	'refuses an archived channel': [`alice ${MUTE} stream=attic&topic=soup&op=add`, "Invalid channel name 'attic'"],
});
