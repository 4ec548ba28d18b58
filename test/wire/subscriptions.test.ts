import {CHANNEL_LEVELS} from './kit/channel-kit.js';
import {clientCalls} from './kit/client-calls.js';
import {
	answers,
	including,
	like,
	missingArgument,
	named,
	newest,
	refusal,
	type Step,
	since,
	story,
} from './kit/story.js';

const PATH = '/api/v1/users/me/subscriptions';

clientCalls('subscribe', {
	'writes channels as JSON, and every parameter after them': [
		{
			subscriptions: [{name: 'den', description: 'Quiet'}],
			invite_only: true,
			is_web_public: false,
			is_default_stream: false,
			history_public_to_subscribers: true,
			message_retention_days: 'unlimited',
			topics_policy: 'disable_empty_topic',
			can_add_subscribers_group: 1,
			can_remove_subscribers_group: 2,
			can_administer_channel_group: 3,
			can_delete_any_message_group: 4,
			can_delete_own_message_group: 5,
			can_move_messages_out_of_channel_group: 6,
			can_move_messages_within_channel_group: 7,
			can_create_topic_group: 8,
			can_resolve_topics_group: 9,
			can_send_message_group: 10,
			can_subscribe_group: {direct_members: [5], direct_subgroups: []},
			announce: true,
			principals: ['bob@bothy.example'],
			authorization_errors_fatal: false,
		},
		`POST ${PATH} subscriptions=%5B%7B%22name%22%3A%22den%22%2C%22description%22%3A%22Quiet%22%7D%5D&invite_only=true&is_web_public=false&is_default_stream=false&history_public_to_subscribers=true&message_retention_days=%22unlimited%22&topics_policy=disable_empty_topic&can_add_subscribers_group=1&can_remove_subscribers_group=2&can_administer_channel_group=3&can_delete_any_message_group=4&can_delete_own_message_group=5&can_move_messages_out_of_channel_group=6&can_move_messages_within_channel_group=7&can_create_topic_group=8&can_resolve_topics_group=9&can_send_message_group=10&can_subscribe_group=%7B%22direct_members%22%3A%5B5%5D%2C%22direct_subgroups%22%3A%5B%5D%7D&announce=true&principals=%5B%22bob%40bothy.example%22%5D&authorization_errors_fatal=false`,
		'"subscribed":{"9":["den"]},"already_subscribed":{"8":["den"]},"unauthorized":["x"]',
	],
});

clientCalls('unsubscribe', {
	'writes names and people as JSON': [
		{subscriptions: ['lunch', 'general'], principals: [5]},
		`DELETE ${PATH} subscriptions=%5B%22lunch%22%2C%22general%22%5D&principals=%5B5%5D`,
		'"removed":["lunch"],"not_removed":["general"]',
	],
});

clientCalls('updateSubscriptionSettings', {
	'writes what to set as JSON': [
		{subscription_data: [{stream_id: 7, property: 'is_muted', value: true}]},
		`POST ${PATH}/properties subscription_data=%5B%7B%22stream_id%22%3A7%2C%22property%22%3A%22is_muted%22%2C%22value%22%3Atrue%7D%5D`,
	],
});

const SUBSCRIPTION = `{"stream_id":7,"name":"Denmark","is_archived":false,"description":"","rendered_description":"",\
"date_created":1691057093,"creator_id":null,"invite_only":false,"is_web_public":false,"message_retention_days":null,\
"history_public_to_subscribers":true,"first_message_id":1,"color":"#76ce90","is_muted":false,"in_home_view":true,\
"pin_to_top":true,"desktop_notifications":null,"audible_notifications":null,"push_notifications":false,\
"email_notifications":true,"wildcard_mentions_notify":null,"subscribers":[11,26]}`;

