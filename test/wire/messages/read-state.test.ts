import {clientCalls} from '../kit/client-calls.js';
import {answers, inAnyOrder, like, refusal, type Step, story} from '../kit/story.js';

const MARK = 'POST /api/v1/mark_';
const UNKNOWN = 'Invalid channel ID';
const say = (name: string, where = 'to=general&topic=soup'): Step => [
	`alice POST /api/v1/messages type=channel&${where}&content=hello`,
	like({id: `$${name}`}),
];
const readEvent = (fields: object) => ({
	type: 'update_message_flags',
	op: 'add',
	operation: 'add',
	flag: 'read',
	all: false,
	...fields,
});

clientCalls('markAllAsRead', {
	'reads whether it is complete': [{}, 'POST /api/v1/mark_all_as_read', '"complete":true'],
});

clientCalls('markStreamAsRead', {
	'writes the ID of the channel': [{stream_id: 5}, 'POST /api/v1/mark_stream_as_read stream_id=5'],
});

clientCalls('markTopicAsRead', {
	'writes the topic as it is': [
		{stream_id: 5, topic_name: 'a "b"'},
		'POST /api/v1/mark_topic_as_read stream_id=5&topic_name=a+%22b%22',
	],
});

clientCalls('checkMessagesMatchNarrow', {
	'writes lists as JSON': [
		{msg_ids: [1, 2], narrow: [['has', 'link']]},
		'GET /api/v1/messages/matches_narrow?msg_ids=%5B1%2C2%5D&narrow=%5B%5B%22has%22%2C%22link%22%5D%5D',
		'"messages":{"2":{"match_content":"<p>x</p>","match_subject":"y"}}',
	],
});

clientCalls('getReadReceipts', {
	'reads IDs': [{message_id: 7}, 'GET /api/v1/messages/7/read_receipts', '"user_ids":[3,7,9]'],
});

story('markAllAsRead', 'leaves nothing unread, and says so once', [
	say('first'),
	{listen: 'bob', to: 'update_message_flags'},
	[`bob ${MARK}all_as_read`, {complete: true}],
	[`bob ${MARK}all_as_read`, {complete: true}],
	{heard: 'bob', events: [readEvent({messages: [], all: true})]},
	['bob GET /api/v1/messages?anchor=newest&num_before=9&narrow=[["is","unread"]]', like({messages: []})],
]);

story('markStreamAsRead', 'reads the messages of one channel', [
	say('soup'),
	say('lunch', 'to=lunch&topic=x'),
	{listen: 'bob', to: 'update_message_flags'},
	[`bob ${MARK}stream_as_read stream_id=2`, {}],
	{heard: 'bob', events: [readEvent({messages: ['$lunch']})]},
	['gus POST /api/v1/mark_stream_as_read stream_id=2', UNKNOWN],
	['bob POST /api/v1/mark_stream_as_read stream_id=999', UNKNOWN],
]);

story('markTopicAsRead', 'reads the messages of one topic, whatever its case', [
	say('soup'),
	say('salad', 'to=general&topic=salad'),
	{listen: 'bob', to: 'update_message_flags'},
	[`bob ${MARK}topic_as_read stream_id=1&topic_name=SOUP`, {}],
	{heard: 'bob', events: [readEvent({messages: ['$soup']})]},
	[`bob ${MARK}topic_as_read stream_id=1&topic_name=none`, "No such topic 'none'"],
]);

story('checkMessagesMatchNarrow', 'marks the words of a search, and nothing without one', [
	say('soup'),
	async (t, {send, names}) => {
		const {json} = await send(
			'bob GET /api/v1/messages/matches_narrow?msg_ids=[$soup]&narrow=[{"operator":"search","operand":"hello"}]',
		);
		const match = {match_content: '<p><span class="highlight">hello</span></p>', match_subject: 'soup'};
		t.deepEqual(json, {result: 'success', msg: '', messages: {[String(names.get('soup'))]: match}});
		const other = await send(
			'bob GET /api/v1/messages/matches_narrow?msg_ids=[$soup]&narrow=[{"operator":"topic","operand":"salad"}]',
		);
		t.deepEqual(other.json, {result: 'success', msg: '', messages: {}});
		const topic = await send('bob GET /api/v1/messages/matches_narrow?msg_ids=[$soup]&narrow=[["topic","soup"]]');
		const unmarked = {match_content: '<p>hello</p>', match_subject: 'soup'};
		t.deepEqual(topic.json, {result: 'success', msg: '', messages: {[String(names.get('soup'))]: unmarked}});
	},
]);

story('getReadReceipts', 'names who has read a message, but not its sender or who does not say', [
	say('soup'),
	['bob GET /api/v1/messages/$soup/read_receipts', {user_ids: []}],
	...['bob', 'carla', 'mona'].map(
		(who): Step => [`${who} POST /api/v1/messages/flags messages=[$soup]&op=add&flag=read`],
	),
	['carla PATCH /api/v1/settings send_read_receipts=false'],
	['alice GET /api/v1/messages/$soup/read_receipts', {user_ids: [3, 5]}],
	['alice POST /api/v1/users/me/muted_users/5', {}],
	['alice GET /api/v1/messages/$soup/read_receipts', {user_ids: [3]}],
	['alice GET /api/v1/messages/999999/read_receipts', 'Invalid message(s)'],
]);

