// Messages that change, move and go, and what remains of them.

import test from 'ava';
import {clientCalls} from '../kit/client-calls.js';
import {at, openRealm, signIn} from '../kit/raw-request.js';
import {httpAnswer, startRawServer} from '../kit/raw-server.js';
import {each, like, newest, refusal, type Step, story} from '../kit/story.js';

clientCalls('updateMessage', {
	'writes a text as it is, and reads the uploads that it lost': [
		{message_id: 42, content: '"hi" & 1', prev_content_sha256: 'abc'},
		'PATCH /api/v1/messages/42 content=%22hi%22+%26+1&prev_content_sha256=abc',
		'"detached_uploads":[{"id":3,"name":"a.png"}]',
	],
	'writes a topic as it is, numbers and booleans as JSON': [
		{
			message_id: 42,
			topic: '7',
			stream_id: 3,
			propagate_mode: 'change_later',
			send_notification_to_old_thread: true,
			send_notification_to_new_thread: false,
		},
		'PATCH /api/v1/messages/42 topic=7&stream_id=3&propagate_mode=change_later&send_notification_to_old_thread=true&send_notification_to_new_thread=false',
	],
});

clientCalls('deleteMessage', {
	'writes the ID into the path': [{message_id: 42}, 'DELETE /api/v1/messages/42'],
});

const HISTORY = `{"result":"success","msg":"","message_history":[\
{"topic":"party","content":"a","rendered_content":"<p>a</p>","timestamp":1530129122,"user_id":5},\
{"topic":"outing","content":"b","rendered_content":"<p>b</p>","prev_content":"a","prev_rendered_content":"<p>a</p>",\
"content_html_diff":"<div><p>b</p></div>","prev_topic":"party","stream":3,"prev_stream":1,"timestamp":1530129134,\
"user_id":null}]}`;

clientCalls('getMessageHistory', {
	'reads every state of a message, and fields that it does not know': [
		{message_id: 42, allow_empty_topic_name: true},
		'GET /api/v1/messages/42/history?allow_empty_topic_name=true',
		HISTORY,
		JSON.parse(HISTORY),
	],
});

const [ALICE, BOB] = [4, 5];
const [GENERAL, LUNCH, STAFF, PLAZA] = [1, 2, 4, 6];

const NOW = 1_700_000_000;
const STANDING = {now: NOW * 1000};

const INVALID = 'Invalid message(s)';

const say = (who: string, name: string, form: string): Step => [
	`${who} POST /api/v1/messages ${form}`,
	like({id: `$${name}`}),
];

/** What somebody reads, as it was written. */
const reads = (who: string, name: string, fields: Parameters<typeof like>[0]): Step => [
	`${who} GET /api/v1/messages/$${name}?apply_markdown=false&allow_empty_topic_name=true`,
	like({message: like(fields)}),
];

story(
	'updateMessage',
	'changes a text, tells so, and keeps the old one in the history',
	[
		say('alice', 'id', 'type=channel&to=general&topic=lunch&content=*Soup*'),
		{listen: 'bob', to: 'update_message'},
		['alice PATCH /api/v1/messages/$id content=%2Fme+asks+%40**Bob+Birk**', {detached_uploads: []}],
		{
			heard: 'bob',
			events: [
				{
					type: 'update_message',
					user_id: ALICE,
					edit_timestamp: NOW,
					message_id: '$id',
					message_ids: ['$id'],
					flags: ['mentioned'],
					rendering_only: false,
					stream_id: GENERAL,
					stream_name: 'general',
					orig_content: '*Soup*',
					orig_rendered_content: '<p><em>Soup</em></p>',
					content: '/me asks @**Bob Birk**',
					rendered_content: '<p>/me asks <span class="user-mention" data-user-id="5">@Bob Birk</span></p>',
					is_me_message: true,
				},
			],
		},
		reads('bob', 'id', {
			content: '/me asks @**Bob Birk**',
			flags: ['mentioned'],
			last_edit_timestamp: NOW,
			last_moved_timestamp: undefined,
			edit_history: [
				{user_id: ALICE, timestamp: NOW, prev_content: '*Soup*', prev_rendered_content: '<p><em>Soup</em></p>'},
			],
		}),
	],
	STANDING,
);

