import {clientCalls} from '../kit/client-calls.js';
import {like, missingArgument, story} from '../kit/story.js';

clientCalls('addSubmessage', {
	'writes texts as they are': [
		{message_id: 9, msg_type: 'widget', content: '{"type":"vote"}'},
		'POST /api/v1/submessage message_id=9&msg_type=widget&content=%7B%22type%22%3A%22vote%22%7D',
	],
});

const ASK = 'alice POST /api/v1/messages type=channel&to=general&topic=x&content=';
const ADD = 'POST /api/v1/submessage msg_type=widget&message_id=';
const VOTE = '{"type":"vote","key":"canned,0","vote":1}';
const BOB = 5;

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
