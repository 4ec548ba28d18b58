import {clientCalls} from '../kit/client-calls.js';
import {each, like, missingArgument, refusal, type Step, story} from '../kit/story.js';

clientCalls('updateMessageFlags', {
	'writes IDs as a JSON list, and reads the channels that were ignored': [
		{messages: [4, 8, 15], op: 'remove', flag: 'read'},
		'POST /api/v1/messages/flags messages=%5B4%2C8%2C15%5D&op=remove&flag=read',
		'"messages":[4,8,15],"ignored_because_not_subscribed_channels":[9]',
	],
	'reads the answer of a server that names no ignored channels': [
		{messages: [4], op: 'add', flag: 'starred'},
		'POST /api/v1/messages/flags messages=%5B4%5D&op=add&flag=starred',
		'"messages":[4]',
	],
});

clientCalls('updateMessageFlagsForNarrow', {
	'writes an anchor as a word and a narrow as JSON': [
		{
			anchor: 'first_unread',
			include_anchor: false,
			num_before: 4,
			num_after: 8,
			narrow: [['is', 'dm']],
			op: 'add',
			flag: 'read',
		},
		'POST /api/v1/messages/flags/narrow anchor=first_unread&include_anchor=false&num_before=4&num_after=8&narrow=%5B%5B%22is%22%2C%22dm%22%5D%5D&op=add&flag=read',
		'"processed_count":11,"updated_count":8,"first_processed_id":35,"last_processed_id":55,' +
			'"found_oldest":false,"found_newest":true,"ignored_because_not_subscribed_channels":[12]',
	],
});

const LUNCH = 2;

const say = (name: string, where = 'to=lunch&topic=soup'): Step => [
	`alice POST /api/v1/messages type=channel&${where}&content=x`,
	like({id: `$${name}`}),
];

const hasFlags = (...flags: string[]) => like({message: like({flags})});

story('updateMessageFlags', 'sets and removes a flag for its reader alone, and the event lists what has changed', [
	say('first'),
	say('second'),
	{listen: 'bob', to: 'update_message_flags'},
	{listen: 'alice', to: 'update_message_flags'},
	[
		'bob POST /api/v1/messages/flags messages=[$first,$second]&op=add&flag=starred',
		{messages: ['$first', '$second'], ignored_because_not_subscribed_channels: []},
	],
	['bob GET /api/v1/messages/$first', hasFlags('starred')],
	['alice GET /api/v1/messages/$first', hasFlags()],
	['bob POST /api/v1/messages/flags messages=[$first]&op=remove&flag=starred'],
	['bob GET /api/v1/messages/$first', hasFlags()],
	['bob GET /api/v1/messages/$second', hasFlags('starred')],
	['bob POST /api/v1/messages/flags messages=[$second]&op=add&flag=starred'],
	['bob POST /api/v1/messages/flags messages=[$first,$second]&op=add&flag=starred'],
	{
		heard: 'bob',
		events: [
			{op: 'add', messages: ['$first', '$second']},
			{op: 'remove', messages: ['$first']},
			{op: 'add', messages: []},
			{op: 'add', messages: ['$first']},
		].map(({op, messages}) => ({
			type: 'update_message_flags',
			flag: 'starred',
			all: false,
			op,
			operation: op,
			messages,
		})),
	},
	{heard: 'alice', events: []},
]);

story('updateMessageFlags', 'takes every flag that people set, but not the old name of the operation', [
	say('id'),
	['bob POST /api/v1/messages/flags messages=[$id]&operation=add&flag=read', missingArgument('op')],
	['bob POST /api/v1/messages/flags messages=[$id]&op=add&flag=read'],
	['bob POST /api/v1/messages/flags messages=[$id]&op=add&flag=starred'],
	['bob POST /api/v1/messages/flags messages=[$id]&op=add&flag=collapsed'],
	['bob GET /api/v1/messages/$id', hasFlags('read', 'starred', 'collapsed')],
]);

