// Drafts and saved snippets.

import {clientCalls} from '../kit/client-calls.js';
import {each, like, missingArgument, refusal, story} from '../kit/story.js';

clientCalls('createDrafts', {
	'writes drafts as one JSON list and reads the IDs in their order': [
		{
			drafts: [
				{type: 'stream', to: [3], topic: 'tea', content: 'Green & black', timestamp: 1_595_479_019},
				{type: 'private', to: [9, 10], topic: '', content: 'x'},
			],
		},
		'POST /api/v1/drafts drafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B3%5D%2C%22topic%22%3A%22tea%22%2C%22content%22%3A%22Green+%26+black%22%2C%22timestamp%22%3A1595479019%7D%2C%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B9%2C10%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22x%22%7D%5D',
		'"ids":[17,18]',
	],
});

clientCalls('getDrafts', {
	'reads drafts of every type': [
		{},
		'GET /api/v1/drafts',
		`"count":3,"drafts":[\
{"id":1,"type":"stream","to":[3],"topic":"sync drafts","content":"Let's add backend support","timestamp":1595479019},\
{"id":2,"type":"private","to":[4],"topic":"","content":"What if we made it possible?","timestamp":1595479020},\
{"id":3,"type":"","to":[],"topic":"","content":"What if","timestamp":1595479021}]`,
	],
});

clientCalls('editDraft', {
	'writes the ID into the path and the draft as JSON': [
		{draft_id: 17, draft: {type: 'private', to: [9], topic: '', content: 'x'}},
		'PATCH /api/v1/drafts/17 draft=%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B9%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22x%22%7D',
	],
});

clientCalls('deleteDraft', {
	'writes the ID into the path': [{draft_id: 17}, 'DELETE /api/v1/drafts/17'],
});

const FIRST = {id: '$first', type: 'stream', to: [1], topic: 'tea', content: 'a', timestamp: 2};
const SECOND = {id: '$second', type: '', to: [], topic: '', content: 'b', timestamp: 1};
const ONE = 'drafts=[{"type":"","to":[],"topic":"","content":"x"}]';

story('createDrafts', 'answers the IDs in the order of the drafts and sends one event to its author alone', [
	{listen: 'alice', to: 'drafts'},
	{listen: 'bob', to: 'drafts'},
	[
		'alice POST /api/v1/drafts drafts=[{"type":"stream","to":[1],"topic":"tea","content":"a","timestamp":2.75},' +
			'{"type":"","to":[],"topic":"","content":"b","timestamp":1}]',
		{ids: ['$first', '$second']},
	],
	{heard: 'alice', events: [{type: 'drafts', op: 'add', drafts: [FIRST, SECOND]}]},
	{heard: 'bob', events: []},
	['alice GET /api/v1/drafts', {count: 2, drafts: [SECOND, FIRST]}],
	['alice POST /api/v1/register event_types=["drafts"]', like({drafts: [FIRST, SECOND]})],
	['bob GET /api/v1/drafts', {count: 0, drafts: []}],
	['bob POST /api/v1/drafts', {ids: []}],
	[`echo-bot POST /api/v1/drafts ${ONE}`, {ids: ['<integer>']}],
	['echo-bot GET /api/v1/drafts', like({count: 1})],
]);

story(
	'createDrafts',
	'fills in the time, trims the text and cuts what is too long',
	[
		[
			`alice POST /api/v1/drafts drafts=[{"type":"stream","to":[1],"topic":"${'t'.repeat(61)}",` +
				`"content":" ${'x'.repeat(10_001)} "}]`,
			{ids: ['$id']},
		],
		[
			'alice GET /api/v1/drafts',
			{
				count: 1,
				drafts: [
					{
						id: '$id',
						type: 'stream',
						to: [1],
						topic: `${'t'.repeat(57)}...`,
						content: `${'x'.repeat(9_980)}\n[message truncated]`,
						timestamp: 1_700_000_000,
					},
				],
			},
		],
	],
	{now: 1_700_000_000_000},
);