story('updateMessage', 'trims the new text, and takes the old one for an edit, but the old topic for none', [
	say('alice', 'id', 'type=channel&to=general&topic=lunch&content=x'),
	{listen: 'alice', to: 'update_message'},
	['alice PATCH /api/v1/messages/$id topic=lunch', 'Nothing to change'],
	{heard: 'alice', events: []},
	['alice PATCH /api/v1/messages/$id content=x&topic=lunch', {detached_uploads: []}],
	{heard: 'alice', events: [like({orig_content: 'x', content: 'x'})]},
	reads('alice', 'id', {edit_history: [like({prev_content: 'x'})]}),
	['alice PATCH /api/v1/messages/$id content=y%0A%0A', {detached_uploads: []}],
	reads('alice', 'id', {content: 'y'}),
	['alice PATCH /api/v1/messages/$id content=++', {detached_uploads: []}],
	reads('alice', 'id', {content: '(deleted)'}),
	[
		'alice PATCH /api/v1/messages/$id content=z&colour=red',
		{detached_uploads: [], ignored_parameters_unsupported: ['colour']},
	],
]);

// SHA-256 of `abc`.
const SHA = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

story('updateMessage', 'replaces a text whose SHA-256 is the expected one, and no other', [
	say('alice', 'id', 'type=direct&to=bob%40bothy.example&content=abc'),
	[`alice PATCH /api/v1/messages/$id content=abcd&prev_content_sha256=${SHA}`, {detached_uploads: []}],
	[
		`alice PATCH /api/v1/messages/$id content=abcde&prev_content_sha256=${SHA}`,
		refusal('400 Bad Request', "'prev_content_sha256' value does not match the expected value.", {
			code: 'EXPECTATION_MISMATCH',
			field_name: 'prev_content_sha256',
		}),
	],
	reads('alice', 'id', {content: 'abcd'}),
]);

const threeInATopic = ['one', 'two', 'three'].map(name =>
	say('bob', name, `type=channel&to=general&topic=food&content=${name}`),
);

for (const [form, mode, moved] of [
	['', 'change_one', ['two']],
	['&propagate_mode=change_one', 'change_one', ['two']],
	['&propagate_mode=change_later', 'change_later', ['two', 'three']],
	['&propagate_mode=change_all', 'change_all', ['one', 'two', 'three']],
] as const) {
	const edit = {user_id: ALICE, timestamp: NOW, prev_topic: 'food', topic: 'drinks'};
	story(
		'updateMessage',
		`moves ${moved.join(', ')} of one, two, three to another topic with "${form}"`,
		[
			...threeInATopic,
			{listen: 'bob', to: 'update_message'},
			[
				`alice PATCH /api/v1/messages/$two topic=drinks${form}&send_notification_to_new_thread=false`,
				{detached_uploads: []},
			],
			[
				'bob GET /api/v1/messages?anchor=oldest&num_before=0&num_after=9&apply_markdown=false&narrow=[["topic","drinks"]]',
				like({
					messages: moved.map(name =>
						like({
							content: name,
							last_edit_timestamp: undefined,
							last_moved_timestamp: NOW,
							edit_history: [edit],
						}),
					),
				}),
			],
			{
				heard: 'bob',
				events: [
					{
						type: 'update_message',
						user_id: ALICE,
						edit_timestamp: NOW,
						message_id: '$two',
						message_ids: moved.map(name => `$${name}`),
						flags: [],
						rendering_only: false,
						stream_id: GENERAL,
						stream_name: 'general',
						orig_subject: 'food',
						subject: 'drinks',
						topic_links: [],
						propagate_mode: mode,
					},
				],
			},
		],
		STANDING,
	);
}

const newestIn = (channel: string, content: string): Step => [
	`bob GET /api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&narrow=[["channel","${channel}"],["topic","food"]]`,
	like({messages: [like({sender_full_name: 'Notification Bot', content})]}),
];

