import {clientCalls} from './kit/client-calls.js';
import {
	answers,
	inAnyOrder,
	including,
	like,
	missingArgument,
	named,
	notFound,
	refusal,
	type Step,
	since,
	story,
} from './kit/story.js';

const STREAM = `{"stream_id":1,"name":"general","is_archived":false,"description":"*All*",\
"rendered_description":"<p><em>All</em></p>","date_created":1691057093,"creator_id":null,"invite_only":false,\
"is_web_public":false,"stream_post_policy":1,"is_announcement_only":false,"message_retention_days":null,\
"history_public_to_subscribers":true,"topics_policy":"inherit","first_message_id":null,"folder_id":null,\
"is_recently_active":true,"can_add_subscribers_group":{"direct_members":[5],"direct_subgroups":[10,11]},\
"can_remove_subscribers_group":10,"can_administer_channel_group":{"direct_members":[],"direct_subgroups":[]},\
"can_delete_any_message_group":9,"can_delete_own_message_group":9,"can_move_messages_out_of_channel_group":9,\
"can_move_messages_within_channel_group":9,"can_create_topic_group":9,"can_resolve_topics_group":9,\
"can_send_message_group":9,"can_subscribe_group":9,"subscriber_count":12,"stream_weekly_traffic":null}`;
const OLD_STREAM = `{"stream_id":7,"name":"Denmark","is_archived":false,"description":"A *country*",\
"rendered_description":"<p>A <em>country</em></p>","date_created":1691057093,"creator_id":null,"invite_only":false,\
"is_web_public":false,"message_retention_days":null,"history_public_to_subscribers":true,"first_message_id":1}`;

clientCalls('getStreams', {
	'writes booleans into the query': [
		{
			include_public: false,
			include_web_public: true,
			include_subscribed: false,
			exclude_archived: false,
			include_all: true,
			include_default: true,
			include_owner_subscribed: true,
			include_can_access_content: true,
			include_all_active: true,
		},
		'GET /api/v1/streams?include_public=false&include_web_public=true&include_subscribed=false&exclude_archived=false&include_all=true&include_default=true&include_owner_subscribed=true&include_can_access_content=true&include_all_active=true',
		'"streams":[]',
	],
	'reads every field of a channel': [
		{},
		'GET /api/v1/streams',
		`"streams":[${STREAM}]`,
		{streams: [JSON.parse(STREAM)]},
	],
});

clientCalls('getStreamById', {
	'writes the ID into the path, and reads a channel of an old server': [
		{stream_id: 7},
		'GET /api/v1/streams/7',
		`"stream":${OLD_STREAM}`,
		{stream: JSON.parse(OLD_STREAM)},
	],
});

clientCalls('getStreamId', {
	'writes the name into the query': [
		{stream: 'Denmark & more'},
		'GET /api/v1/get_stream_id?stream=Denmark+%26+more',
		'"stream_id":15',
	],
});

clientCalls('getStreamEmailAddress', {
	'writes the channel into the path, and who posts into the query': [
		{stream_id: 7, sender_id: 9},
		'GET /api/v1/streams/7/email_address?sender_id=9',
		'"email":"lunch.af64447e9e39374841063747ade8e6b0.show-sender@chat.example.com"',
	],
});

clientCalls('getSubscribers', {
	'writes the channel into the path': [{stream_id: 7}, 'GET /api/v1/streams/7/members', '"subscribers":[11,26]'],
});

clientCalls('getStreamTopics', {
	'writes the channel into the path, and reads topics with their newest messages': [
		{stream_id: 7, allow_empty_topic_name: true},
		'GET /api/v1/users/me/7/topics?allow_empty_topic_name=true',
		'"topics":[{"name":"","max_id":26},{"name":"Denmark3","max_id":20}]',
	],
});

const GROUPS = [
	'can_add_subscribers_group',
	'can_remove_subscribers_group',
	'can_administer_channel_group',
	'can_delete_any_message_group',
	'can_delete_own_message_group',
	'can_move_messages_out_of_channel_group',
	'can_move_messages_within_channel_group',
	'can_create_topic_group',
	'can_resolve_topics_group',
	'can_send_message_group',
	'can_subscribe_group',
];