story('muteUser', 'mutes once, and tells the own clients', [
	{listen: 'alice', to: 'muted_users'},
	['alice POST /api/v1/users/me/muted_users/5', {}],
	['alice POST /api/v1/users/me/muted_users/5', 'User already muted'],
	['alice POST /api/v1/users/me/muted_users/4', 'Cannot mute self'],
	['alice POST /api/v1/users/me/muted_users/999', 'No such user'],
	{heard: 'alice', events: [{type: 'muted_users', muted_users: [{id: 5, timestamp: '<integer>'}]}]},
	['alice POST /api/v1/register event_types=["muted_users"]', like({muted_users: [{id: 5, timestamp: '<integer>'}]})],
]);

story('unmuteUser', 'unmutes those who are muted', [
	['alice DELETE /api/v1/users/me/muted_users/5', 'User is not muted'],
	['alice DELETE /api/v1/users/me/muted_users/4', 'User is not muted'],
	['alice POST /api/v1/users/me/muted_users/5', {}],
	{listen: 'alice', to: 'muted_users'},
	['alice DELETE /api/v1/users/me/muted_users/5', {}],
	{heard: 'alice', events: [{type: 'muted_users', muted_users: []}]},
]);

clientCalls('muteUser', {
	'writes the ID into the path': [{muted_user_id: 12}, 'POST /api/v1/users/me/muted_users/12'],
});

clientCalls('unmuteUser', {
	'writes the ID into the path': [{muted_user_id: 12}, 'DELETE /api/v1/users/me/muted_users/12'],
});

const ADMINISTRATORS = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});

story('addDefaultStream', 'has newcomers subscribed to a channel, and tells everybody', [
	{listen: 'alice', to: 'default_streams'},
	['adam POST /api/v1/default_streams stream_id=2', {}],
	['adam POST /api/v1/default_streams stream_id=2', {}],
	{heard: 'alice', events: [{type: 'default_streams', default_streams: inAnyOrder(1, 2)}]},
	['alice POST /api/v1/default_streams stream_id=2', ADMINISTRATORS],
	['adam POST /api/v1/default_streams stream_id=4', 'Private channels cannot be made default.'],
	['adam POST /api/v1/default_streams stream_id=999', UNKNOWN],
]);

story('removeDefaultStream', 'takes a channel back', [
	{listen: 'alice', to: 'default_streams'},
	['adam DELETE /api/v1/default_streams stream_id=1', {}],
	{heard: 'alice', events: [{type: 'default_streams', default_streams: []}]},
	['alice DELETE /api/v1/default_streams stream_id=1', ADMINISTRATORS],
]);

clientCalls('addDefaultStream', {'writes the ID': [{stream_id: 12}, 'POST /api/v1/default_streams stream_id=12']});
clientCalls('removeDefaultStream', {'writes the ID': [{stream_id: 12}, 'DELETE /api/v1/default_streams stream_id=12']});

clientCalls('getSubscriptionStatus', {
	'writes both IDs into the path': [
		{user_id: 12, stream_id: 7},
		'GET /api/v1/users/12/subscriptions/7',
		'"is_subscribed":true',
	],
});

answers('getSubscriptionStatus', {
	'says yes of a subscriber': ['alice GET /api/v1/users/5/subscriptions/2', {is_subscribed: true}],
	'says no of another': ['alice GET /api/v1/users/2/subscriptions/2', {is_subscribed: false}],
	'refuses unknown people': ['alice GET /api/v1/users/999/subscriptions/2', 'No such user'],
	'refuses bots': ['alice GET /api/v1/users/8/subscriptions/2', 'No such user'],
	'refuses hidden channels': ['alice GET /api/v1/users/5/subscriptions/4', UNKNOWN],
});

clientCalls('deleteTopic', {
	'writes the topic as it is': [
		{stream_id: 5, topic_name: 'a b'},
		'POST /api/v1/streams/5/delete_topic topic_name=a+b',
		'"complete":true',
	],
});

story('deleteTopic', 'deletes the messages of a topic for everybody', [
	say('first'),
	say('second'),
	say('other', 'to=general&topic=salad'),
	['alice POST /api/v1/streams/1/delete_topic topic_name=soup', ADMINISTRATORS],
	{
		listen: 'bob',
		to: 'delete_message',
		form: '&client_capabilities={"notification_settings_null":true,"bulk_message_deletion":true}',
	},
	['adam POST /api/v1/streams/1/delete_topic topic_name=soup', {complete: true}],
	['adam POST /api/v1/streams/1/delete_topic topic_name=soup', {complete: true}],
	['adam POST /api/v1/streams/999/delete_topic topic_name=soup', UNKNOWN],
	{
		heard: 'bob',
		events: [
			{type: 'delete_message', message_ids: ['$first', '$second'], message_type: 'stream', stream_id: 1, topic: 'soup'},
		],
	},
	['bob GET /api/v1/messages/$other', like({})],
]);

clientCalls('updateNotificationSettings', {
	'writes settings': [
		{enable_sounds: false, notification_sound: 'ding'},
		'PATCH /api/v1/settings/notifications enable_sounds=false&notification_sound=ding',
	],
});

story('updateNotificationSettings', 'sets what one wants to be told of', [
	['alice PATCH /api/v1/settings/notifications enable_sounds=false&notification_sound=ding', {}],
	['alice PATCH /api/v1/settings/notifications notification_sound=x', "Invalid notification sound 'x'"],
	[
		'alice POST /api/v1/register event_types=["user_settings"]',
		like({user_settings: like({enable_sounds: false, notification_sound: 'ding'})}),
	],
]);

story('unsubscribe', 'reads what was unread there', [
	say('soup'),
	{listen: 'bob', to: 'update_message_flags'},
	['bob DELETE /api/v1/users/me/subscriptions subscriptions=["general"]', like({removed: ['general']})],
	{heard: 'bob', events: [like({op: 'add', flag: 'read', all: false})]},
]);