story('createDrafts', 'stores a direct draft by the others in it, and no place for an unaddressed one', [
	[
		'alice POST /api/v1/drafts drafts=[{"type":"private","to":[6,4,5],"topic":"lost","content":"both","timestamp":1},' +
			'{"type":"private","to":[4],"topic":"","content":"note","timestamp":2},' +
			'{"type":"private","to":[],"topic":"lost","content":"nobody","timestamp":3},' +
			'{"type":"","to":[9999],"topic":"lost\\u0000","content":"x","timestamp":4}]',
		{ids: ['$both', '$note', '$nobody', '$x']},
	],
	[
		'alice GET /api/v1/drafts',
		{
			count: 4,
			drafts: [
				{id: '$both', type: 'private', to: [5, 6], topic: '', content: 'both', timestamp: 1},
				{id: '$note', type: 'private', to: [4], topic: '', content: 'note', timestamp: 2},
				{id: '$nobody', type: '', to: [], topic: '', content: 'nobody', timestamp: 3},
				{id: '$x', type: '', to: [], topic: '', content: 'x', timestamp: 4},
			],
		},
	],
]);

const TWO_CHANNELS = 'Must specify exactly 1 channel ID for channel messages';

story('createDrafts', 'creates none when one of them is wrong', [
	...each('alice POST /api/v1/drafts drafts=', {
		tea: 'drafts is not valid JSON',
		'{}': 'drafts is not a list',
		'[{"type":"","to":[],"content":"x"}]': 'drafts[0]["topic"] field is missing: Field required',
		'[{"type":"","to":[],"topic":"","content":"x","x":1}]': 'Argument "x" at drafts[0]["x"] is unexpected',
		'[{"type":"","to":[],"topic":"","content":" \\n"}]': 'drafts[0]["content"] cannot be blank',
		'[{"type":"channel","to":[1],"topic":"","content":"x"}]': 'Invalid drafts[0]["type"]',
		'[{"type":"private","to":["bob"],"topic":"","content":"x"}]': 'drafts[0]["to"][0] is not an integer',
		'[{"type":"","to":[],"topic":"","content":"a\\u0000b"}]': 'Message must not contain null bytes',
		'[{"type":"stream","to":[1],"topic":"a\\u0000b","content":"x"}]': 'Topic must not contain null bytes',
		'[{"type":"","to":[],"topic":"","content":"x","timestamp":"now"}]':
			'drafts[0]["timestamp"]["int"] is not an integer',
		'[{"type":"","to":[],"topic":"","content":"x","timestamp":-1}]': 'Timestamp must not be negative.',
		'[{"type":"stream","to":[1,2],"topic":"","content":"x"}]': TWO_CHANNELS,
		'[{"type":"stream","to":[],"topic":"","content":"x"}]': TWO_CHANNELS,
		'[{"type":"","to":[],"topic":"","content":"good"},{"type":"stream","to":[9999],"topic":"","content":"bad"}]':
			'Invalid channel ID',
		'[{"type":"private","to":[9999],"topic":"","content":"x"}]': 'Invalid user ID 9999',
	}),
	['alice GET /api/v1/drafts', {count: 0, drafts: []}],
]);

story('createDrafts', 'refuses an archived channel, and a private one to those outside', [
	['alice POST /api/v1/drafts drafts=[{"type":"stream","to":[4],"topic":"","content":"x"}]', 'Invalid channel ID'],
	['olivia POST /api/v1/drafts drafts=[{"type":"stream","to":[4],"topic":"","content":"x"}]', {ids: ['<integer>']}],
	['olivia POST /api/v1/drafts drafts=[{"type":"stream","to":[5],"topic":"","content":"x"}]', 'Invalid channel ID'],
]);

const ON_THE_DEVICE = 'User has disabled synchronizing drafts.';