const GENERAL = {
	stream_id: 1,
	name: 'general',
	is_archived: false,
	description: 'For everyone and everything',
	rendered_description: '<p>For everyone and everything</p>',
	date_created: '<integer>',
	creator_id: '<integer>',
	invite_only: false,
	is_web_public: false,
	stream_post_policy: 1,
	is_announcement_only: false,
	message_retention_days: null,
	history_public_to_subscribers: true,
	topics_policy: 'inherit',
	first_message_id: '<integer>',
	folder_id: null,
	is_recently_active: true,
	...Object.fromEntries(GROUPS.map(name => [name, '<integer>'])),
	subscriber_count: '<integer>',
	stream_weekly_traffic: null,
};

story('getStreams', 'gives channels with every field', [
	['alice GET /api/v1/streams', {streams: ['<any>', GENERAL, '<any>', '<any>']}],
	[
		'alice GET /api/v1/streams/3',
		{stream: like({name: 'announcements', stream_post_policy: 4, is_announcement_only: false, is_web_public: true})},
	],
	['alice GET /api/v1/streams/2', {stream: like({name: 'lunch', first_message_id: null})}],
	['mona GET /api/v1/streams/4', {stream: like({invite_only: true, history_public_to_subscribers: false})}],
]);

story('getStreamById', 'gives a channel as the list does', [
	['alice GET /api/v1/streams', {streams: ['<any>', '<any>', '$lunch', '<any>']}],
	['alice GET /api/v1/streams/2', {stream: '$lunch'}],
]);

story(
	'getStreams',
	'derives the post policy from who may send, and only 2 makes an announcement channel',
	(
		[
			['2', 1, false],
			['6', 2, true],
			['4', 3, false],
			['5', 4, false],
			['7', 1, false],
			['{"direct_members":[4],"direct_subgroups":[6]}', 1, false],
		] as const
	).flatMap(([group, stream_post_policy, is_announcement_only]) => [
		[`olivia PATCH /api/v1/streams/2 can_send_message_group={"new":${group}}`],
		['olivia GET /api/v1/streams/2', {stream: like({stream_post_policy, is_announcement_only})}],
	]),
);

const DAY = 24 * 3600 * 1000;
const SAY = 'alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=x';
const LUNCH = 'alice GET /api/v1/streams/2';

story('getStreams', 'a channel has weekly traffic once it is a week old, and is active while people write', [
	[LUNCH, {stream: like({stream_weekly_traffic: null, is_recently_active: true})}],
	{advanceMs: 14 * DAY},
	[LUNCH, {stream: like({stream_weekly_traffic: 0, is_recently_active: true})}],
	[SAY],
	[SAY],
	[SAY],
	[SAY],
	[LUNCH, {stream: like({stream_weekly_traffic: 2, is_recently_active: true})}],
	{advanceMs: 181 * DAY},
	[LUNCH, {stream: like({stream_weekly_traffic: 0, is_recently_active: false})}],
]);

const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
const ALL = ['announcements', 'general', 'lunch', 'plaza', 'staff'];
const NONE = 'include_public=false&include_subscribed=false';