story('updateMessage', 'moves a topic to another channel and leaves notices on both sides', [
	...threeInATopic,
	{listen: 'bob', to: 'update_message'},
	[
		`alice PATCH /api/v1/messages/$one stream_id=${LUNCH}&propagate_mode=change_all&send_notification_to_old_thread=true`,
		{detached_uploads: []},
	],
	reads('bob', 'three', {
		display_recipient: 'lunch',
		subject: 'food',
		edit_history: [like({prev_stream: GENERAL, stream: LUNCH})],
	}),
	{
		heard: 'bob',
		events: [like({stream_id: GENERAL, new_stream_id: LUNCH, orig_subject: 'food', subject: undefined})],
	},
	newestIn('lunch', 'This topic was moved here from #**general>food** by @_**Alice Ahn|4**.'),
	newestIn('general', 'This topic was moved to #**lunch>food** by @_**Alice Ahn|4**.'),
]);

story('updateMessage', 'takes a message from those who may not read in its new channel', [
	say('bob', 'id', 'type=channel&to=general&topic=food&content=x'),
	{listen: 'bob', to: 'update_message'},
	{listen: 'bob', to: 'delete_message'},
	[
		`adam PATCH /api/v1/messages/$id stream_id=${STAFF}&topic=secret&send_notification_to_new_thread=false`,
		{detached_uploads: []},
	],
	{heard: 'bob', of: 'update_message', events: []},
	{
		heard: 'bob',
		of: 'delete_message',
		events: [{type: 'delete_message', message_type: 'stream', message_id: '$id', stream_id: GENERAL, topic: 'food'}],
	},
	['bob GET /api/v1/messages/$id', INVALID],
	reads('adam', 'id', {subject: 'secret'}),
	reads('olivia', 'id', {subject: 'secret'}),
]);

story('updateMessage', 'notifies subscribers of the old channel; receivers outside of the new one lose their flags', [
	say('bob', 'id', 'type=channel&to=general&topic=food&content=@**Olivia+Owens**'),
	reads('olivia', 'id', {flags: ['mentioned']}),
	{listen: 'olivia', to: 'update_message'},
	{listen: 'mona', to: 'update_message'},
	[`adam PATCH /api/v1/messages/$id stream_id=${LUNCH}&send_notification_to_new_thread=false`],
	reads('olivia', 'id', {flags: ['read', 'historical']}),
	[`adam PATCH /api/v1/messages/$id stream_id=${GENERAL}&send_notification_to_new_thread=false`],
	{heard: 'olivia', events: [like({new_stream_id: LUNCH, flags: ['read']})]},
	{heard: 'mona', events: [like({new_stream_id: LUNCH}), like({new_stream_id: GENERAL})]},
]);

story('updateMessage', 'reads the old name of the topic and both names of the empty one; resolving is no move', [
	...threeInATopic,
	['alice PATCH /api/v1/messages/$one topic=%E2%9C%94+food&propagate_mode=change_all', {detached_uploads: []}],
	reads('bob', 'one', {
		subject: '✔ food',
		last_moved_timestamp: undefined,
		edit_history: [like({prev_topic: 'food'})],
	}),
	['alice PATCH /api/v1/messages/$one subject=drinks', {detached_uploads: []}],
	['alice PATCH /api/v1/messages/$two topic=general+chat', {detached_uploads: []}],
	['alice PATCH /api/v1/messages/$three topic=(no+topic)', {detached_uploads: []}],
	reads('bob', 'one', {subject: 'drinks'}),
	reads('bob', 'two', {subject: '', edit_history: [like({topic: ''}), like({topic: '✔ food'})]}),
	reads('bob', 'three', {subject: ''}),
	[
		'bob GET /api/v1/messages/$two',
		like({message: like({edit_history: [like({topic: 'general chat'}), like({topic: '✔ food'})]})}),
	],
]);

const TOO_LATE = 'The time limit for editing this message has passed';

