import {CHANNEL_LEVELS, KNOWS_ARCHIVED} from './kit/channel-kit.js';
import {clientCalls} from './kit/client-calls.js';
import {
	answers,
	including,
	like,
	missingArgument,
	named,
	newest,
	notFound,
	refusal,
	since,
	story,
} from './kit/story.js';

clientCalls('createChannel', {
	'writes every parameter, and reads the ID': [
		{
			name: 'den',
			subscribers: [4, 5],
			description: 'Quiet',
			invite_only: true,
			is_web_public: false,
			is_default_stream: false,
			history_public_to_subscribers: true,
			message_retention_days: 30,
			topics_policy: 'allow_empty_topic',
			can_send_message_group: 3,
			announce: true,
		},
		'POST /api/v1/channels/create name=den&subscribers=%5B4%2C5%5D&description=Quiet&invite_only=true&is_web_public=false&is_default_stream=false&history_public_to_subscribers=true&message_retention_days=30&topics_policy=allow_empty_topic&can_send_message_group=3&announce=true',
		'"id":12',
	],
});

clientCalls('updateStream', {
	'writes every change': [
		{
			stream_id: 7,
			description: 'Quiet',
			is_private: true,
			is_default_stream: false,
			history_public_to_subscribers: true,
			is_web_public: false,
			new_name: 'den',
			message_retention_days: 'realm_default',
			is_archived: false,
			topics_policy: 'inherit',
			can_send_message_group: {new: 3, old: 2},
			can_subscribe_group: {new: {direct_members: [5], direct_subgroups: []}},
		},
		'PATCH /api/v1/streams/7 description=Quiet&is_private=true&is_default_stream=false&history_public_to_subscribers=true&is_web_public=false&new_name=den&message_retention_days=%22realm_default%22&is_archived=false&topics_policy=inherit&can_send_message_group=%7B%22new%22%3A3%2C%22old%22%3A2%7D&can_subscribe_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B5%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D',
	],
});

clientCalls('archiveStream', {
	'writes the ID into the path': [{stream_id: 7}, 'DELETE /api/v1/streams/7'],
});

const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
const UNKNOWN = 'Invalid channel ID';
const CREATE = 'POST /api/v1/channels/create';

story('createChannel', 'creates a channel, and its subscribers get events', [
	{listen: 'bob', to: 'stream,subscription'},
	[`alice ${CREATE} name=+den+&subscribers=[5,7]&description=a%0Ab`, {id: 7}],
	[
		'alice GET /api/v1/streams/7',
		{stream: like({name: 'den', description: 'a b', invite_only: false, creator_id: 4, subscriber_count: 2})},
	],
	['alice GET /api/v1/streams/7/members', {subscribers: [5, 7]}],
	[
		'bob POST /api/v1/register event_types=["subscription"]',
		like({subscriptions: named('announcements', 'den', 'general', 'lunch')}),
	],
	{heard: 'bob', events: [like({type: 'stream', op: 'create'}), like({type: 'subscription', op: 'add'})]},
]);

story('createChannel', 'a private channel without subscribers is visible to administrators and its creator', [
	[`alice ${CREATE} name=den&subscribers=[]&invite_only=true`],
	['bob GET /api/v1/streams?include_all=true', {streams: named(...OPEN)}],
	[
		'adam GET /api/v1/streams?include_all=true',
		{streams: including(like({name: 'den', invite_only: true, history_public_to_subscribers: false}))},
	],
	['alice GET /api/v1/streams?include_all=true', {streams: including(like({name: 'den', subscriber_count: 0}))}],
]);

story('createChannel', 'owners set how long messages are kept', [
	[`olivia ${CREATE} name=a&subscribers=[]&message_retention_days=30`, {id: '$a'}],
	['olivia GET /api/v1/streams/$a', {stream: like({message_retention_days: 30})}],
	[`olivia ${CREATE} name=b&subscribers=[]&message_retention_days="unlimited"`, {id: '$b'}],
	['olivia GET /api/v1/streams/$b', {stream: like({message_retention_days: -1})}],
	[`olivia ${CREATE} name=c&subscribers=[]&message_retention_days="realm_default"`, {id: '$c'}],
	['olivia GET /api/v1/streams/$c', {stream: like({message_retention_days: null})}],
]);