for (const [who, query, names] of [
	['alice', '', OPEN],
	['adam', '', ALL],
	['gus', '', ['announcements', 'general']],
	['bob', 'include_public=false', ['announcements', 'general', 'lunch']],
	['alice', 'include_public=true&include_subscribed=false', OPEN],
	['alice', NONE, []],
	['adam', 'include_subscribed=false', OPEN],
	['adam', 'include_subscribed=true&include_public=false', ['announcements', 'general', 'plaza', 'staff']],
	['adam', NONE, []],
	['alice', `${NONE}&include_web_public=true`, ['announcements']],
	['alice', `${NONE}&include_web_public=false`, []],
	['alice', 'exclude_archived=false', ['announcements', 'attic', 'general', 'lunch', 'plaza']],
	['olivia', 'include_all=true&exclude_archived=true', ALL],
	['olivia', 'include_all=true&exclude_archived=false', ['announcements', 'attic', ...ALL.slice(1)]],
	['alice', 'include_all=true', OPEN],
	['olivia', `${NONE}&include_all=true`, ALL],
	['olivia', `${NONE}&include_all=false`, []],
	['alice', `${NONE}&include_default=true`, ['general']],
	['alice', `${NONE}&include_default=false`, []],
	['alice', `${NONE}&include_can_access_content=true`, OPEN],
	['alice', `${NONE}&include_can_access_content=false`, []],
	['gus', `${NONE}&include_can_access_content=true`, ['announcements', 'general']],
	['olivia', `${NONE}&include_all_active=true`, ALL],
	['olivia', `${NONE}&include_all_active=false`, []],
	['alice', `${NONE}&include_owner_subscribed=true`, []],
	['echo-bot', `${NONE}&include_owner_subscribed=true`, ['announcements', 'general', 'plaza', 'staff']],
	['echo-bot', `${NONE}&include_owner_subscribed=false`, []],
] as const) {
	answers('getStreams', {
		[`lists channels, sorted by name, to ${who}: ${query || 'no filter'}`]: [
			`${who} GET /api/v1/streams?${query}`,
			{streams: named(...names)},
		],
	});
}

story('getStreams', 'lists no default channel that a guest may not see', [
	['olivia PATCH /api/v1/streams/2 is_default_stream=true'],
	[`gus GET /api/v1/streams?${NONE}&include_default=true`, {streams: named('general')}],
]);

story('getStreams', 'lists a private channel to a member who may administer it', [
	['olivia PATCH /api/v1/streams/4 can_administer_channel_group={"new":{"direct_members":[4],"direct_subgroups":[]}}'],
	['alice GET /api/v1/streams?include_all=true', {streams: named(...ALL)}],
]);

answers('getStreams', {
	'omits is_default unless asked': [
		'alice GET /api/v1/streams',
		like({streams: including(like({name: 'general', is_default: undefined}))}),
	],
	'gives is_default if asked': [
		'alice GET /api/v1/streams?include_default=true',
		like({streams: including(like({name: 'general', is_default: true}))}),
	],
	'names parameters that it does not know': [
		'alice GET /api/v1/streams?colour=red&include_public=true',
		like({ignored_parameters_unsupported: ['colour']}),
	],
	'refuses all active channels to a member': [
		'alice GET /api/v1/streams?include_all_active=true',
		'User not authorized for this query',
	],
	'refuses the first of two bad parameters': [
		'alice GET /api/v1/streams?include_default=1&include_public=1',
		'include_public is not a boolean',
	],
});
for (const name of ['include_public', 'include_web_public', 'include_subscribed', 'exclude_archived', 'include_all']) {
	answers('getStreams', {
		[`refuses ${name}=True`]: [`alice GET /api/v1/streams?${name}=True`, `${name} is not valid JSON`],
		[`refuses ${name}=1`]: [`alice GET /api/v1/streams?${name}=1`, `${name} is not a boolean`],
	});
}

for (const [name, level, request, below, from] of [
	[
		'exclude_archived',
		315,
		'alice GET /api/v1/streams?exclude_archived=false',
		OPEN,
		['announcements', 'attic', ...OPEN.slice(1)],
	],
	['include_all', 356, `olivia GET /api/v1/streams?${NONE}&include_all=true`, [], ALL],
	['include_can_access_content', 356, `alice GET /api/v1/streams?${NONE}&include_can_access_content=true`, [], OPEN],
] as const) {
	const look = (names: readonly string[]) => like({streams: named(...names)});
	since('getStreams', name, {level, request, look: request, below: look(below), from: look(from)});
}

const INVALID = 'Invalid channel ID';

answers('getStreamById', {
	'refuses a private channel of others': ['alice GET /api/v1/streams/4', INVALID],
	'refuses an archived channel': ['olivia GET /api/v1/streams/5', INVALID],
	'refuses a public channel to a guest outside it': ['gus GET /api/v1/streams/2', INVALID],
	'refuses an unknown channel': ['alice GET /api/v1/streams/4711', INVALID],
});