story('updateMessage', 'changes texts for ten minutes and moves them for a week, for moderators always', [
	...threeInATopic,
	{advanceMs: 600_000},
	['bob PATCH /api/v1/messages/$one content=in+time', {detached_uploads: []}],
	{advanceMs: 25_000},
	['bob PATCH /api/v1/messages/$one content=too+late', TOO_LATE],
	['bob PATCH /api/v1/messages/$one topic=drinks', {detached_uploads: []}],
	{advanceMs: 8 * 24 * 3_600_000},
	['alice PATCH /api/v1/messages/$one topic=food', "The time limit for editing this message's topic has passed."],
	['alice PATCH /api/v1/messages/$one stream_id=2', "The time limit for editing this message's channel has passed"],
	say('alice', 'young', 'type=channel&to=general&topic=food&content=4'),
	[
		'alice PATCH /api/v1/messages/$young topic=drinks&propagate_mode=change_all',
		refusal('400 Bad Request', 'You only have permission to move the 1/3 most recent messages in this topic.', {
			code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
			first_message_id_allowed_to_move: '$young',
			total_messages_in_topic: 3,
			total_messages_allowed_to_move: 1,
		}),
	],
	reads('alice', 'young', {subject: 'food'}),
	['mona PATCH /api/v1/messages/$two topic=drinks&propagate_mode=change_all', {detached_uploads: []}],
]);

story('updateMessage', 'refuses wrong changes, and changes of what is not to be changed', [
	say('alice', 'id', 'type=channel&to=general&topic=lunch&content=old'),
	...each('alice PATCH /api/v1/messages/$id ', {
		'': 'Nothing to change',
		'content=x&propagate_mode=change_all': 'Invalid propagate_mode without topic edit',
		'topic=lunch': 'Nothing to change',
		'topic=lunch&content=x&propagate_mode=change_all': 'Invalid propagate_mode without topic edit',
		'stream_id=-1': 'stream_id is too small',
		'content=x&stream_id=1': 'Cannot change message content while changing channel',
		'topic=x&propagate_mode=change_some': 'Invalid propagate_mode',
		'topic=x&subject=y': refusal('400 Bad Request', "Can't decide between 'topic' and 'subject' arguments", {
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'topic',
			var_name2: 'subject',
		}),
		'stream_id=abc': 'stream_id is not valid JSON',
		'stream_id=%22abc%22': 'stream_id is not an integer',
		'topic=x&send_notification_to_old_thread=yes': 'send_notification_to_old_thread is not valid JSON',
		'topic=x&send_notification_to_new_thread=1': 'send_notification_to_new_thread is not a boolean',
		'stream_id=99999': 'Invalid channel ID',
		'stream_id=4': 'Invalid channel ID',
		'stream_id=5': 'Invalid channel ID',
		'stream_id=3': 'You do not have permission to post in this channel.',
		'topic=a%07': 'Invalid character in topic, at position 2!',
		'content=a%00b': 'Message must not contain null bytes',
	}),
	['olivia PATCH /api/v1/messages/$id content=x', "You don't have permission to edit this message"],
	reads('alice', 'id', {content: 'old', subject: 'lunch', display_recipient: 'general'}),
	['alice PATCH /api/v1/messages/99999 content=x', INVALID],
	say('alice', 'direct', 'type=direct&to=bob%40bothy.example&content=x'),
	['alice PATCH /api/v1/messages/$direct topic=x', 'Direct messages cannot have topics.'],
	['alice PATCH /api/v1/messages/$direct stream_id=1', 'Direct messages cannot be moved to channels.'],
	say('alice', 'poll', 'type=channel&to=general&topic=lunch&content=%2Fpoll+Soup%3F'),
	['alice PATCH /api/v1/messages/$poll content=x', 'Widgets cannot be edited.'],
]);

story('updateMessage', 'lets guests move messages within a channel, but to no other', [
	say('gus', 'id', 'type=channel&to=general&topic=lunch&content=x'),
	['gus PATCH /api/v1/messages/$id topic=drinks', {detached_uploads: []}],
	['gus PATCH /api/v1/messages/$id stream_id=3', "You don't have permission to move this message"],
]);

story('updateMessage', 'refuses mentions that its author may not use, as when it is sent', [
	say('carla', 'id', 'type=channel&to=plaza&topic=x&content=old'),
	[
		'carla PATCH /api/v1/messages/$id content=%40**all**',
		refusal('400 Bad Request', 'You do not have permission to use channel wildcard mentions in this channel.', {
			code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
		}),
	],
	['carla PATCH /api/v1/messages/$id content=%40*board*', "You are not allowed to mention user group 'board'."],
	reads('carla', 'id', {content: 'old'}),
]);