story('createChannel', 'announces a channel only if asked', [
	newest('bob', {id: '$before'}),
	[`alice ${CREATE} name=den&subscribers=[]`],
	newest('bob', {id: '$before'}),
	[`alice ${CREATE} name=hut&subscribers=[]&announce=true`],
	newest('bob', {content: '@_**Alice Ahn|4** created a new channel #**hut**.'}),
]);

story('createChannel', 'announces without a topic if the default channel has none', [
	['adam PATCH /api/v1/streams/1 is_default_stream=false'],
	[`adam ${CREATE} name=yard&subscribers=[5]&topics_policy=empty_topic_only&is_default_stream=true`],
	[`adam ${CREATE} name=hut&subscribers=[]&announce=true`],
	newest('bob', {
		display_recipient: 'yard',
		subject: '',
		content: '@_**Adam Addo|2** created a new channel #**hut**.',
	}),
]);

const taken = (name: string) =>
	refusal('409 Conflict', `Channel '${name}' already exists`, {code: 'CHANNEL_ALREADY_EXISTS', channel_name: name});

story('createChannel', 'a name is the same in another case, in every alphabet', [
	[`alice ${CREATE} name=%C3%84pfel&subscribers=[4]`, {id: '$den'}],
	[`alice ${CREATE} name=%C3%A4PFEL&subscribers=[]`, taken('äPFEL')],
	['alice GET /api/v1/get_stream_id?stream=%C3%A4pfel', {stream_id: '$den'}],
	['alice POST /api/v1/messages type=channel&to=%C3%A4pfel&topic=x&content=x'],
	['adam PATCH /api/v1/streams/2 new_name=%C3%A4pfel', 'Channel name already in use.'],
	['adam PATCH /api/v1/streams/$den new_name=%C3%A4pfel', {}],
]);

story('createChannel', 'creates nothing if it refuses', [
	[`alice ${CREATE} name=den&subscribers=[]&can_send_message_group=999`, 'Invalid user group'],
	['alice GET /api/v1/streams?include_all=true', {streams: named(...OPEN)}],
]);

answers('createChannel', {
	'is not found at feature level 416': [`alice ${CREATE} name=den&subscribers=[]`, notFound(), {featureLevel: 416}],
	'is found at feature level 417': [`alice ${CREATE} name=den&subscribers=[]`, like({}), {featureLevel: 417}],
	'refuses the name of a channel': [`alice ${CREATE} name=General&subscribers=[]`, taken('General')],
	'refuses the name of a hidden channel': [`alice ${CREATE} name=staff&subscribers=[]`, taken('staff')],
	'refuses the name of an archived channel': [`alice ${CREATE} name=attic&subscribers=[]`, taken('attic')],
	'refuses a missing name': [`alice ${CREATE} subscribers=[]`, missingArgument('name')],
	'refuses missing subscribers': [`alice ${CREATE} name=den`, missingArgument('subscribers')],
	'refuses a blank name': [`alice ${CREATE} name=+&subscribers=[]`, "Channel name can't be empty."],
	'refuses a description of 1025 characters': [
		`alice ${CREATE} name=den&subscribers=[]&description=${'a'.repeat(1025)}`,
		'description is too long (limit: 1024 characters)',
	],
	'refuses subscribers by email': [`alice ${CREATE} name=den&subscribers=["a@b"]`, 'subscribers[0] is not an integer'],
	'refuses an unknown subscriber': [`alice ${CREATE} name=den&subscribers=[999]`, 'No such user'],
	'refuses a web-public channel to an administrator who is no owner': [
		`adam ${CREATE} name=den&subscribers=[]&is_web_public=true`,
		'Insufficient permission',
	],
	'refuses guests': [`gus ${CREATE} name=den&subscribers=[]`, 'Not allowed for guest users'],
});

const lunchChanged = {type: 'stream', op: 'update', stream_id: 2, name: 'lunch'};