answers('getStreamId', {
	'finds general in another case': ['alice GET /api/v1/get_stream_id?stream=GENERAL', {stream_id: 1}],
	'finds lunch in another case': ['alice GET /api/v1/get_stream_id?stream=LUNCH', {stream_id: 2}],
	'refuses an unknown channel': ['alice GET /api/v1/get_stream_id?stream=nowhere', "Invalid channel name 'nowhere'"],
	'refuses a private channel of others': [
		'alice GET /api/v1/get_stream_id?stream=staff',
		"Invalid channel name 'staff'",
	],
	'refuses an archived channel': ['olivia GET /api/v1/get_stream_id?stream=attic', "Invalid channel name 'attic'"],
	'refuses a public channel to a guest outside it': [
		'gus GET /api/v1/get_stream_id?stream=lunch',
		"Invalid channel name 'lunch'",
	],
	'refuses an empty request': ['alice GET /api/v1/get_stream_id', missingArgument('stream')],
});

const ADDRESS = /^lunch\.[\da-f]{32}\.show-sender@bothy\.example$/;

answers('getStreamEmailAddress', {
	'gives an address': ['alice GET /api/v1/streams/2/email_address', {email: ADDRESS}],
	'gives an address with which one posts oneself': [
		'alice GET /api/v1/streams/2/email_address?sender_id=4',
		{email: ADDRESS},
	],
	'refuses to post as somebody else': ['alice GET /api/v1/streams/2/email_address?sender_id=5', 'No such bot'],
	'refuses who may not post': [
		'alice GET /api/v1/streams/3/email_address',
		'You do not have permission to post in this channel.',
	],
	'refuses a private channel of others': ['alice GET /api/v1/streams/4/email_address', INVALID],
	'refuses an unknown channel': ['alice GET /api/v1/streams/4711/email_address', INVALID],
});

story('getStreamEmailAddress', 'leaves a name out that is not ASCII, and makes one word of a name', [
	['alice POST /api/v1/users/me/subscriptions subscriptions=[{"name":"café"},{"name":"R / D!"}]'],
	['alice GET /api/v1/get_stream_id?stream=caf%C3%A9', {stream_id: '$cafe'}],
	['alice GET /api/v1/streams/$cafe/email_address', {email: /^[\da-f]{32}\.show-sender@/}],
	['alice GET /api/v1/get_stream_id?stream=R%20/%20D!', {stream_id: '$rd'}],
	['alice GET /api/v1/streams/$rd/email_address', {email: /^R-D\.[\da-f]{32}\.show-sender@/}],
]);

answers('getSubscribers', {
	'lists the subscribers of a private channel by ID': [
		'olivia GET /api/v1/streams/4/members',
		{subscribers: [1, 2, 3]},
	],
	'lists the subscribers of a public channel to others': [
		'olivia GET /api/v1/streams/2/members',
		{subscribers: [3, 4, 5, 6]},
	],
	'refuses a private channel of others': ['alice GET /api/v1/streams/4/members', INVALID],
	'refuses an archived channel': ['olivia GET /api/v1/streams/5/members', INVALID],
	'refuses a public channel to a guest outside it': ['gus GET /api/v1/streams/2/members', INVALID],
	'refuses an unknown channel': ['alice GET /api/v1/streams/4711/members', INVALID],
});

const TOPICS = 'alice GET /api/v1/users/me/2/topics';

story('getStreamTopics', 'lists each topic once, newest first, the empty one under its display name or empty', [
	[TOPICS, {topics: []}],
	['alice POST /api/v1/messages type=channel&to=lunch&topic=soup&content=x'],
	['alice POST /api/v1/messages type=channel&to=lunch&topic=&content=x', like({id: '$empty'})],
	['alice POST /api/v1/messages type=channel&to=lunch&topic=Bread&content=x', like({id: '$bread'})],
	['alice POST /api/v1/messages type=channel&to=lunch&topic=SOUP&content=x', like({id: '$soup'})],
	[
		TOPICS,
		{
			topics: [
				{name: /^soup$/i, max_id: '$soup'},
				{name: 'Bread', max_id: '$bread'},
				{name: 'general chat', max_id: '$empty'},
			],
		},
	],
	[`${TOPICS}?allow_empty_topic_name=true`, {topics: ['<any>', '<any>', {name: '', max_id: '$empty'}]}],
]);