story('updateMessageFlags', 'names the others of a direct message that becomes unread', [
	['alice POST /api/v1/messages type=direct&to=[5,6]&content=x', like({id: '$id'})],
	['bob POST /api/v1/messages/flags messages=[$id]&op=add&flag=read'],
	{listen: 'bob', to: 'update_message_flags'},
	['bob POST /api/v1/messages/flags messages=[$id]&op=remove&flag=read'],
	(_t, {names}) => {
		names.set('details', {[String(names.get('id'))]: {type: 'private', user_ids: [4, 6]}});
	},
	{heard: 'bob', events: [like({op: 'remove', messages: ['$id'], message_details: '$details'})]},
]);

story('updateMessageFlags', 'makes a message historical that was not sent to its reader', [
	say('id'),
	['olivia POST /api/v1/messages/flags messages=[$id]&op=add&flag=starred'],
	['olivia GET /api/v1/messages/$id', hasFlags('read', 'starred', 'historical')],
	[
		'olivia GET /api/v1/messages?anchor=newest&num_before=5&narrow=[["is","starred"]]',
		like({messages: [like({id: '$id'})]}),
	],
]);

story('updateMessageFlags', 'makes nothing unread in channels without the reader, and answers which those are', [
	say('lunch'),
	say('general', 'to=general&topic=x'),
	['olivia POST /api/v1/messages/flags messages=[$lunch,$general]&op=add&flag=read'],
	[
		'olivia POST /api/v1/messages/flags messages=[$lunch,$general]&op=remove&flag=read',
		like({ignored_because_not_subscribed_channels: [LUNCH]}),
	],
	['olivia GET /api/v1/messages/$lunch', hasFlags('read', 'historical')],
	['olivia GET /api/v1/messages/$general', hasFlags()],
]);

story(
	'updateMessageFlags',
	'does not answer ignored channels below feature level 340',
	[['alice POST /api/v1/messages/flags messages=[1]&op=add&flag=starred', {messages: [1]}]],
	{featureLevel: 339},
);

story('updateMessageFlags', 'changes no flag when a parameter is wrong or a message cannot be read', [
	say('id'),
	['olivia POST /api/v1/messages type=direct&to=[1]&content=x', {id: '$secret'}],
	...each('bob POST /api/v1/messages/flags ', {
		'messages=[$id,$secret]&op=add&flag=starred': 'Invalid message(s)',
		'messages=[$id,4711]&op=add&flag=starred': 'Invalid message(s)',
		'op=add&flag=read': missingArgument('messages'),
		'messages=1&op=add&flag=read': 'messages is not a list',
		'messages=["a"]&op=add&flag=read': 'messages[0] is not an integer',
		'messages=[$id]&flag=read': missingArgument('op'),
		'messages=[$id]&op=toggle&flag=read': "Invalid message flag operation: 'toggle'",
		'messages=[$id]&op=toggle&flag=hidden': "Invalid flag: 'hidden'",
		'messages=[$id]&op=toggle': missingArgument('flag'),
		'messages=[$id]&op=add': missingArgument('flag'),
		'messages=[$id]&op=add&flag=hidden': "Invalid flag: 'hidden'",
		'messages=[4711]&op=add&flag=mentioned': "Flag not editable: 'mentioned'",
		'messages=[]&op=add&flag=read&colour=red': like({ignored_parameters_unsupported: ['colour']}),
	}),
	['bob GET /api/v1/messages/$id', hasFlags()],
]);

const SOUP = 'narrow=[["channel","lunch"],["topic","soup"]]';

const starredOf = (who: string, ...ids: string[]): Step => [
	`${who} GET /api/v1/messages?anchor=newest&num_before=99&narrow=[["is","starred"]]`,
	like({messages: ids.map(id => like({id}))}),
];