story('updateStream', 'changes name and description, and users who see the channel get events of what changed', [
	{listen: 'bob', to: 'stream'},
	{listen: 'gus', to: 'stream'},
	['adam PATCH /api/v1/streams/2 description=*Soup*%0Aonly&new_name=+dinner+', {}],
	['adam PATCH /api/v1/streams/2 description=*Soup*+only', {}],
	['bob GET /api/v1/streams/2', {stream: like({name: 'dinner', description: '*Soup* only'})}],
	['bob GET /api/v1/get_stream_id?stream=lunch', "Invalid channel name 'lunch'"],
	{
		heard: 'bob',
		events: [
			{
				...lunchChanged,
				property: 'description',
				value: '*Soup* only',
				rendered_description: '<p><em>Soup</em> only</p>',
			},
			{...lunchChanged, property: 'name', value: 'dinner'},
		],
	},
	{heard: 'gus', events: []},
	['adam PATCH /api/v1/streams/2 new_name=DINNER', {}],
	['adam GET /api/v1/streams/2', {stream: like({name: 'DINNER'})}],
]);

const denGone = {type: 'stream', op: 'delete', stream_ids: [7], streams: [{stream_id: 7}]};

story('updateStream', 'a channel that becomes private is deleted for users outside it', [
	['alice POST /api/v1/users/me/subscriptions subscriptions=[{"name":"den"}]'],
	['alice POST /api/v1/messages type=channel&to=den&topic=x&content=x'],
	{listen: 'alice', to: 'stream'},
	{listen: 'carla', to: 'stream'},
	['alice PATCH /api/v1/streams/7 is_private=true', {}],
	[
		'olivia GET /api/v1/streams?include_all=true',
		{streams: including(like({name: 'den', invite_only: true, history_public_to_subscribers: false}))},
	],
	['carla GET /api/v1/streams?include_all=true', {streams: named(...OPEN)}],
	{
		heard: 'alice',
		events: [
			{
				type: 'stream',
				op: 'update',
				stream_id: 7,
				name: 'den',
				property: 'invite_only',
				value: true,
				is_web_public: false,
				history_public_to_subscribers: false,
			},
		],
	},
	{heard: 'carla', events: [denGone]},
]);

const readable = (who: string, id: number) =>
	[`${who} GET /api/v1/users/me/${id}/topics`, {topics: including(like({name: 'x'}))}] as const;

story('updateStream', 'a private channel that becomes public appears to everybody, with its history', [
	['olivia POST /api/v1/messages type=channel&to=staff&topic=x&content=x'],
	{listen: 'alice', to: 'stream'},
	['olivia PATCH /api/v1/streams/4 is_private=false', {}],
	{
		heard: 'alice',
		events: [
			like({op: 'create', streams: [like({stream_id: 4, invite_only: false})]}),
			like({op: 'update', property: 'invite_only', value: false, history_public_to_subscribers: true}),
		],
	},
	readable('alice', 4),
]);

story('updateStream', 'opens the history of a private channel to later subscribers', [
	['olivia POST /api/v1/messages type=channel&to=staff&topic=x&content=x'],
	['olivia POST /api/v1/users/me/subscriptions subscriptions=[{"name":"staff"}]&principals=[4]'],
	['alice GET /api/v1/users/me/4/topics', {topics: []}],
	['olivia PATCH /api/v1/streams/4 history_public_to_subscribers=true', {}],
	readable('alice', 4),
]);

story('updateStream', 'owners make a channel web-public, administrators take it back', [
	['adam PATCH /api/v1/streams/2 is_web_public=true', 'Insufficient permission'],
	['olivia PATCH /api/v1/streams/2 is_web_public=true', {}],
	['gus GET /api/v1/users/me/2/topics', {topics: named('channel events')}],
	['adam PATCH /api/v1/streams/2 is_web_public=false', {}],
	['gus GET /api/v1/users/me/2/topics', UNKNOWN],
]);

story('updateStream', 'administrators set default channels, the creator of a channel may not', [
	['alice POST /api/v1/users/me/subscriptions subscriptions=[{"name":"den"}]'],
	['alice PATCH /api/v1/streams/7 is_default_stream=true', 'You do not have permission to change default channels.'],
	['adam PATCH /api/v1/streams/7 is_default_stream=true', {}],
	['alice GET /api/v1/streams?include_default=true', {streams: including(like({name: 'den', is_default: true}))}],
]);