story('updateMessage', 'moves no message to a topic that the channel does not take', [
	say('alice', 'id', 'type=channel&to=general&topic=x&content=x'),
	['olivia PATCH /api/v1/streams/1 topics_policy=disable_empty_topic', {}],
	[
		'alice PATCH /api/v1/messages/$id topic=%28no+topic%29',
		refusal('400 Bad Request', 'Sending messages to the general chat is not allowed in this channel.', {
			empty_topic_display_name: 'general chat',
		}),
	],
	reads('alice', 'id', {subject: 'x'}),
]);

test('updateMessage: fires no webhook for a message that comes to mention a bot', async t => {
	const receiver = await startRawServer(t, httpAnswer('200 OK', '{}'));
	const realm = await openRealm(t);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: `${receiver.url}/hooks/echo`});
	const alice = await signIn(t, 'alice', realm);
	const {json} = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=lunch&content=x');
	const path = `/api/v1/messages/${at(json, 'id')}`;

	await alice.patch(path, 'content=%40**Echo**+first');
	await alice.post('/api/v1/messages', 'type=channel&to=general&topic=lunch&content=%40**Echo**+second');

	t.like((await alice.get(path)).json, {raw_content: '@**Echo** first'});
	t.regex((await receiver.request()).body, /second/);
});

const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3];

const thinks = (who: string, topic: string, policy: number): Step => [
	`${who} POST /api/v1/user_topics stream_id=${LUNCH}&topic=${topic}&visibility_policy=${policy}`,
	{},
];

const thoughtsOf = (who: string, ...rows: ReadonlyArray<readonly [number, string, number]>): Step => [
	`${who} POST /api/v1/register event_types=["user_topic"]`,
	like({
		user_topics: rows.map(([stream_id, topic_name, visibility_policy]) => ({
			stream_id,
			topic_name,
			visibility_policy,
			last_updated: '<integer>',
		})),
	}),
];

const soup = (who: string, name: string, topic = 'soup') =>
	say(who, name, `type=channel&to=lunch&topic=${topic}&content=x`);

const moves = (who: string, name: string, form: string): Step => [
	`${who} PATCH /api/v1/messages/$${name} send_notification_to_new_thread=false&${form}`,
	{detached_uploads: []},
];

story('updateMessage', 'moves the topic policies of people with the whole topic, and they get an event', [
	soup('alice', 'first'),
	soup('alice', 'second'),
	thinks('bob', 'soup', MUTED),
	thinks('carla', 'soup', UNMUTED),
	moves('alice', 'second', 'topic=tea&propagate_mode=change_one'),
	thoughtsOf('bob', [LUNCH, 'soup', MUTED]),
	moves('alice', 'first', 'topic=SOUP&propagate_mode=change_all'),
	thoughtsOf('bob', [LUNCH, 'soup', MUTED]),
	{listen: 'bob', to: 'user_topic'},
	moves('alice', 'first', 'topic=stew&propagate_mode=change_all'),
	thoughtsOf('bob', [LUNCH, 'stew', MUTED]),
	thoughtsOf('carla', [LUNCH, 'stew', UNMUTED]),
	thoughtsOf('alice', [LUNCH, 'stew', FOLLOWED]),
	{
		heard: 'bob',
		events: [like({topic_name: 'SOUP', visibility_policy: 0}), like({topic_name: 'stew', visibility_policy: MUTED})],
	},
]);

const MERGES = [
	{from: FOLLOWED, to: MUTED, merged: FOLLOWED},
	{from: MUTED, to: FOLLOWED, merged: FOLLOWED},
	{from: UNMUTED, to: 0, merged: UNMUTED},
	{from: 0, to: UNMUTED, merged: UNMUTED},
	{from: MUTED, to: 0, merged: 0},
	{from: 0, to: MUTED, merged: 0},
	{from: MUTED, to: MUTED, merged: MUTED},
];