story('createDrafts', 'is refused, like every call for drafts, to those who keep them on the device', [
	['alice PATCH /api/v1/settings enable_drafts_synchronization=false', {}],
	[`alice POST /api/v1/drafts ${ONE}`, ON_THE_DEVICE],
	['alice GET /api/v1/drafts', ON_THE_DEVICE],
	['alice PATCH /api/v1/drafts/1 draft={"type":"","to":[],"topic":"","content":"x"}', ON_THE_DEVICE],
	['alice DELETE /api/v1/drafts/1', ON_THE_DEVICE],
]);

const MANY = Array.from(
	{length: 1001},
	(_, index) => `{"type":"","to":[],"topic":"","content":"x","timestamp":${1001 - index}}`,
);

story('getDrafts', 'lists all drafts, oldest edit first, and a new queue has the thousand latest', [
	[`alice POST /api/v1/drafts drafts=[${MANY}]`],
	[
		'alice GET /api/v1/drafts',
		like({count: 1001, drafts: Array.from({length: 1001}, (_, index) => like({timestamp: index + 1}))}),
	],
	[
		'alice POST /api/v1/register event_types=["drafts"]',
		like({drafts: Array.from({length: 1000}, (_, index) => like({timestamp: 1001 - index}))}),
	],
]);

const MISSING = refusal('404 Not Found', 'Draft does not exist');
const NEW = 'draft={"type":"","to":[],"topic":"","content":"new","timestamp":1595479019}';

story(
	'editDraft',
	'replaces one of the own drafts, by default with the present as its time',
	[
		[`alice POST /api/v1/drafts ${ONE}`, {ids: ['$id']}],
		{listen: 'alice', to: 'drafts'},
		[`bob PATCH /api/v1/drafts/$id ${NEW}`, MISSING],
		[`alice PATCH /api/v1/drafts/9999 ${NEW}`, MISSING],
		...each('alice PATCH /api/v1/drafts/$id ', {
			'': missingArgument('draft'),
			'draft=[]': 'draft is not a dict',
			'draft={"type":"","to":[],"topic":"","content":" "}': 'draft["content"] cannot be blank',
			'draft={"type":"","to":[],"topic":"","content":"a\\u0000"}': 'Message must not contain null bytes',
			'draft={"type":"stream","to":[1,2],"topic":"","content":"x"}': TWO_CHANNELS,
		}),
		['alice GET /api/v1/drafts', like({drafts: [like({id: '$id', content: 'x', timestamp: 1_700_000_000})]})],
		[`alice PATCH /api/v1/drafts/$id ${NEW}`, {}],
		{advanceMs: 5000},
		['alice PATCH /api/v1/drafts/$id draft={"type":"","to":[],"topic":"","content":"newer"}', {}],
		{
			heard: 'alice',
			events: [
				{
					type: 'drafts',
					op: 'update',
					draft: {id: '$id', type: '', to: [], topic: '', content: 'new', timestamp: 1_595_479_019},
				},
				{
					type: 'drafts',
					op: 'update',
					draft: {id: '$id', type: '', to: [], topic: '', content: 'newer', timestamp: 1_700_000_005},
				},
			],
		},
		['alice GET /api/v1/drafts', like({drafts: [like({content: 'newer', timestamp: 1_700_000_005})]})],
	],
	{now: 1_700_000_000_000},
);

story('deleteDraft', 'deletes one of the own drafts, once', [
	[`alice POST /api/v1/drafts ${ONE}`, {ids: ['$id']}],
	{listen: 'alice', to: 'drafts'},
	['bob DELETE /api/v1/drafts/$id', MISSING],
	['alice GET /api/v1/drafts', like({count: 1})],
	['alice DELETE /api/v1/drafts/$id', {}],
	['alice DELETE /api/v1/drafts/$id', MISSING],
	['alice GET /api/v1/drafts', {count: 0, drafts: []}],
	{heard: 'alice', events: [{type: 'drafts', op: 'remove', draft_id: '$id'}]},
	['alice DELETE /api/v1/drafts/last', refusal('404 Not Found', 'Not found')],
]);