story('updateStream', 'owners set how long messages are kept, and everybody gets events', [
	{listen: 'olivia', to: 'stream'},
	['olivia PATCH /api/v1/streams/2 message_retention_days=30', {}],
	['olivia PATCH /api/v1/streams/2 message_retention_days="unlimited"', {}],
	['olivia GET /api/v1/streams/2', {stream: like({message_retention_days: -1})}],
	{
		heard: 'olivia',
		events: [30, -1].map(value => like({property: 'message_retention_days', value})),
	},
]);

const EMPTY_NAME = {empty_topic_display_name: 'general chat'};
const SAY = 'alice POST /api/v1/messages type=channel&to=lunch&content=x&topic=';

story('updateStream', 'allows only the empty topic if every topic is empty', [
	[SAY],
	['adam PATCH /api/v1/streams/2 topics_policy=empty_topic_only', {}],
	[`${SAY}soup`, refusal('400 Bad Request', 'Only the general chat topic is allowed in this channel.', EMPTY_NAME)],
	['adam PATCH /api/v1/streams/2 topics_policy=disable_empty_topic', {}],
	[SAY, refusal('400 Bad Request', 'Sending messages to the general chat is not allowed in this channel.', EMPTY_NAME)],
	[`${SAY}soup`],
	[
		'adam PATCH /api/v1/streams/2 topics_policy=empty_topic_only',
		refusal(
			'400 Bad Request',
			'To enable this configuration, all messages in this channel must be in the general chat topic. ' +
				'Consider renaming or deleting other topics.',
			EMPTY_NAME,
		),
	],
]);

story('updateStream', 'unarchives a channel, which appears or changes, as clients know archived channels', [
	{listen: 'alice', to: 'stream,subscription', form: KNOWS_ARCHIVED, as: 'aware'},
	{listen: 'alice', to: 'stream,subscription', as: 'plain'},
	['adam PATCH /api/v1/streams/5 is_archived=true&description=Again', {}],
	[
		'adam GET /api/v1/streams?include_all=true&exclude_archived=false',
		{streams: including(like({name: 'attic', is_archived: true}))},
	],
	['adam PATCH /api/v1/streams/5 is_archived=false', {}],
	{
		heard: 'aware',
		events: [like({property: 'description', value: 'Again'}), like({property: 'is_archived', value: false})],
	},
	{
		heard: 'plain',
		events: [
			like({streams: [like({stream_id: 5, is_archived: false, description: 'Again'})]}),
			like({
				type: 'subscription',
				op: 'add',
				subscriptions: [like({stream_id: 5, is_archived: false, is_muted: false})],
			}),
		],
	},
	[
		'alice POST /api/v1/register event_types=["subscription"]',
		like({subscriptions: named('announcements', 'attic', 'general', 'lunch')}),
	],
]);

story('updateStream', 'does not unarchive a private channel without subscribers', [
	[`alice ${CREATE} name=den&subscribers=[]&invite_only=true`],
	['alice DELETE /api/v1/streams/7'],
	['alice PATCH /api/v1/streams/7 is_archived=false', 'Channel is private and have no subscribers'],
]);

story('updateStream', 'changes a permission only from the old value, if given, and everybody gets events', [
	{listen: 'bob', to: 'stream'},
	[
		'adam PATCH /api/v1/streams/2 can_send_message_group={"new":5,"old":3}',
		refusal('400 Bad Request', "'old' value does not match the expected value.", {code: 'EXPECTATION_MISMATCH'}),
	],
	['adam PATCH /api/v1/streams/2 can_send_message_group={"new":5,"old":2}', {}],
	['adam PATCH /api/v1/streams/2 can_send_message_group={"new":{"direct_members":[],"direct_subgroups":[5]}}', {}],
	['bob GET /api/v1/streams/2', {stream: like({can_send_message_group: 5, stream_post_policy: 4})}],
	{
		heard: 'bob',
		events: [
			{...lunchChanged, property: 'can_send_message_group', value: 5},
			{...lunchChanged, property: 'stream_post_policy', value: 4},
			{...lunchChanged, property: 'is_announcement_only', value: false},
		],
	},
	[
		'bob POST /api/v1/messages type=channel&to=lunch&topic=x&content=x',
		'You do not have permission to post in this channel.',
	],
]);

const DENIED = 'You do not have permission to administer this channel.';