clientCalls('getSubscriptions', {
	'writes a boolean into the query, and reads what the subscriber has set': [
		{include_subscribers: true},
		`GET ${PATH}?include_subscribers=true`,
		`"subscriptions":[${SUBSCRIPTION}]`,
		{subscriptions: [JSON.parse(SUBSCRIPTION)]},
	],
	'reads channels without their description in HTML': [
		{},
		`GET ${PATH}`,
		`"subscriptions":[${SUBSCRIPTION.replace(/"rendered_description":"[^"]*",/, '')}]`,
		{subscriptions: [JSON.parse(SUBSCRIPTION.replace(/"rendered_description":"[^"]*",/, ''))]},
	],
});

const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
const INVALID = 'Invalid channel ID';

/** Names in one of the lists that come with a new event queue. */
const lists = (who: string, list: 'subscriptions' | 'unsubscribed' | 'never_subscribed', ...names: string[]): Step => [
	`${who} POST /api/v1/register event_types=["subscription"]`,
	like({[list]: named(...names)}),
];

const subscribers = (who: string, id: number, ...ids: number[]): Step => [
	`${who} GET /api/v1/streams/${id}/members`,
	{subscribers: ids},
];

story('getSubscriptions', 'lists the subscriptions of the caller, with subscribers if asked', [
	[
		`adam GET ${PATH}?include_subscribers=false`,
		{subscriptions: [...named('announcements', 'general', 'plaza'), like({name: 'staff', subscribers: undefined})]},
	],
	[
		`adam GET ${PATH}?include_subscribers=true`,
		{subscriptions: [...named('announcements', 'general', 'plaza'), like({name: 'staff', subscribers: [1, 2, 3]})]},
	],
]);

const GENERAL_HAS = (fields: Parameters<typeof like>[0]) =>
	like({subscriptions: including(like({stream_id: 1, ...fields}))});

answers('getSubscriptions', {
	'refuses include_subscribers=1': [`alice GET ${PATH}?include_subscribers=1`, 'include_subscribers is not a boolean'],
	'omits newer fields at feature level 339': [
		`alice GET ${PATH}`,
		GENERAL_HAS({topics_policy: undefined, can_add_subscribers_group: undefined}),
		{featureLevel: 339},
	],
	'has can_add_subscribers_group at feature level 342': [
		`alice GET ${PATH}`,
		GENERAL_HAS({can_add_subscribers_group: '<any>'}),
		{featureLevel: 342},
	],
	'has topics_policy at feature level 392': [
		`alice GET ${PATH}`,
		GENERAL_HAS({topics_policy: 'inherit'}),
		{featureLevel: 392},
	],
	'omits subscriber_count at feature level 393': [
		`alice GET ${PATH}`,
		GENERAL_HAS({subscriber_count: undefined}),
		{featureLevel: 393},
	],
	'has subscriber_count at feature level 394': [
		`alice GET ${PATH}`,
		GENERAL_HAS({subscriber_count: '<integer>'}),
		{featureLevel: 394},
	],
});

story('subscribe', 'subscribes the caller, reports where they were before, and others get events', [
	{listen: 'adam', to: 'subscription'},
	{listen: 'alice', to: 'subscription'},
	{listen: 'gus', to: 'subscription'},
	[
		`adam POST ${PATH} subscriptions=[{"name":"+LUNCH+"},{"name":"general"},{"name":"lunch"}]`,
		{subscribed: {2: ['lunch']}, already_subscribed: {2: ['general']}},
	],
	subscribers('bob', 2, 2, 3, 4, 5, 6),
	[`adam POST ${PATH} subscriptions=[{"name":"lunch"}]`, {subscribed: {}, already_subscribed: {2: ['lunch']}}],
	{
		heard: 'adam',
		events: [
			{
				type: 'subscription',
				op: 'add',
				subscriptions: [
					like({
						stream_id: 2,
						name: 'lunch',
						color: /^#[\da-f]{6}$/,
						is_muted: false,
						in_home_view: true,
						pin_to_top: false,
						desktop_notifications: null,
						audible_notifications: null,
						push_notifications: null,
						email_notifications: null,
						wildcard_mentions_notify: null,
						subscriber_count: 5,
						subscribers: [2, 3, 4, 5, 6],
					}),
				],
			},
		],
	},
	{heard: 'alice', events: [{type: 'subscription', op: 'peer_add', stream_ids: [2], user_ids: [2]}]},
	{heard: 'gus', events: []},
]);

const ADAM_TO_LUNCH = `adam POST ${PATH} subscriptions=[{"name":"lunch"}]`;

answers('subscribe', {
	'names people by email at feature level 288': [
		ADAM_TO_LUNCH,
		like({subscribed: {'adam@bothy.example': ['lunch']}}),
		{featureLevel: 288},
	],
	'names people by ID at feature level 289': [ADAM_TO_LUNCH, like({subscribed: {2: ['lunch']}}), {featureLevel: 289}],
	'takes an empty list of principals for the caller': [
		`${ADAM_TO_LUNCH}&principals=[]`,
		like({subscribed: {2: ['lunch']}}),
	],
});

story('subscribe', 'creates a channel that does not exist, and users who may see it get events', [
	{listen: 'alice', to: 'stream,subscription'},
	{listen: 'bob', to: 'stream'},
	{listen: 'gus', to: 'stream'},
	[
		`alice POST ${PATH} subscriptions=[{"name":"den","description":"Quiet\\nand+warm"}]`,
		like({subscribed: {4: ['den']}}),
	],
	[
		'bob GET /api/v1/streams?include_default=true',
		{
			streams: including(
				like({
					name: 'den',
					description: 'Quiet and warm',
					rendered_description: '<p>Quiet and warm</p>',
					creator_id: 4,
					invite_only: false,
					is_web_public: false,
					history_public_to_subscribers: true,
					is_default: false,
					topics_policy: 'inherit',
					message_retention_days: null,
					first_message_id: '<integer>',
					subscriber_count: 1,
					can_administer_channel_group: {direct_members: [4], direct_subgroups: []},
				}),
			),
		},
	],
	{
		heard: 'bob',
		events: [{type: 'stream', op: 'create', streams: [like({name: 'den', creator_id: 4})]}],
	},
	{heard: 'alice', events: [like({type: 'stream', op: 'create'}), like({type: 'subscription', op: 'add'})]},
	{heard: 'gus', events: []},
]);

story('subscribe', 'creates a private channel that only its subscribers and administrators see', [
	{listen: 'bob', to: 'stream'},
	{listen: 'adam', to: 'stream'},
	[`alice POST ${PATH} subscriptions=[{"name":"den"}]&invite_only=true`],
	{heard: 'bob', events: []},
	{heard: 'adam', events: [like({op: 'create'})]},
	['bob GET /api/v1/streams?include_all=true', {streams: named(...OPEN)}],
	['alice GET /api/v1/streams/7', {stream: like({invite_only: true, history_public_to_subscribers: false})}],
	[`bob POST ${PATH} subscriptions=[{"name":"den"}]`, 'Unable to access channel (den).'],
	[`adam POST ${PATH} subscriptions=[{"name":"den"}]`, 'Unable to access channel (den).'],
]);

const OPEN_DEN = `alice POST ${PATH} subscriptions=[{"name":"den"}]&invite_only=true&history_public_to_subscribers=true`;

story('subscribe', 'subscribers of a private channel subscribe others, who get the channel first', [
	[OPEN_DEN],
	['alice POST /api/v1/messages type=channel&to=den&topic=x&content=before'],
	{listen: 'bob', to: 'stream,subscription'},
	[
		`alice POST ${PATH} subscriptions=[{"name":"den"}]&principals=["BOB@bothy.example"]`,
		like({subscribed: {5: ['den']}}),
	],
	{heard: 'bob', events: [like({type: 'stream', op: 'create'}), like({type: 'subscription', op: 'add'})]},
	['bob GET /api/v1/users/me/7/topics', {topics: named('x', 'channel events')}],
]);

story('subscribe', 'can_subscribe_group opens a private channel and its history to its members', [
	[`${OPEN_DEN}&can_subscribe_group={"direct_members":[5],"direct_subgroups":[]}`],
	['alice POST /api/v1/messages type=channel&to=den&topic=x&content=before'],
	['bob GET /api/v1/users/me/7/topics', {topics: named('x', 'channel events')}],
	[`bob POST ${PATH} subscriptions=[{"name":"den"}]`],
	subscribers('bob', 7, 4, 5),
]);

story('subscribe', 'skips inaccessible channels if authorization_errors_fatal is false', [
	[
		`alice POST ${PATH} subscriptions=[{"name":"staff"},{"name":"attic"},{"name":"plaza"}]` +
			'&authorization_errors_fatal=false',
		{subscribed: {4: ['plaza']}, already_subscribed: {}, unauthorized: ['staff', 'attic']},
	],
]);

story('subscribe', 'changes nothing if one channel is inaccessible', [
	[
		`alice POST ${PATH} subscriptions=[{"name":"den"},{"name":"plaza"},{"name":"staff"}]`,
		'Unable to access channel (staff).',
	],
	['alice GET /api/v1/streams?include_all=true', {streams: named(...OPEN)}],
	lists('alice', 'subscriptions', 'announcements', 'general', 'lunch'),
]);

story('subscribe', 'restores what the subscriber had set', [
	[`alice POST ${PATH}/properties subscription_data=[{"stream_id":2,"property":"color","value":"#123456"}]`, {}],
	[`alice DELETE ${PATH} subscriptions=["lunch"]`],
	{listen: 'alice', to: 'subscription'},
	[`alice POST ${PATH} subscriptions=[{"name":"lunch"}]`],
	{heard: 'alice', events: [like({op: 'add', subscriptions: [like({color: '#123456'})]})]},
	lists('alice', 'unsubscribed'),
]);

story('subscribe', 'announces a new channel in a default channel', [
	[`alice POST ${PATH} subscriptions=[{"name":"den"}]&announce=true`],
	newest('bob', {
		display_recipient: 'general',
		subject: 'new channels',
		content: '@_**Alice Ahn|4** created a new channel #**den**.',
		sender_full_name: 'Notification Bot',
	}),
]);

story('subscribe', 'lets bots subscribe themselves and create channels', [
	[`echo-bot POST ${PATH} subscriptions=[{"name":"lunch"},{"name":"robots"}]`],
	lists('echo-bot', 'subscriptions', 'lunch', 'robots'),
]);

for (const [name, level, value = 5, below = undefined] of CHANNEL_LEVELS) {
	const field = name === 'is_default_stream' ? 'is_default' : name;
	since('subscribe', name, {
		level,
		request: `olivia POST ${PATH} subscriptions=[{"name":"den"}]&${name}=${value}`,
		look: 'olivia GET /api/v1/streams?include_default=true',
		below: {streams: including(like({name: 'den', [field]: below}))},
		from: {streams: including(like({name: 'den', [field]: value}))},
	});
}

const DEN = `POST ${PATH} subscriptions=[{"name":"den"}]`;
const badDays = (bad_value: number | string) =>
	refusal('400 Bad Request', `Bad value for 'message_retention_days': ${bad_value}`, {
		code: 'REQUEST_VARIABLE_INVALID',
		var_name: 'message_retention_days',
		bad_value,
	});
answers('subscribe', {
	'refuses an empty request': [`alice POST ${PATH}`, missingArgument('subscriptions')],
	'refuses names without objects': [`alice POST ${PATH} subscriptions=["den"]`, 'subscriptions[0] is not a dict'],
	'refuses a channel without a name': [
		`alice POST ${PATH} subscriptions=[{}]`,
		'subscriptions[0]["name"] field is missing: Field required',
	],
	'refuses a blank name': [`alice POST ${PATH} subscriptions=[{"name":"+"}]`, "Channel name can't be empty."],
	'refuses a name of 61 characters': [
		`alice POST ${PATH} subscriptions=[{"name":"${'a'.repeat(61)}"}]`,
		'Channel name too long (limit: 60 characters).',
	],
	'refuses a control character in a name': [
		`alice POST ${PATH} subscriptions=[{"name":"ab\\u0001"}]`,
		'Invalid character in channel name, at position 3.',
	],
	'refuses a description of 1025 characters': [
		`alice POST ${PATH} subscriptions=[{"name":"den","description":"${'a'.repeat(1025)}"}]`,
		'subscriptions[0]["description"] is too long (limit: 1024 characters)',
	],
	'refuses an unknown ID': [`alice ${DEN}&principals=[999]`, 'No such user'],
	'refuses an unknown email': [`alice ${DEN}&principals=["x@y"]`, 'No such user'],
	'refuses a web-public channel to members': [`alice ${DEN}&is_web_public=true`, 'Insufficient permission'],
	'refuses a default channel to members': [`alice ${DEN}&is_default_stream=true`, 'Insufficient permission'],
	'refuses a private default channel': [
		`olivia ${DEN}&is_default_stream=true&invite_only=true`,
		'A default channel cannot be private.',
	],
	'refuses a private web-public channel': [`olivia ${DEN}&is_web_public=true&invite_only=true`, 'Invalid parameters'],
	'refuses message retention to members': [
		`alice ${DEN}&message_retention_days=5`,
		refusal('400 Bad Request', 'Must be an organization owner', {code: 'UNAUTHORIZED_PRINCIPAL'}),
	],
	'refuses message_retention_days=0': [`olivia ${DEN}&message_retention_days=0`, badDays(0)],
	'checks retention and permissions even if every channel exists': [
		`alice POST ${PATH} subscriptions=[{"name":"general"}]&message_retention_days="long"`,
		badDays('long'),
	],
	'checks them before it looks for people': [
		`alice POST ${PATH} subscriptions=[{"name":"general"}]&principals=[999]&can_send_message_group=99`,
		'Invalid user group',
	],
	'checks channels before it looks for people': [
		`alice POST ${PATH} subscriptions=[{"name":"staff"}]&principals=[999]`,
		'Unable to access channel (staff).',
	],
	'refuses message_retention_days="long"': [`olivia ${DEN}&message_retention_days="long"`, badDays('long')],
	'refuses an unknown topics policy': [`alice ${DEN}&topics_policy=none`, 'Invalid topics_policy'],
	'refuses everybody in can_administer_channel_group': [
		`alice ${DEN}&can_administer_channel_group=2`,
		"'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
	],
	'refuses an unknown group': [`alice ${DEN}&can_send_message_group=999`, 'Invalid user group'],
	'refuses guests': [`gus POST ${PATH} subscriptions=[{"name":"lunch"}]`, 'Not allowed for guest users'],
});

story('unsubscribe', 'unsubscribes the caller; they and users who see the channel get events', [
	{listen: 'alice', to: 'subscription'},
	{listen: 'adam', to: 'subscription'},
	[`alice DELETE ${PATH} subscriptions=["Lunch","plaza","lunch"]`, {removed: ['lunch'], not_removed: ['plaza']}],
	subscribers('adam', 2, 3, 5, 6),
	{
		heard: 'alice',
		events: [{type: 'subscription', op: 'remove', subscriptions: [{stream_id: 2, name: 'lunch'}]}],
	},
	{heard: 'adam', events: [{type: 'subscription', op: 'peer_remove', stream_ids: [2], user_ids: [4]}]},
	lists('alice', 'subscriptions', 'announcements', 'general'),
	lists('alice', 'unsubscribed', 'lunch'),
	lists('alice', 'never_subscribed', 'plaza'),
]);

story('unsubscribe', 'a private channel is deleted for users who leave it', [
	{listen: 'mona', to: 'subscription,stream'},
	{listen: 'olivia', to: 'stream'},
	[`mona DELETE ${PATH} subscriptions=["staff"]`],
	{
		heard: 'mona',
		events: [
			{type: 'subscription', op: 'remove', subscriptions: [{stream_id: 4, name: 'staff'}]},
			{type: 'stream', op: 'delete', stream_ids: [4], streams: [{stream_id: 4}]},
		],
	},
	{heard: 'olivia', events: []},
	lists('mona', 'unsubscribed'),
	['mona GET /api/v1/users/me/4/topics', INVALID],
	[`mona DELETE ${PATH} subscriptions=["staff"]`, {removed: [], not_removed: ['staff']}],
]);

const DENIED = 'Insufficient permission';

story('unsubscribe', 'administrators and can_remove_subscribers_group remove others', [
	[`alice DELETE ${PATH} subscriptions=["lunch"]&principals=[5]`, DENIED],
	[`adam DELETE ${PATH} subscriptions=["lunch"]&principals=[5,7]`, {removed: ['lunch'], not_removed: ['lunch']}],
	['adam PATCH /api/v1/streams/2 can_remove_subscribers_group={"new":3}'],
	[`bob DELETE ${PATH} subscriptions=["lunch"]&principals=["carla@bothy.example"]`],
	subscribers('alice', 2, 3, 4),
]);

story('unsubscribe', 'guests leave', [
	[`gus DELETE ${PATH} subscriptions=["general"]`],
	lists('gus', 'subscriptions', 'announcements'),
]);

story('unsubscribe', 'owners of a bot remove it', [
	[`echo-bot POST ${PATH} subscriptions=[{"name":"lunch"}]`],
	['echo-bot GET /api/v1/users/me', like({email: '$echo'})],
	[`carla DELETE ${PATH} subscriptions=["lunch"]&principals=["$echo"]`, DENIED],
	[`olivia DELETE ${PATH} subscriptions=["lunch"]&principals=["$echo"]`, like({removed: ['lunch']})],
]);

answers('unsubscribe', {
	'refuses an empty request': [`alice DELETE ${PATH}`, missingArgument('subscriptions')],
	'refuses channels by ID': [`alice DELETE ${PATH} subscriptions=[1]`, 'subscriptions[0] is not a string'],
	'refuses unknown channels': [
		`alice DELETE ${PATH} subscriptions=["x","general","staff"]`,
		'Channel(s) (x) do not exist',
	],
	'refuses an unknown person': [`adam DELETE ${PATH} subscriptions=["general"]&principals=[999]`, 'No such user'],
});

const set = (property: string, value: string, id = 1) =>
	`POST ${PATH}/properties subscription_data=[{"stream_id":${id},"property":"${property}","value":${value}}]`;

story('updateSubscriptionSettings', 'mutes a channel for one account; a repetition brings no event', [
	{listen: 'alice', to: 'subscription'},
	{listen: 'bob', to: 'subscription'},
	[`alice ${set('is_muted', 'true')}`, {}],
	[`alice GET ${PATH}`, GENERAL_HAS({is_muted: true})],
	[`bob GET ${PATH}`, GENERAL_HAS({is_muted: false})],
	[`alice ${set('is_muted', 'true')}`, {}],
	[`alice ${set('is_muted', 'false')}`, {}],
	[`alice GET ${PATH}`, GENERAL_HAS({is_muted: false})],
	{
		heard: 'alice',
		events: [true, false].flatMap(value => [
			{type: 'subscription', op: 'update', stream_id: 1, property: 'in_home_view', value: !value},
			{type: 'subscription', op: 'update', stream_id: 1, property: 'is_muted', value},
		]),
	},
	{heard: 'bob', events: []},
]);

for (const [property, value, field, seen, others] of [
	['pin_to_top', 'true', 'pin_to_top', true, false],
	['desktop_notifications', 'true', 'desktop_notifications', true, null],
	['audible_notifications', 'false', 'audible_notifications', false, null],
	['push_notifications', 'true', 'push_notifications', true, null],
	['email_notifications', 'false', 'email_notifications', false, null],
	['wildcard_mentions_notify', 'true', 'wildcard_mentions_notify', true, null],
	['in_home_view', 'false', 'is_muted', true, false],
	['color', '"#c2C2c2"', 'color', '#c2C2c2', /^#(?!c2C2c2)/],
] as const) {
	story('updateSubscriptionSettings', `stores ${property} for one account`, [
		{listen: 'alice', to: 'subscription'},
		[`alice ${set(property, value)}`, {}],
		[`alice ${set(property, value)}`, {}],
		[`alice GET ${PATH}`, GENERAL_HAS({[field]: seen})],
		[`bob GET ${PATH}`, GENERAL_HAS({[field]: others})],
		{
			heard: 'alice',
			events: including({type: 'subscription', op: 'update', stream_id: 1, property: field, value: seen}) as never,
		},
	]);
}

const NOT_SUBSCRIBED =
	'[{"stream_id":1,"property":"is_muted","value":true},{"stream_id":4,"property":"is_muted","value":true}]';

story('updateSubscriptionSettings', 'changes nothing if one of many is refused', [
	[`alice POST ${PATH}/properties subscription_data=${NOT_SUBSCRIBED}`, INVALID],
	[`alice GET ${PATH}`, GENERAL_HAS({is_muted: false})],
]);

const BAD_COLOR = 'Invalid subscription_data[0]: Value error, color is not a valid hex color code';
const BAD_BOOLEAN = 'pin_to_top is not a boolean';

answers('updateSubscriptionSettings', {
	'refuses an empty request': [`alice POST ${PATH}/properties`, missingArgument('subscription_data')],
	'refuses a channel without subscription': [`adam ${set('is_muted', 'true', 2)}`, 'Not subscribed to channel id 2'],
	'refuses an unknown property': [`alice ${set('smell', 'true')}`, 'Unknown subscription property: smell'],
	'refuses is_muted=1': [`alice ${set('is_muted', '1')}`, 'subscription_data[0]["value"]["bool"] is not a boolean'],
	'refuses pin_to_top="yes"': [`alice ${set('pin_to_top', '"yes"')}`, BAD_BOOLEAN],
	'refuses color="red"': [`alice ${set('color', '"red"')}`, BAD_COLOR],
	'refuses color=true': [`alice ${set('color', 'true')}`, BAD_COLOR],
});

clientCalls('getSubscriptionStatus', {
	'writes both IDs into the path': [
		{user_id: 12, stream_id: 7},
		'GET /api/v1/users/12/subscriptions/7',
		'"is_subscribed":true',
	],
});

answers('getSubscriptionStatus', {
	'is true for a subscriber': ['alice GET /api/v1/users/5/subscriptions/2', {is_subscribed: true}],
	'is false for others': ['alice GET /api/v1/users/2/subscriptions/2', {is_subscribed: false}],
	'refuses unknown people': ['alice GET /api/v1/users/999/subscriptions/2', 'No such user'],
	'refuses bots': ['alice GET /api/v1/users/8/subscriptions/2', 'No such user'],
	'refuses hidden channels': ['alice GET /api/v1/users/5/subscriptions/4', INVALID],
});

story('unsubscribe', 'marks the messages of the channel as read', [
	['alice POST /api/v1/messages type=channel&to=general&topic=soup&content=hello', like({id: '<any>'})],
	{listen: 'bob', to: 'update_message_flags'},
	['bob DELETE /api/v1/users/me/subscriptions subscriptions=["general"]', like({removed: ['general']})],
	{heard: 'bob', events: [like({op: 'add', flag: 'read', all: false})]},
]);
