// Reactions, and submessages: the votes and tasks of widgets.

import test from 'ava';
import {startRealm} from '../../../src/realm/index.js';
import {clientCalls} from '../kit/client-calls.js';
import {openRealm, signIn} from '../kit/raw-request.js';
import {temporaryFile} from '../kit/scheduled-kit.js';
import {each, like, missingArgument, refusal, story} from '../kit/story.js';

clientCalls('addReaction', {
	'writes the message into the path and the emoji into the form': [
		{message_id: 43, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji'},
		'POST /api/v1/messages/43/reactions emoji_name=%2B1&emoji_code=1f44d&reaction_type=unicode_emoji',
	],
});

clientCalls('removeReaction', {
	'writes the message into the path and the emoji into the form': [
		{message_id: 43, emoji_code: '1f419', reaction_type: 'unicode_emoji'},
		'DELETE /api/v1/messages/43/reactions emoji_code=1f419&reaction_type=unicode_emoji',
	],
});

const [ALICE, BOB, CARLA] = [4, 5, 6];
const TADA = {emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji'};
const THUMBS_UP = {emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji'};
const HEART = {emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji'};
const EXTRA = {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji'};

const EXISTS = refusal('400 Bad Request', 'Reaction already exists.', {code: 'REACTION_ALREADY_EXISTS'});
const GONE = refusal('400 Bad Request', "Reaction doesn't exist.", {code: 'REACTION_DOES_NOT_EXIST'});

const hasReactions = (...reactions: object[]) => like({message: like({reactions: reactions as never})});

/** Who reacted, as events tell it. */
const by = (user_id: number) => ({
	user_id,
	user:
		user_id === BOB
			? {user_id, email: 'bob@bothy.example', full_name: 'Bob Birk'}
			: {user_id, email: 'alice@bothy.example', full_name: 'Alice Ahn'},
});

story(
	'addReaction',
	'shows reactions in their order under the first name, and everybody who got the message gets an event',
	[
		['alice POST /api/v1/messages type=channel&to=general&topic=x&content=x', like({id: '$id'})],
		{listen: 'alice', to: 'reaction'},
		{listen: 'bob', to: 'reaction'},
		['bob POST /api/v1/messages/$id/reactions emoji_name=thumbs_up', {}],
		['bob POST /api/v1/messages/$id/reactions emoji_name=heart&emoji_code=2764&reaction_type=unicode_emoji', {}],
		['alice POST /api/v1/messages/$id/reactions emoji_name=%2B1', {}],
		['alice POST /api/v1/messages/$id/reactions emoji_name=thumbs_up', EXISTS],
		[
			'alice GET /api/v1/messages/$id',
			hasReactions({...THUMBS_UP, user_id: BOB}, {...HEART, user_id: BOB}, {...THUMBS_UP, user_id: ALICE}),
		],
		[
			'alice GET /api/v1/messages?message_ids=[$id]',
			like({
				messages: [
					like({
						reactions: [
							{...THUMBS_UP, user_id: BOB},
							{...HEART, user_id: BOB},
							{...THUMBS_UP, user_id: ALICE},
						],
					}),
				],
			}),
		],
		...['alice', 'bob'].map(heard => ({
			heard,
			events: [
				{type: 'reaction', op: 'add', message_id: '$id', ...THUMBS_UP, ...by(BOB)},
				{type: 'reaction', op: 'add', message_id: '$id', ...HEART, ...by(BOB)},
				{type: 'reaction', op: 'add', message_id: '$id', ...THUMBS_UP, ...by(ALICE)},
			],
		})),
	],
);

story('addReaction', 'takes the special built-in emoji by its name, its kind or the old name of its kind', [
	['bob POST /api/v1/messages/1/reactions emoji_name=zulip', {}],
	['alice POST /api/v1/messages/1/reactions emoji_name=zulip&reaction_type=zulip_extra_emoji', {}],
	['carla POST /api/v1/messages/1/reactions emoji_name=zulip&emoji_code=zulip&reaction_type=service_extra_emoji', {}],
	[
		'alice GET /api/v1/messages/1',
		hasReactions({...EXTRA, user_id: BOB}, {...EXTRA, user_id: ALICE}, {...EXTRA, user_id: CARLA}),
	],
]);

story('addReaction', 'refuses messages of an archived channel, and so does removeReaction', [
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=x', like({id: '$id'})],
	['alice POST /api/v1/messages/$id/reactions emoji_name=tada', {}],
	['olivia DELETE /api/v1/streams/2', {}],
	['alice POST /api/v1/messages/$id/reactions emoji_name=octopus', 'Invalid message(s)'],
	['alice DELETE /api/v1/messages/$id/reactions emoji_name=tada', 'Invalid message(s)'],
]);

story('addReaction', 'sends no event to people outside of a direct conversation', [
	['alice POST /api/v1/messages type=direct&to=[5]&content=x', {id: '$id'}],
	{listen: 'bob', to: 'reaction'},
	{listen: 'olivia', to: 'reaction'},
	['olivia POST /api/v1/messages/$id/reactions emoji_name=tada', 'Invalid message(s)'],
	['alice POST /api/v1/messages/$id/reactions emoji_name=tada', {}],
	{heard: 'bob', events: [like({message_id: '$id'})]},
	{heard: 'olivia', events: []},
]);

story('addReaction', 'sends an event to a person who reacts to a message that they did not get', [
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=x', like({id: '$id'})],
	{listen: 'olivia', to: 'reaction'},
	['olivia POST /api/v1/messages/$id/reactions emoji_name=pizza', {}],
	{heard: 'olivia', events: [like({emoji_name: 'pizza'})]},
	['olivia GET /api/v1/messages/$id', like({message: like({flags: ['read', 'historical']})})],
]);

story('addReaction', 'refuses what is no emoji, and names the parameters that it does not know', [
	...each('alice POST /api/v1/messages/1/reactions ', {
		'emoji_code=1f389': missingArgument('emoji_name'),
		'emoji_name=no_such_emoji': "Emoji 'no_such_emoji' does not exist",
		'emoji_name=tada&emoji_code=&reaction_type=unicode_emoji': 'Invalid emoji code.',
		'emoji_name=tada&emoji_code=zz&reaction_type=unicode_emoji': 'Invalid emoji code.',
		'emoji_name=tada&emoji_code=2764': 'Invalid emoji name.',
		'emoji_name=tada&emoji_code=1&reaction_type=realm_emoji': 'Invalid custom emoji.',
		'emoji_name=tada&emoji_code=tada&reaction_type=service_extra_emoji': 'Invalid emoji code.',
		'emoji_name=tada&reaction_type=sticker': 'Invalid emoji type.',
	}),
	['alice POST /api/v1/messages/4711/reactions emoji_name=no_such_emoji', 'Invalid message(s)'],
	['alice GET /api/v1/messages/1', hasReactions()],
	['alice POST /api/v1/messages/1/reactions emoji_name=tada&colour=red', {ignored_parameters_unsupported: ['colour']}],
]);

test('addReaction: reactions outlive the realm', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const alice = await signIn(t, 'alice', first);
	await alice.post('/api/v1/messages/1/reactions', 'emoji_name=octopus');
	await first.close();

	const again = await signIn(t, 'alice', await openRealm(t, {file}));

	t.like((await again.get('/api/v1/messages/1')).json, {message: {reactions: [{emoji_name: 'octopus'}]}});
});

story(
	'removeReaction',
	'takes back the own reaction, once, by the name or the code of its emoji, and tells everybody',
	[
		{listen: 'bob', to: 'reaction'},
		['bob POST /api/v1/messages/1/reactions emoji_name=tada', {}],
		...['emoji_name=tada', 'emoji_code=1f389', 'emoji_code=1f389&reaction_type=unicode_emoji'].flatMap(form => [
			['alice POST /api/v1/messages/1/reactions emoji_name=tada', {}] as const,
			[`alice DELETE /api/v1/messages/1/reactions ${form}`, {}] as const,
			[`alice DELETE /api/v1/messages/1/reactions ${form}`, GONE] as const,
			['alice GET /api/v1/messages/1', hasReactions({...TADA, user_id: BOB})] as const,
		]),
		{
			heard: 'bob',
			events: [
				like({op: 'add', user_id: BOB}),
				...[1, 2, 3].flatMap(() => [
					like({op: 'add', user_id: ALICE}),
					{type: 'reaction', op: 'remove', message_id: 1, ...TADA, ...by(ALICE)},
				]),
			],
		},
	],
);

story('removeReaction', 'refuses what is no reaction of the caller', [
	['alice POST /api/v1/messages/1/reactions emoji_name=tada', {}],
	...each('alice DELETE /api/v1/messages/1/reactions ', {
		'': 'At least one of the following arguments must be present: emoji_name, emoji_code',
		'emoji_name=no_such_emoji': "Emoji 'no_such_emoji' does not exist",
		'emoji_name=tada&reaction_type=realm_emoji': GONE,
	}),
	['alice DELETE /api/v1/messages/4711/reactions', 'Invalid message(s)'],
	['alice GET /api/v1/messages/1', hasReactions({...TADA, user_id: ALICE})],
]);

clientCalls('addSubmessage', {
	'writes texts as they are': [
		{message_id: 9, msg_type: 'widget', content: '{"type":"vote"}'},
		'POST /api/v1/submessage message_id=9&msg_type=widget&content=%7B%22type%22%3A%22vote%22%7D',
	],
});

const ASK = 'alice POST /api/v1/messages type=channel&to=general&topic=x&content=';
const ADD = 'POST /api/v1/submessage msg_type=widget&message_id=';
const VOTE = '{"type":"vote","key":"canned,0","vote":1}';

story('addSubmessage', 'a vote is kept with the message, and its readers hear of it', [
	[`${ASK}/poll Lunch?%0AYes`, like({id: '$poll'})],
	{listen: 'alice', to: 'submessage'},
	{listen: 'carla', to: 'submessage'},
	[`bob ${ADD}$poll&content=${VOTE}`, {}],
	[
		'alice GET /api/v1/messages/$poll',
		like({
			message: like({
				submessages: [
					like({content: '<string>'}),
					{id: '$vote', message_id: '$poll', sender_id: BOB, msg_type: 'widget', content: VOTE},
				],
			}),
		}),
	],
	{
		heard: 'alice',
		events: [
			{
				type: 'submessage',
				message_id: '$poll',
				submessage_id: '$vote',
				sender_id: BOB,
				msg_type: 'widget',
				content: VOTE,
			},
		],
	},
]);

story('addSubmessage', 'refuses what is no part of a poll', [
	[`${ASK}/poll Lunch?%0AYes`, like({id: '$poll'})],
	[`bob ${ADD}$poll`, missingArgument('content')],
	[`bob ${ADD}$poll&content=x`, 'Invalid json for submessage'],
	[`bob ${ADD}$poll&content=5`, 'poll data is not a dict'],
	[`bob ${ADD}$poll&content={}`, 'type key is missing from poll data'],
	[`bob ${ADD}$poll&content={"type":"dance"}`, 'Unknown type for poll data: dance'],
	[`bob ${ADD}$poll&content={"type":"vote","key":"a"}`, 'vote key is missing from poll data'],
	[`bob ${ADD}$poll&content={"type":"vote","key":"a","vote":2}`, 'Invalid poll data["vote"]'],
	[`bob ${ADD}$poll&content={"type":"vote","key":1,"vote":1}`, 'poll data["key"] is not a string'],
	[`bob ${ADD}$poll&content={"type":"vote","key":"a","vote":1,"more":1}`, 'Unexpected arguments: more'],
	[
		`bob ${ADD}$poll&content={"type":"question","question":"Tea?"}`,
		"You can't edit a question unless you are the author.",
	],
	[`alice ${ADD}$poll&content={"type":"question","question":"Tea?"}`, {}],
	[`bob ${ADD}$poll&content={"type":"new_option","option":"Soup","idx":1}`, {}],
	['alice GET /api/v1/messages/$poll', like({message: like({submessages: [like({}), like({}), like({})]})})],
]);

story('addSubmessage', 'knows tasks, and refuses messages without a widget or out of sight', [
	[`${ASK}/todo List`, like({id: '$list'})],
	[`bob ${ADD}$list&content={"type":"new_task","key":1,"task":"Shop","desc":"","completed":false}`, {}],
	[`bob ${ADD}$list&content={"type":"strike","key":"1,5"}`, {}],
	[
		`bob ${ADD}$list&content={"type":"new_task_list_title","title":"x"}`,
		"You can't edit the task list title unless you are the author.",
	],
	[`${ASK}plain`, like({id: '$plain'})],
	[`bob ${ADD}$plain&content=${VOTE}`, 'You cannot attach a submessage to this message.'],
	['alice POST /api/v1/messages type=direct&to=[4]&content=/poll x', like({id: '$own'})],
	[`bob ${ADD}$own&content=${VOTE}`, 'Invalid message(s)'],
]);