story('updateMessageFlagsForNarrow', 'flags what lies around the anchor in the narrow, and counts what changed', [
	say('first'),
	say('second'),
	say('other', 'to=lunch&topic=bread'),
	say('third'),
	say('fourth'),
	{listen: 'bob', to: 'update_message_flags'},
	[
		`bob POST /api/v1/messages/flags/narrow anchor=$second&num_before=5&num_after=1&${SOUP}&op=add&flag=starred`,
		{
			processed_count: 3,
			updated_count: 3,
			first_processed_id: '$first',
			last_processed_id: '$third',
			found_oldest: true,
			found_newest: false,
			ignored_because_not_subscribed_channels: [],
		},
	],
	starredOf('bob', '$first', '$second', '$third'),
	starredOf('alice'),
	{heard: 'bob', events: [like({messages: ['$first', '$second', '$third']})]},
	[
		`bob POST /api/v1/messages/flags/narrow anchor=oldest&num_before=0&num_after=9&${SOUP}&op=add&flag=starred`,
		like({processed_count: 4, updated_count: 1, last_processed_id: '$fourth', found_newest: true}),
	],
]);

story('updateMessageFlagsForNarrow', 'makes nothing unread in a channel without the reader', [
	[
		`olivia POST /api/v1/messages/flags/narrow anchor=newest&num_before=9&num_after=0&${SOUP}&op=remove&flag=read`,
		like({processed_count: 0, first_processed_id: null, last_processed_id: null}),
	],
	say('id'),
	[
		`olivia POST /api/v1/messages/flags/narrow anchor=newest&num_before=9&num_after=0&${SOUP}&op=remove&flag=read`,
		like({processed_count: 1, updated_count: 0, ignored_because_not_subscribed_channels: [LUNCH]}),
	],
]);

const badNarrow = (desc: string) =>
	refusal('400 Bad Request', `Invalid narrow operator: ${desc}`, {code: 'BAD_NARROW', desc});

story(
	'updateMessageFlagsForNarrow',
	'refuses wrong parameters, and names those that it does not know',
	each('alice POST /api/v1/messages/flags/narrow ', {
		[`num_before=0&num_after=0&${SOUP}&op=add&flag=read`]: missingArgument('anchor'),
		[`anchor=here&num_before=0&num_after=0&${SOUP}&op=add&flag=read`]: 'Invalid anchor',
		[`anchor=1&num_after=0&${SOUP}&op=add&flag=read`]: missingArgument('num_before'),
		[`anchor=1&num_before=0&${SOUP}&op=add&flag=read`]: missingArgument('num_after'),
		'anchor=1&num_before=0&num_after=0&op=add&flag=read': missingArgument('narrow'),
		[`anchor=1&num_before=0&num_after=0&${SOUP}&op=toggle&flag=read`]: "Invalid message flag operation: 'toggle'",
		[`anchor=1&num_before=0&num_after=0&${SOUP}&op=add&flag=hidden`]: "Invalid flag: 'hidden'",
		[`anchor=1&num_before=0&num_after=0&${SOUP}&op=add&flag=historical`]: "Flag not editable: 'historical'",
		[`anchor=1&num_before=0&num_after=0&${SOUP}&op=add&flag=read&colour=red`]: like({
			ignored_parameters_unsupported: ['colour'],
		}),
	}),
);

story(
	'updateMessageFlagsForNarrow',
	'refuses a narrow that is unknown, or too long',
	each('alice POST /api/v1/messages/flags/narrow anchor=1&num_before=0&num_after=0&op=add&flag=read&narrow=', {
		'[["x","y"]]': badNarrow('unknown operator x'),
		[JSON.stringify(Array(1000).fill(['topic', 'soup']))]: badNarrow('too many conditions'),
		[`[["search","${'soup '.repeat(1000)}"]]`]: badNarrow('too many conditions'),
		[`[["search","${'a'.repeat(10_001)}"]]`]: badNarrow('a word is too long to be found'),
	}),
);