story('updateMessage', 'moves a topic into another one, whose policy becomes the more audible of both', [
	...MERGES.flatMap(({from, to}, n) => [
		soup('alice', `id${n}`, `soup${n}`),
		soup('alice', `other${n}`, `stew${n}`),
		thinks('bob', `soup${n}`, from),
		thinks('bob', `stew${n}`, to),
		moves('alice', `id${n}`, `topic=stew${n}&propagate_mode=change_all`),
	]),
	thoughtsOf(
		'bob',
		...MERGES.map(({merged}, n) => [LUNCH, `stew${n}`, merged] as const).filter(([, , merged]) => merged !== 0),
	),
]);

story('updateMessage', 'moves what people think to another channel for those who may read there', [
	soup('alice', 'id'),
	thinks('mona', 'soup', MUTED),
	thinks('bob', 'soup', FOLLOWED),
	moves('mona', 'id', `stream_id=${GENERAL}&propagate_mode=change_all`),
	thoughtsOf('bob', [GENERAL, 'soup', FOLLOWED]),
	moves('mona', 'id', `stream_id=${STAFF}&propagate_mode=change_all`),
	thoughtsOf('bob'),
	thoughtsOf('mona', [STAFF, 'soup', MUTED], [PLAZA, 'general chat', FOLLOWED], [PLAZA, 'band', MUTED]),
]);

const RESOLVED = {subject: '✔ food', content: '@_**Alice Ahn|4** has marked this topic as resolved.'};
const resolves = (topic: string): Step => [
	`alice PATCH /api/v1/messages/$id topic=${topic}&propagate_mode=change_all`,
	{detached_uploads: []},
];

story('updateMessage', 'tells that a topic is resolved, and takes that back if it is undone within a minute', [
	say('alice', 'id', 'type=channel&to=general&topic=food&content=soup'),
	resolves('%E2%9C%94+food'),
	newest('bob', RESOLVED),
	{advanceMs: 60_000},
	resolves('food'),
	newest('bob', {id: '$id', subject: 'food', content: 'soup'}),
	resolves('%E2%9C%94+food'),
	newest('bob', RESOLVED),
	{advanceMs: 61_000},
	resolves('food'),
	newest('bob', {subject: 'food', content: '@_**Alice Ahn|4** has marked this topic as unresolved.'}),
]);

story(
	'updateMessage',
	'tells only those who took part, on servers without a setting for it',
	[
		say('alice', 'id', 'type=channel&to=general&topic=food&content=soup'),
		say('carla', 'other', 'type=channel&to=general&topic=food&content=cake'),
		resolves('%E2%9C%94+food'),
		newest('bob', {...RESOLVED, flags: ['read']}),
		newest('carla', {...RESOLVED, flags: []}),
	],
	{featureLevel: 384},
);

const BULK = 'client_capabilities={"notification_settings_null":true,"bulk_message_deletion":true}';
const DELETED = {type: 'delete_message', message_type: 'stream', stream_id: LUNCH, topic: 'general chat'};

story('deleteMessage', 'deletes a channel message, and each queue gets the form of event that it supports', [
	say('alice', 'id', 'type=channel&to=lunch&topic=&content=x'),
	{listen: 'bob', to: 'delete_message'},
	{listen: 'carla', to: 'delete_message', form: `&${BULK}`},
	{listen: 'adam', to: 'delete_message', form: `&${BULK}`},
	['alice DELETE /api/v1/messages/$id', {}],
	{heard: 'bob', events: [{...DELETED, message_id: '$id'}]},
	{heard: 'carla', events: [{...DELETED, message_ids: ['$id']}]},
	{heard: 'adam', events: []},
	['alice GET /api/v1/messages/$id', INVALID],
	['alice DELETE /api/v1/messages/$id', INVALID],
]);

story('deleteMessage', 'deletes a direct message for both, history and widget included, and gives no ID twice', [
	say('alice', 'id', 'type=direct&to=bob%40bothy.example&content=x'),
	['alice PATCH /api/v1/messages/$id content=y', {detached_uploads: []}],
	say('alice', 'poll', 'type=direct&to=bob%40bothy.example&content=%2Fpoll+Soup%3F'),
	{listen: 'bob', to: 'delete_message'},
	['alice DELETE /api/v1/messages/$id', {}],
	['alice DELETE /api/v1/messages/$poll colour=red', {ignored_parameters_unsupported: ['colour']}],
	{
		heard: 'bob',
		events: [
			{type: 'delete_message', message_type: 'private', message_id: '$id'},
			{type: 'delete_message', message_type: 'private', message_id: '$poll'},
		],
	},
	say('alice', 'next', 'type=direct&to=bob%40bothy.example&content=x'),
	(t, {names}) => {
		t.true(Number(names.get('next')) > Number(names.get('poll')));
	},
]);

