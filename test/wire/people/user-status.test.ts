// What others see of a person at the moment: the status, and that they are typing.

import {clientCalls} from '../kit/client-calls.js';
import {answers, each, like, missingArgument, notFound, story} from '../kit/story.js';

const COFFEE = {emoji_name: 'coffee', emoji_code: '2615', reaction_type: 'unicode_emoji'};

clientCalls('updateStatus', {
	'sends text as it is and booleans as JSON': [
		{
			status_text: 'on vacation',
			away: true,
			emoji_name: 'car',
			emoji_code: '1f697',
			reaction_type: 'unicode_emoji',
		},
		'POST /api/v1/users/me/status status_text=on+vacation&away=true&emoji_name=car&emoji_code=1f697&reaction_type=unicode_emoji',
	],
});

clientCalls('getUserStatus', {
	'reads a status': [
		{user_id: 10},
		'GET /api/v1/users/10/status',
		'"status":{"status_text":"on vacation","emoji_name":"car","emoji_code":"1f697",' +
			'"reaction_type":"unicode_emoji","away":true}',
	],
});

story('updateStatus', 'changes what is given, and an empty value removes it', [
	{listen: 'gus', to: 'user_status'},
	['alice POST /api/v1/users/me/status status_text=+at+lunch+&emoji_name=coffee', {}],
	['gus GET /api/v1/users/4/status', {status: {status_text: 'at lunch', ...COFFEE}}],
	['alice POST /api/v1/users/me/status emoji_name=', {}],
	['gus GET /api/v1/users/4/status', {status: {status_text: 'at lunch'}}],
	['alice POST /api/v1/users/me/status status_text=', {}],
	['gus GET /api/v1/users/4/status', {status: {}}],
	{
		heard: 'gus',
		events: [
			{type: 'user_status', user_id: 4, status_text: 'at lunch', ...COFFEE},
			{type: 'user_status', user_id: 4, emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'},
			{type: 'user_status', user_id: 4, status_text: ''},
		],
	},
]);

story('updateStatus', 'away turns presence off, and the state of a registration shows it', [
	{listen: 'alice', to: 'user_settings'},
	['alice POST /api/v1/users/me/status away=true', {}],
	['gus POST /api/v1/register event_types=["user_status"]', like({user_status: {'4': {away: true}}})],
	['alice POST /api/v1/users/me/status away=false', {}],
	['gus POST /api/v1/register event_types=["user_status"]', like({user_status: {}})],
	{
		heard: 'alice',
		events: [
			{type: 'user_settings', op: 'update', property: 'presence_enabled', value: false},
			{type: 'user_settings', op: 'update', property: 'presence_enabled', value: true},
		],
	},
]);

const NOTHING = 'Client did not pass any new values.';
const UNNAMED = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.';

answers('updateStatus', {
	'takes 60 characters': [`alice POST /api/v1/users/me/status status_text=${encodeURIComponent('🍲'.repeat(60))}`, {}],
	'refuses 61 characters': [
		`alice POST /api/v1/users/me/status status_text=${'x'.repeat(61)}`,
		'status_text is too long (limit: 60 characters)',
	],
	'refuses bots': [
		'echo-bot POST /api/v1/users/me/status status_text=x',
		'This endpoint does not accept bot requests.',
	],
	'refuses an empty request': ['alice POST /api/v1/users/me/status', 'Client did not pass any new values.'],
	'refuses away=1': ['alice POST /api/v1/users/me/status away=1', 'away is not a boolean'],
	'refuses an unknown emoji': [
		'alice POST /api/v1/users/me/status emoji_name=unicorn_tea',
		"Emoji 'unicorn_tea' does not exist",
	],
	"refuses another emoji's code": [
		'alice POST /api/v1/users/me/status emoji_name=coffee&emoji_code=1f44d',
		'Invalid emoji name.',
	],
	'refuses an unknown kind of emoji': [
		'alice POST /api/v1/users/me/status emoji_name=coffee&reaction_type=drink',
		'Invalid emoji type.',
	],
	'refuses a code without a name': ['alice POST /api/v1/users/me/status emoji_code=2615', NOTHING],
	'refuses a kind without a name': ['alice POST /api/v1/users/me/status reaction_type=unicode_emoji', NOTHING],
	'refuses a code with an empty name': [
		'alice POST /api/v1/users/me/status status_text=x&emoji_name=&emoji_code=2615',
		UNNAMED,
	],
});

answers('getUserStatus', {
	'refuses a bot': ['alice GET /api/v1/users/8/status', 'No such user'],
	'refuses an unknown user': ['alice GET /api/v1/users/999/status', 'No such user'],
});

story('getUserStatus', 'refuses a deactivated user', [
	['adam DELETE /api/v1/users/4', {}],
	['gus GET /api/v1/users/4/status', 'User is deactivated'],
]);

story('getUserStatus', 'is unknown below feature level 262', [['alice GET /api/v1/users/4/status', notFound()]], {
	featureLevel: 261,
});

clientCalls('setTypingStatus', {
	'writes the IDs of people as a JSON list': [
		{op: 'start', to: [9, 10]},
		'POST /api/v1/typing op=start&to=%5B9%2C10%5D',
	],
	'writes a channel and a topic': [
		{op: 'stop', type: 'stream', stream_id: 7, topic: 'soup & bread'},
		'POST /api/v1/typing op=stop&type=stream&stream_id=7&topic=soup+%26+bread',
	],
});

/** The capabilities of a queue that hears of typing in channels. */
const IN_CHANNELS =
	'&client_capabilities={"notification_settings_null":true,"stream_typing_notifications":true,"empty_topic_name":true}';

const TYPING = {type: 'typing', sender: {user_id: 4, email: 'alice@bothy.example'}};
const WITH_BOB = {
	...TYPING,
	message_type: 'direct',
	recipients: [
		{user_id: 5, email: 'bob@bothy.example'},
		{user_id: 4, email: 'alice@bothy.example'},
	],
};
const IN_LUNCH = {...TYPING, op: 'start', message_type: 'stream', stream_id: 2, topic: 'soup'};

story('setTypingStatus', 'sends an event to everybody in a direct conversation, and to nobody else', [
	{listen: 'alice', to: 'typing'},
	{listen: 'bob', to: 'typing'},
	{listen: 'bob', to: 'message'},
	{listen: 'olivia', to: 'typing'},
	['alice POST /api/v1/typing op=start&type=direct&to=[5]', {}],
	['alice POST /api/v1/typing op=stop&to=[5]', {}],
	...['alice', 'bob'].map(heard => ({
		heard,
		of: 'typing',
		events: [
			{...WITH_BOB, op: 'start'},
			{...WITH_BOB, op: 'stop'},
		],
	})),
	{heard: 'bob', of: 'message', events: []},
	{heard: 'olivia', events: []},
]);

story('setTypingStatus', 'sends an event to the subscribers of a channel whose queues support it', [
	{listen: 'bob', to: 'typing', form: IN_CHANNELS},
	{listen: 'carla', to: 'typing'},
	{listen: 'olivia', to: 'typing', form: IN_CHANNELS},
	['alice POST /api/v1/typing op=start&type=stream&stream_id=2&topic=soup', {}],
	['alice POST /api/v1/typing op=start&type=channel&stream_id=2&subject=soup', {}],
	{heard: 'bob', events: [IN_LUNCH, IN_LUNCH]},
	{heard: 'carla', events: []},
	{heard: 'olivia', events: []},
]);

story('setTypingStatus', 'names the empty topic to a queue that does not know it', [
	{listen: 'alice', to: 'typing', form: IN_CHANNELS},
	{listen: 'bob', to: 'typing', form: IN_CHANNELS.replace(',"empty_topic_name":true', '')},
	['alice POST /api/v1/typing op=start&type=stream&stream_id=1&topic=general+chat', {}],
	{heard: 'alice', events: [like({topic: ''})]},
	{heard: 'bob', events: [like({topic: 'general chat'})]},
]);

story('setTypingStatus', 'sends no event to people who turned typing notifications off', [
	{listen: 'alice', to: 'typing', form: IN_CHANNELS},
	{listen: 'bob', to: 'typing', form: IN_CHANNELS},
	['bob PATCH /api/v1/settings receives_typing_notifications=false', {}],
	['alice POST /api/v1/typing op=start&to=[5]', {}],
	['alice POST /api/v1/typing op=start&type=stream&stream_id=1&topic=soup', {}],
	{heard: 'alice', events: [like({message_type: 'direct'}), like({message_type: 'stream'})]},
	{heard: 'bob', events: []},
]);

const NOT_DIRECT = 'User has disabled typing notifications for direct messages';
const NOT_IN_CHANNELS = 'User has disabled typing notifications for channel messages';

story('setTypingStatus', 'is refused, before its other parameters, to people who keep such typing private', [
	['alice PATCH /api/v1/settings send_private_typing_notifications=false', {}],
	['alice POST /api/v1/typing op=start&to=[4711]', NOT_DIRECT],
	['alice POST /api/v1/typing op=start&type=stream&stream_id=1&topic=x', {}],
	['bob PATCH /api/v1/settings send_stream_typing_notifications=false', {}],
	['bob POST /api/v1/typing op=start&type=stream&stream_id=4711&topic=x', NOT_IN_CHANNELS],
	['bob POST /api/v1/typing op=start&to=[5]', {}],
]);

story(
	'setTypingStatus',
	'refuses wrong parameters, and names those that it does not know',
	each('alice POST /api/v1/typing ', {
		'to=[1]': missingArgument('op'),
		'op=pause&to=[1]': 'Invalid op',
		'op=start&type=private&to=[1]': 'Invalid type',
		'op=start': "Missing 'to' argument",
		'op=start&to=[]': "Empty 'to' list",
		'op=start&to=["bob@bothy.example"]': 'to[0] is not an integer',
		'op=start&to=1': 'to is not a list',
		'op=start&to=[4711]': 'Invalid user ID 4711',
		'op=start&type=stream&topic=x': "Missing 'stream_id' argument",
		'op=start&type=stream&stream_id=1': 'Missing topic',
		'op=start&type=stream&stream_id=4711&topic=x': 'Invalid channel ID',
		'op=start&type=stream&stream_id=5&topic=x': 'Invalid channel ID',
		'op=start&type=stream&stream_id=3&topic=x': 'You do not have permission to post in this channel.',
		'op=start&to=[4]&colour=red': {ignored_parameters_unsupported: ['colour']},
	}),
);