answers('getStreamTopics', {
	'names parameters that it does not know': [
		`${TOPICS}?colour=red`,
		like({ignored_parameters_unsupported: ['colour']}),
	],
	'refuses a private channel of others': ['alice GET /api/v1/users/me/4/topics', INVALID],
	'refuses a public channel to a guest outside it': ['gus GET /api/v1/users/me/2/topics', INVALID],
	'refuses an archived channel': ['alice GET /api/v1/users/me/5/topics', INVALID],
	'refuses an unknown channel': ['alice GET /api/v1/users/me/4711/topics', INVALID],
	'has no path for a channel that is no integer': ['alice GET /api/v1/users/me/general/topics', notFound()],
	'refuses allow_empty_topic_name=True': [
		`${TOPICS}?allow_empty_topic_name=True`,
		'allow_empty_topic_name is not valid JSON',
	],
	'refuses allow_empty_topic_name=1': [`${TOPICS}?allow_empty_topic_name=1`, 'allow_empty_topic_name is not a boolean'],
});

const ADMINISTRATORS = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});

const say = (name: string, topic: string): Step => [
	`alice POST /api/v1/messages type=channel&to=general&topic=${topic}&content=hello`,
	like({id: `$${name}`}),
];

story('addDefaultStream', 'subscribes new people to a channel, and everybody gets an event', [
	{listen: 'alice', to: 'default_streams'},
	['adam POST /api/v1/default_streams stream_id=2', {}],
	['adam POST /api/v1/default_streams stream_id=2', {}],
	{heard: 'alice', events: [{type: 'default_streams', default_streams: inAnyOrder(1, 2)}]},
	['alice POST /api/v1/default_streams stream_id=2', ADMINISTRATORS],
	['adam POST /api/v1/default_streams stream_id=4', 'Private channels cannot be made default.'],
	['adam POST /api/v1/default_streams stream_id=999', 'Invalid channel ID'],
]);

story('removeDefaultStream', 'no longer subscribes new people', [
	{listen: 'alice', to: 'default_streams'},
	['adam DELETE /api/v1/default_streams stream_id=1', {}],
	{heard: 'alice', events: [{type: 'default_streams', default_streams: []}]},
	['alice DELETE /api/v1/default_streams stream_id=1', ADMINISTRATORS],
]);

clientCalls('addDefaultStream', {'writes the ID': [{stream_id: 12}, 'POST /api/v1/default_streams stream_id=12']});

clientCalls('removeDefaultStream', {'writes the ID': [{stream_id: 12}, 'DELETE /api/v1/default_streams stream_id=12']});

clientCalls('deleteTopic', {
	'writes the topic as it is': [
		{stream_id: 5, topic_name: 'a b'},
		'POST /api/v1/streams/5/delete_topic topic_name=a+b',
		'"complete":true',
	],
});

story('deleteTopic', 'deletes the messages of a topic for everybody', [
	say('first', 'soup'),
	say('second', 'soup'),
	say('other', 'salad'),
	['alice POST /api/v1/streams/1/delete_topic topic_name=soup', ADMINISTRATORS],
	{
		listen: 'bob',
		to: 'delete_message',
		form: '&client_capabilities={"notification_settings_null":true,"bulk_message_deletion":true}',
	},
	['adam POST /api/v1/streams/1/delete_topic topic_name=soup', {complete: true}],
	['adam POST /api/v1/streams/1/delete_topic topic_name=soup', {complete: true}],
	['adam POST /api/v1/streams/999/delete_topic topic_name=soup', 'Invalid channel ID'],
	{
		heard: 'bob',
		events: [
			{type: 'delete_message', message_ids: ['$first', '$second'], message_type: 'stream', stream_id: 1, topic: 'soup'},
		],
	},
	['bob GET /api/v1/messages/$other', like({})],
]);