story('deleteMessage', 'lets authors delete for ten minutes, administrators always, and owners what their bots said', [
	say('alice', 'id', 'type=channel&to=general&topic=x&content=x'),
	['bob DELETE /api/v1/messages/$id', "You don't have permission to delete this message"],
	{advanceMs: 610_000},
	['alice DELETE /api/v1/messages/$id', 'The time limit for deleting this message has passed'],
	['adam DELETE /api/v1/messages/$id', {}],
	say('echo-bot', 'answer', 'type=channel&to=general&topic=x&content=x'),
	['olivia DELETE /api/v1/messages/$answer', {}],
	['echo-bot GET /api/v1/messages/$answer', INVALID],
]);

story('deleteMessage', 'refuses an unknown message, and one that the caller may not read', [
	['alice DELETE /api/v1/messages/99999', INVALID],
	say('olivia', 'id', 'type=channel&to=staff&topic=x&content=x'),
	['alice DELETE /api/v1/messages/$id', INVALID],
	reads('olivia', 'id', {content: 'x'}),
]);

story(
	'getMessageHistory',
	'lists the states of a message from the oldest to the newest',
	[
		say('alice', 'id', 'type=channel&to=general&topic=&content=a'),
		['alice PATCH /api/v1/messages/$id content=*b*', {detached_uploads: []}],
		{advanceMs: 5000},
		[`bob PATCH /api/v1/messages/$id topic=food&stream_id=${LUNCH}`, {detached_uploads: []}],
		['alice PATCH /api/v1/messages/$id content=c&topic=drinks', {detached_uploads: []}],
		[
			'bob GET /api/v1/messages/$id/history',
			{
				message_history: [
					{topic: 'general chat', content: 'a', rendered_content: '<p>a</p>', user_id: ALICE, timestamp: NOW},
					{
						topic: 'general chat',
						content: '*b*',
						rendered_content: '<p><em>b</em></p>',
						prev_content: 'a',
						prev_rendered_content: '<p>a</p>',
						content_html_diff:
							'<div><p><span class="highlight_text_inserted"><em>b</em></span></p> <p><span class="highlight_text_deleted">a</span></p></div>',
						user_id: ALICE,
						timestamp: NOW,
					},
					{
						topic: 'food',
						content: '*b*',
						rendered_content: '<p><em>b</em></p>',
						prev_topic: 'general chat',
						prev_stream: GENERAL,
						stream: LUNCH,
						user_id: BOB,
						timestamp: NOW + 5,
					},
					{
						topic: 'drinks',
						content: 'c',
						rendered_content: '<p>c</p>',
						prev_content: '*b*',
						prev_rendered_content: '<p><em>b</em></p>',
						prev_topic: 'food',
						content_html_diff:
							'<div><p><span class="highlight_text_inserted">c</span></p> <p><span class="highlight_text_deleted"><em>b</em></span></p></div>',
						user_id: ALICE,
						timestamp: NOW + 5,
					},
				],
			},
		],
	],
	STANDING,
);

story('getMessageHistory', 'gives a single state, names the empty topic, and refuses what the caller may not read', [
	say('alice', 'id', 'type=channel&to=general&topic=&content=a'),
	say('olivia', 'direct', 'type=direct&to=adam%40bothy.example&content=x'),
	...each('alice GET /api/v1/messages/', {
		'$id/history': {message_history: [like({topic: 'general chat'})]},
		'$id/history?allow_empty_topic_name=true': {message_history: [like({topic: ''})]},
		'$id/history?colour=red': like({ignored_parameters_unsupported: ['colour']}),
		'$id/history?allow_empty_topic_name=yes': 'allow_empty_topic_name is not valid JSON',
		'99999/history': INVALID,
		'$direct/history': INVALID,
	}),
]);
