import {clientCalls} from '../kit/client-calls.js';
import {each, like, missingArgument, story} from '../kit/story.js';

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

story('setTypingStatus', 'tells everybody in a direct conversation, and nobody else', [
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

story('setTypingStatus', 'tells those subscribers of a channel whose queues can tell it', [
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

story('setTypingStatus', 'tells nothing to people who do not want to know', [
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