story('updateStream', 'can_administer_channel_group decides who may change the channel; guests never may', [
	['alice PATCH /api/v1/streams/1 description=a', DENIED],
	[
		'adam PATCH /api/v1/streams/1 can_administer_channel_group={"new":{"direct_members":[4,7],"direct_subgroups":[]}}',
		{},
	],
	['alice PATCH /api/v1/streams/1 description=b', {}],
	['gus PATCH /api/v1/streams/1 description=c', DENIED],
	['adam GET /api/v1/streams/1', {stream: like({description: 'b'})}],
]);

const ONLY_ALICE = '{"new":{"direct_members":[4],"direct_subgroups":[]}}';

story('updateStream', 'who administers a private channel from outside sees it, but gives nobody access', [
	{listen: 'alice', to: 'stream'},
	[`olivia PATCH /api/v1/streams/4 can_administer_channel_group=${ONLY_ALICE}`, {}],
	{
		heard: 'alice',
		events: [
			like({op: 'create', streams: [like({stream_id: 4})]}),
			like({property: 'can_administer_channel_group', value: {direct_members: [4], direct_subgroups: []}}),
		],
	},
	['alice GET /api/v1/users/me/4/topics', UNKNOWN],
	...[`can_subscribe_group=${ONLY_ALICE}`, `can_add_subscribers_group=${ONLY_ALICE}`, 'is_private=false'].map(
		form => [`alice PATCH /api/v1/streams/4 ${form}`, UNKNOWN] as const,
	),
	['adam PATCH /api/v1/streams/4 description=Open', {}],
	['alice GET /api/v1/streams?include_all=true', {streams: including(like({stream_id: 4, description: 'Open'}))}],
]);

story('updateStream', 'can_delete_any_message_group lets users delete messages of others', [
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=x', like({id: '$id'})],
	['bob DELETE /api/v1/messages/$id', "You don't have permission to delete this message"],
	['adam PATCH /api/v1/streams/2 can_delete_any_message_group={"new":10}', {}],
	['bob DELETE /api/v1/messages/$id', {}],
]);

story('updateStream', 'can_move_messages_out_of_channel_group lets guests move their messages', [
	['gus POST /api/v1/messages type=channel&to=general&topic=x&content=x', like({id: '$id'})],
	['adam PATCH /api/v1/streams/3 can_send_message_group={"new":2}', {}],
	['gus PATCH /api/v1/messages/$id stream_id=3', "You don't have permission to move this message"],
	['adam PATCH /api/v1/streams/1 can_move_messages_out_of_channel_group={"new":2}', {}],
	['gus PATCH /api/v1/messages/$id stream_id=3', like({})],
]);

for (const [name, level, value = 5, below = undefined] of CHANNEL_LEVELS) {
	const field = name === 'is_default_stream' ? 'is_default' : name;
	since('updateStream', name, {
		level,
		request: `adam PATCH /api/v1/streams/2 description=a&${name}=${value === 5 ? '{"new":5}' : value}`,
		look: 'adam GET /api/v1/streams?include_default=true',
		below: {streams: including(like({name: 'lunch', [field]: below}))},
		from: {streams: including(like({name: 'lunch', [field]: value}))},
	});
}

const refused = (who: string, id: number, form: string) => `${who} PATCH /api/v1/streams/${id} ${form}`;

