import {clientCalls} from '../kit/client-calls.js';
import {like, missingArgument, refusal, story} from '../kit/story.js';

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

story('createSavedSnippet', 'keeps texts for each account, and tells its other clients', [
	{listen: 'alice', to: 'saved_snippets'},
	{listen: 'bob', to: 'saved_snippets'},
	['alice POST /api/v1/saved_snippets title= Hi &content= Hello ', {saved_snippet_id: 1}],
	['alice GET /api/v1/saved_snippets', {saved_snippets: [HI]}],
	['alice POST /api/v1/register fetch_event_types=["saved_snippets"]', like({saved_snippets: [HI]})],
	['bob GET /api/v1/saved_snippets', {saved_snippets: []}],
	['alice PATCH /api/v1/saved_snippets/1 title=Hey', {}],
	['bob PATCH /api/v1/saved_snippets/1 title=Hey', UNKNOWN],
	['bob DELETE /api/v1/saved_snippets/1', UNKNOWN],
	['alice DELETE /api/v1/saved_snippets/1', {}],
	['alice DELETE /api/v1/saved_snippets/1', UNKNOWN],
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
