import {clientCalls} from '../kit/client-calls.js';
import {like, type Step, story} from '../kit/story.js';

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

story('markTopicAsRead', 'marks the messages of one topic as read, in any case', [
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