answers('updateStream', {
	'does not unarchive at feature level 387': [
		'adam PATCH /api/v1/streams/5 is_archived=false',
		{ignored_parameters_unsupported: ['is_archived']},
		{featureLevel: 387},
	],
	'refuses a member': [refused('alice', 2, 'description=a'), DENIED],
	'refuses an unknown channel': [refused('adam', 999, 'description=a'), UNKNOWN],
	'refuses a hidden channel': [refused('alice', 4, 'new_name=a'), UNKNOWN],
	'refuses a blank name': [refused('adam', 2, 'new_name=+'), "Channel name can't be empty."],
	'refuses the same name': [refused('adam', 2, 'new_name=lunch'), 'Channel already has that name.'],
	'refuses a name that is taken': [refused('adam', 2, 'new_name=General'), 'Channel name already in use.'],
	'refuses a name of 61 characters': [
		refused('adam', 2, `new_name=${'a'.repeat(61)}`),
		'Channel name too long (limit: 60 characters).',
	],
	'refuses a description of 1025 characters': [
		refused('adam', 2, `description=${'a'.repeat(1025)}`),
		'description is too long (limit: 1024 characters)',
	],
	'refuses to make a default channel private': [
		refused('adam', 1, 'is_private=true'),
		'A default channel cannot be private.',
	],
	'refuses to make a private channel web-public': [refused('olivia', 4, 'is_web_public=true'), 'Invalid parameters'],
	'refuses protected history in a public channel': [
		refused('adam', 2, 'history_public_to_subscribers=false'),
		'Invalid parameters',
	],
	'refuses to unarchive a channel that is not archived': [
		refused('adam', 2, 'is_archived=false'),
		'Channel is not currently deactivated',
	],
	'refuses is_private=1': [refused('adam', 2, 'is_private=1'), 'is_private is not a boolean'],
	'refuses a permission that is no object': [
		refused('adam', 2, 'can_send_message_group=3'),
		'can_send_message_group is not a dict',
	],
	'refuses everybody in can_subscribe_group': [
		refused('adam', 2, 'can_subscribe_group={"new":2}'),
		"'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
	],
	'refuses a deactivated group': [
		refused('adam', 2, 'can_send_message_group={"new":13}'),
		'User group is deactivated.',
	],
	'refuses an unknown topics policy': [refused('adam', 2, 'topics_policy=x'), 'Invalid topics_policy'],
	'refuses message retention to administrators who are no owners': [
		refused('adam', 2, 'message_retention_days=5'),
		refusal('400 Bad Request', 'Must be an organization owner', {code: 'UNAUTHORIZED_PRINCIPAL'}),
	],
});

story('archiveStream', 'archives a channel, which goes or changes, as clients know archived channels', [
	{listen: 'alice', to: 'stream', form: KNOWS_ARCHIVED, as: 'aware'},
	{listen: 'alice', to: 'stream', as: 'plain'},
	['adam DELETE /api/v1/streams/1', {}],
	[
		'adam GET /api/v1/streams?include_all=true&exclude_archived=false&include_default=true',
		{streams: including(like({name: 'general', is_archived: true, is_default: false, is_recently_active: true}))},
	],
	{
		heard: 'aware',
		events: [{type: 'stream', op: 'update', stream_id: 1, name: 'general', property: 'is_archived', value: true}],
	},
	{heard: 'plain', events: [{type: 'stream', op: 'delete', stream_ids: [1], streams: [{stream_id: 1}]}]},
	newest('alice', {
		subject: 'channel events',
		sender_full_name: 'Notification Bot',
		content: 'Channel general has been archived.',
	}),
]);

story('archiveStream', 'keeps messages and subscriptions for clients that know archived channels', [
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=kept'],
	['adam DELETE /api/v1/streams/2', {}],
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=y', "Not authorized to send to channel 'lunch'"],
	['alice GET /api/v1/users/me/2/topics', UNKNOWN],
	[
		'alice POST /api/v1/register event_types=["subscription"]',
		like({subscriptions: named('announcements', 'general')}),
	],
	[
		`alice POST /api/v1/register event_types=["subscription"]${KNOWS_ARCHIVED}`,
		like({subscriptions: named('announcements', 'attic', 'general', 'lunch')}),
	],
	[
		'alice GET /api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=[{"operator":"topic","operand":"x"}]',
		like({messages: [like({content: 'kept'})]}),
	],
]);

story('archiveStream', 'lets its creator archive a channel, with a notice in the empty topic if only that is allowed', [
	[`alice ${CREATE} name=den&subscribers=[4]&topics_policy=empty_topic_only`],
	['alice DELETE /api/v1/streams/7', {}],
	newest('alice', {subject: '', content: 'Channel den has been archived.'}),
]);

answers('archiveStream', {
	'refuses a member': ['alice DELETE /api/v1/streams/2', DENIED],
	'refuses a hidden channel': ['alice DELETE /api/v1/streams/4', UNKNOWN],
	'refuses a guest, who learns that there is such a public channel': ['gus DELETE /api/v1/streams/1', DENIED],
	'refuses an archived channel': ['adam DELETE /api/v1/streams/5', 'Channel is already deactivated'],
	'refuses an unknown channel': ['olivia DELETE /api/v1/streams/999', UNKNOWN],
});