clientCalls('getSavedSnippets', {
	'reads snippets': [
		{},
		'GET /api/v1/saved_snippets',
		'"saved_snippets":[{"id":1,"title":"Hi","content":"Hello","date_created":1681662420}]',
	],
});

clientCalls('createSavedSnippet', {
	'writes texts as they are, and reads the ID': [
		{title: 'Hi', content: 'Hello'},
		'POST /api/v1/saved_snippets title=Hi&content=Hello',
		'"saved_snippet_id":9',
	],
});

clientCalls('editSavedSnippet', {
	'writes what changes': [{saved_snippet_id: 9, title: 'Hey'}, 'PATCH /api/v1/saved_snippets/9 title=Hey'],
});

clientCalls('deleteSavedSnippet', {
	'writes the ID in the path': [{saved_snippet_id: 9}, 'DELETE /api/v1/saved_snippets/9'],
});

const HI = {id: 1, title: 'Hi', content: 'Hello', date_created: '<integer>'} as const;
const UNKNOWN = refusal('404 Not Found', 'Saved snippet does not exist.');

story('getSavedSnippets', 'lists only those of the account', [
	['alice POST /api/v1/saved_snippets title=Hi&content=Hello', {saved_snippet_id: 1}],
	['alice GET /api/v1/saved_snippets', {saved_snippets: [HI]}],
	['bob GET /api/v1/saved_snippets', {saved_snippets: []}],
]);

story('deleteSavedSnippet', 'deletes one, once', [
	['alice POST /api/v1/saved_snippets title=Hi&content=Hello', {saved_snippet_id: 1}],
	['alice DELETE /api/v1/saved_snippets/1', {}],
	['alice DELETE /api/v1/saved_snippets/1', UNKNOWN],
]);

story('createSavedSnippet', 'keeps texts for each account, and its other clients get an event', [
	{listen: 'alice', to: 'saved_snippets'},
	{listen: 'bob', to: 'saved_snippets'},
	['alice POST /api/v1/saved_snippets title= Hi &content= Hello ', {saved_snippet_id: 1}],
	['alice POST /api/v1/register fetch_event_types=["saved_snippets"]', like({saved_snippets: [HI]})],
	['alice PATCH /api/v1/saved_snippets/1 title=Hey', {}],
	['bob PATCH /api/v1/saved_snippets/1 title=Hey', UNKNOWN],
	['bob DELETE /api/v1/saved_snippets/1', UNKNOWN],
	['alice DELETE /api/v1/saved_snippets/1', {}],
	{
		heard: 'alice',
		events: [
			{type: 'saved_snippets', op: 'add', saved_snippet: HI},
			{type: 'saved_snippets', op: 'update', saved_snippet: {...HI, title: 'Hey'}},
			{type: 'saved_snippets', op: 'remove', saved_snippet_id: 1},
		],
	},
	{heard: 'bob', events: []},
]);

story('createSavedSnippet', 'refuses what is empty or too long', [
	['alice POST /api/v1/saved_snippets content=x', missingArgument('title')],
	['alice POST /api/v1/saved_snippets title=x', missingArgument('content')],
	['alice PATCH /api/v1/saved_snippets/999', {}],
	['alice POST /api/v1/saved_snippets title= ', 'title cannot be blank'],
	['alice POST /api/v1/saved_snippets title= &content=x', 'title cannot be blank'],
	['alice POST /api/v1/saved_snippets title=x&content= ', 'content cannot be blank'],
	[`alice POST /api/v1/saved_snippets title=${'x'.repeat(61)}&content=x`, 'title is too long (limit: 60 characters)'],
	[`alice POST /api/v1/saved_snippets title=${'x'.repeat(60)}&content=x`, {saved_snippet_id: 1}],
	[
		`alice PATCH /api/v1/saved_snippets/1 content=${'x'.repeat(10_001)}`,
		'content is too long (limit: 10000 characters)',
	],
]);
